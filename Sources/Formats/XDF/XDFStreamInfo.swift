import Foundation
import Signals

/// What a stream's header says (LSL stream information; github.com/sccn/xdf/wiki/Meta-Data).
struct XDFStreamInfo {
    var id: UInt32
    var name: String
    var type: String
    var format: XDFValueFormat
    var channelCount: Int
    /// Hz; 0 for irregular.
    var nominalRate: Double
    /// Labels and units as `desc/channels` says.
    var channels: [(label: String?, unit: String?, type: String?)]
    /// `desc/synchronization/can_drop_samples`: its stamps are exact, not to be smoothed.
    var canDropSamples: Bool
    /// `desc/marey`: what our own recorder says of the stream.
    var marey: XDFElement?

    /// Bytes of one frame's values.
    var valueBytes: Int { channelCount * format.byteCount }
    /// Seconds between frames; 0 for irregular.
    var interval: Seconds { nominalRate > 0 ? 1 / nominalRate : 0 }

    /// - Throws: a sentence that says what is wrong.
    init(id: UInt32, _ root: XDFElement) throws(Problem) {
        guard root.name == "info" else { throw Problem("its header is no <info>") }
        self.id = id
        name = root.value("name") ?? ""
        type = root.value("type") ?? ""
        let word = root.value("channel_format") ?? ""
        guard let format = XDFValueFormat(rawValue: word) else {
            throw Problem(
                "found channel_format '\(word.prefix(40))', expected int8 … int64, float32, double64 or string")
        }
        self.format = format
        guard let count = root.value("channel_count").flatMap(Int.init), count >= 0 else {
            throw Problem("channel_count is no number of channels")
        }
        guard (1...65_536).contains(count) else {
            throw Problem("channel_count is no number between 1 and 65536", isOurLimit: true)
        }
        channelCount = count
        let said = root.value("nominal_srate") ?? "0"
        guard let rate = Double(said) else {
            throw Problem("found nominal_srate '\(said.prefix(40))', expected a number of Hz")
        }
        guard rate == 0 || Plausible.sampleRates.contains(rate) else {
            throw Problem("nominal_srate is no rate in Hz", isOurLimit: true)
        }
        nominalRate = rate
        let desc = root["desc"]
        channels = (desc?["channels"]?.children ?? []).filter { $0.name == "channel" }.prefix(count).map {
            ($0.value("label"), $0.value("unit"), $0.value("type"))
        }
        canDropSamples = desc?["synchronization"]?.value("can_drop_samples")?.lowercased() == "true"
        marey = desc?["marey"]
    }

    /// Whether it tells of events: text, and irregular numbers that are declared to be markers.
    var isMarkers: Bool {
        format == .string || nominalRate == 0 && marey == nil && Self.types[type.lowercased()] == .marker
    }

    /// True for a signal without a declared rate that is sampled evenly as a rule, if the recorder did not decide that.
    var mayBeEven: Bool {
        nominalRate == 0 && format != .string && !canDropSamples && !isMarkers
            && marey?.value(XDFStreamDescription.paceName) == nil
            && EvenPace.applies(to: header(name: name, frameCount: nil).kind)
    }

    /// True for our own recorder's copy of a sender's stream.
    var isReceived: Bool { marey?.value(Self.roleName) == Self.receivedRole }
    /// The element of `desc/marey` that says what a stream is for, and its value for streams as they were received.
    static let (roleName, receivedRole) = ("role", "received")

    /// Why a header cannot be used.
    struct Problem: Error {
        var text: String
        /// Whether the header is whole and other programs may read the stream: it is only not read here.
        var isOurLimit: Bool

        init(_ text: String, isOurLimit: Bool = false) {
            self.text = text
            self.isOurLimit = isOurLimit
        }
    }
}

extension XDFStreamInfo {
    /// The stream in Marey's words. `name` is unique in the recording.
    func header(name: String, frameCount: Int?) -> StreamHeader {
        let units = (0..<channelCount).map { index in
            index < channels.count ? channels[index].unit.map(Self.unit) ?? .unknown : .unknown
        }
        let labels = (0..<channelCount).map { index in
            (index < channels.count ? channels[index].label : nil) ?? (channelCount == 1 ? name : "\(index + 1)")
        }
        let kind = marey?.value("kind").flatMap(StreamKind.init) ?? self.kind(labels, units)
        return StreamHeader(
            name: name, kind: kind,
            channels: (0..<channelCount).map { index in
                let own = self.kind(ofChannel: index, of: kind)
                return Channel(
                    label: labels[index], unit: SignalKind.meant(units[index], by: own ?? kind), kind: own)
            },
            sampleRate: nominalRate, frameCount: nominalRate > 0 ? frameCount : nil)
    }

    /// What it measures: by its type, which LSL programs choose from a list; by its name; by its channels.
    private func kind(_ labels: [String], _ units: [Signals.Unit]) -> StreamKind {
        let unit = Set(units).count == 1 ? units[0] : .unknown
        if let kind = Self.types[type.lowercased()] { return kind }
        // A name is only evidence where the type says nothing: of an EMG stream called "ECG room" it is none.
        let names = ["", "data", "signal", "physio", "exg", "biosignal"].contains(type.lowercased()) ? [name] : [type]
        for text in names {
            if let kind = SignalKind.said(by: text), kind != .other { return kind }
        }
        let kinds = Set(labels.map { SignalKind.kind(label: $0, transducer: "", unit: unit) })
        return kinds.count == 1 ? kinds.first ?? .other : .other
    }

    /// What a channel measures by the type that it declares; nil where that is what its stream does, or unknown.
    private func kind(ofChannel index: Int, of stream: StreamKind) -> StreamKind? {
        guard index < channels.count, let type = channels[index].type else { return nil }
        let kind = Self.kind(ofChannelType: type)
        return kind == stream ? nil : kind
    }

    /// The kind that a channel's type names; nil where it names none.
    static func kind(ofChannelType type: String) -> StreamKind? {
        types[type.lowercased()] ?? SignalKind.said(by: type) ?? (SignalKind.isTrigger(type) ? .marker : nil)
    }

    /// Types that say what is measured (github.com/sccn/xdf/wiki/Meta-Data, "Content types").
    private static let types: [String: StreamKind] = [
        "eeg": .eeg, "ecg": .ecg, "ekg": .ecg, "ppg": .bvp, "bvp": .bvp, "pulse": .bvp, "gsr": .eda, "eda": .eda,
        "acc": .acceleration, "accelerometer": .acceleration, "gyro": .gyroscope, "gyroscope": .gyroscope,
        "temp": .temperature, "temperature": .temperature, "resp": .respiration, "respiration": .respiration,
        "rr": .ibi, "ibi": .ibi, "hr": .heartRate, "heartrate": .heartRate, "battery": .battery, "markers": .marker,
        "marker": .marker, "emg": .other, "eog": .other, "audio": .other, "gaze": .other, "mocap": .other,
        "videoraw": .other, "videocompressed": .other, "misc": .other,
    ]

    /// The unit; what LSL programs write where there is none is none.
    static func unit(_ text: String) -> Signals.Unit {
        switch text.lowercased() {
        case "none", "normalized", "unitless", "n/a": .dimensionless
        case "unknown": .unknown
        default: Signals.Unit(text)
        }
    }
}
