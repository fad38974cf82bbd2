import Cardiac
public import Signals

/// One channel of a recording that heart beats, or intervals between them, can be taken from, or several ECG leads that
/// are looked at together.
public struct CardiacSource: Hashable, Codable, Sendable {
    /// Which way to the intervals.
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// Beats are detected in an electrocardiogram.
        case ecg
        /// Beats are detected in a blood volume pulse.
        case bvp
        /// The recording holds the intervals themselves.
        case ibi
    }

    /// Which way to the intervals.
    public var kind: Kind
    /// The stream's place in the recording.
    public var stream: Int
    /// The stream's name.
    public var name: String
    /// The channel's place in the stream; of several leads, that of the one that says when the beats were.
    public var channel: Int
    /// The channel's label and unit.
    public var label: Channel
    /// The stream's nominal sample rate in Hz; 0 for intervals.
    public var sampleRate: Double
    /// The acceleration that is removed from beats and heart rate; nil for other sources than BVP, and without acceleration.
    public var acceleration: MovementSource?
    /// The places of all pulse waves in the stream; nil for other sources than BVP.
    public var pulses: [Int]?
    /// The leads that are looked at together, the one with the word first; empty where there is one.
    public var leads: [Lead] = []

    /// A channel that is one of several leads.
    public struct Lead: Hashable, Codable, Sendable {
        /// Its place in the stream.
        public var channel: Int
        /// Its label.
        public var label: String
    }

    /// The places of all its channels in the stream, that of `channel` first.
    public var channels: [Int] { leads.isEmpty ? [channel] : leads.map(\.channel) }

    /// The other streams that are needed.
    var beside: [Int] { acceleration.map { [$0.stream] } ?? [] }

    /// What the source is called for people: the channel's label, or those of all leads.
    public var channelNames: String {
        leads.isEmpty ? label.label : leads.map(\.label).joined(separator: " + ")
    }

    /// The `recording` entity of the files made from this source, such as `ecg` (BIDS 1.10, "recording").
    public var recordingLabel: String { Self.labelCharacters(of: name) }

    /// The letters and digits of a name, all that a label may hold.
    static func labelCharacters(of name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.unicodeScalars.filter { $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0) }))
    }
}

extension CardiacSource {
    /// Looks at all channels together; lead II has the word where there is one, whose R waves are mostly tall.
    mutating func take(leads channels: [Channel]) {
        let first = CardiacSource.leadII(of: channels) ?? 0
        leads = ([first] + channels.indices.filter { $0 != first }).map {
            Lead(channel: $0, label: channels[$0].label)
        }
        channel = first
        label = channels[first]
    }

    /// The place of lead II; labels are taken as they are in the wild: `II`, `II,`, `ECG Lead II`.
    static func leadII(of channels: [Channel]) -> Int? {
        channels.firstIndex { channel in
            let last = channel.label.uppercased().split { !$0.isLetter && !$0.isNumber }.last
            return last == "II" || last == "MLII"
        }
    }
}

/// Which channel the user asks for.
public struct SourceRequest: Hashable, Sendable {
    /// Name, kind or place (from 0) of the stream; nil: the first that fits.
    public var stream: String?
    /// Label or place (from 0) of the channel; nil: all ECG leads together, else the first.
    public var channel: String?
    /// What to take the stream for; nil: what the file says.
    public var kind: CardiacSource.Kind?

    /// A request for a stream and a channel.
    public init(stream: String? = nil, channel: String? = nil, kind: CardiacSource.Kind? = nil) {
        self.stream = stream
        self.channel = channel
        self.kind = kind
    }

    /// The sample rates, in Hz, at which beats are found in such a signal; nil for intervals, which are not sampled.
    public static func sampleRates(of kind: CardiacSource.Kind) -> ClosedRange<Double>? {
        switch kind {
        case .ecg: ECGBeatDetector.sampleRates
        case .bvp: BVPBeatDetector.sampleRates
        case .ibi: nil
        }
    }

    /// Why beats are not looked for at a sample rate; nil where they are.
    static func unfitness(of rate: Double, for kind: CardiacSource.Kind) -> String? {
        guard let rates = sampleRates(of: kind), !rates.contains(rate) else { return nil }
        return rate > rates.upperBound ? "at most \(rates.upperBound) Hz" : "at least \(rates.lowerBound) Hz"
    }

    /// What this request means in a recording. Without a wish, ECG comes before BVP and BVP before intervals.
    /// - Throws: `PipelineError` when nothing fits.
    public func source(in header: RecordingHeader, file: String) throws -> CardiacSource {
        let sources: [CardiacSource]
        if let stream {
            let index = try streamIndex(stream, in: header, file: file)
            sources = [try Self.source(index, in: header, as: kind, file: file)]
        } else {
            sources = Self.all(in: header).filter { kind == nil || $0.kind == kind }
            if sources.isEmpty, let kind, let only = header.streams.indices.first, header.streams.count == 1 {
                return try channelChosen(of: Self.source(only, in: header, as: kind, file: file), header, file)
            }
        }
        guard let first = sources.first else {
            if header.streams.isEmpty {
                throw PipelineError(
                    "\(file): holds no signals", advice: "beats can be found in ECG, BVP or IBI streams")
            }
            // A stream of the kind that was meant is there, but cannot be used: why is told.
            for index in header.streams.indices {
                guard let natural = Self.natural[header.streams[index].kind], kind == nil || natural == kind else {
                    continue
                }
                _ = try Self.source(index, in: header, as: nil, file: file)
            }
            let wanted = kind.map { "no \($0.rawValue) stream" } ?? "no ECG, BVP or IBI stream"
            throw PipelineError(
                "\(file): \(wanted)", advice: "it has \(Self.list(header)); choose one with --stream and --as")
        }
        return try channelChosen(of: first, header, file)
    }

    /// The first channel, or all ECG leads, of every stream that beats or intervals can be taken from, ECG first.
    public static func all(in header: RecordingHeader) -> [CardiacSource] {
        let found = header.streams.indices.compactMap { try? source($0, in: header, as: nil, file: "") }
        return CardiacSource.Kind.allCases.flatMap { kind in found.filter { $0.kind == kind } }
    }

    /// What nobody asked to leave out: other streams of the same kind, as leads of another sample rate are.
    func leftOut(of header: RecordingHeader, using source: CardiacSource) -> [String] {
        guard stream == nil else { return [] }
        let others = Self.all(in: header).filter { $0.kind == source.kind && $0.stream != source.stream }
        guard !others.isEmpty else { return [] }
        let names = others.map { "\($0.name) (\($0.sampleRate > 0 ? "\($0.sampleRate) Hz" : "irregular"))" }.joined(
            separator: ", ")
        return [
            "of \(others.count + 1) \(source.kind.rawValue) streams only \(source.name) was used, not \(names): choose with --stream"
        ]
    }

    /// What streams of a kind are taken for where nobody says otherwise.
    private static let natural: [StreamKind: CardiacSource.Kind] = [.ecg: .ecg, .bvp: .bvp, .ibi: .ibi]

    private static func source(
        _ index: Int, in header: RecordingHeader, as wished: CardiacSource.Kind?, file: String
    ) throws -> CardiacSource {
        let stream = header.streams[index]
        guard let kind = wished ?? natural[stream.kind] else {
            throw PipelineError(
                "\(file): stream \(stream.name) is \(stream.kind.rawValue), not ECG, BVP or IBI",
                advice: "say what to take it for with --as ecg or --as bvp")
        }
        guard let label = stream.channels.first else {
            throw PipelineError("\(file): stream \(stream.name) has no channels")
        }
        guard (kind == .ibi) == (stream.sampleRate == 0) else {
            throw PipelineError(
                "\(file): stream \(stream.name) \(mismatch(of: stream, and: kind))")
        }
        if let needed = unfitness(of: stream.sampleRate, for: kind) {
            throw PipelineError(
                "\(file): stream \(stream.name) has \(stream.sampleRate) Hz; beats of \(kind.rawValue) need \(needed)")
        }
        let channel = kind == .bvp ? pulseChannel(of: stream) : 0
        var source = CardiacSource(
            kind: kind, stream: index, name: stream.name, channel: channel,
            label: channel == 0 ? label : stream.channels[channel], sampleRate: stream.sampleRate,
            acceleration: kind == .bvp ? MovementSource(in: header, beside: stream.name) : nil)
        if kind == .bvp {
            source.pulses = stream.kind == .bvp ? pulses(of: stream) : [channel]
        }
        // What somebody only takes for an ECG may have anything in its other channels.
        if stream.kind == .ecg, kind == .ecg, stream.channels.count > 1 { source.take(leads: stream.channels) }
        return source
    }

    /// Why a stream that is sampled evenly, or is not, is not what beats or intervals come from.
    private static func mismatch(of stream: StreamHeader, and kind: CardiacSource.Kind) -> String {
        switch (stream.kind, kind) {
        case (.ecg, .ecg), (.bvp, .bvp), (.ecg, .bvp), (.bvp, .ecg):
            "is irregular: its values have times of their own, and beats of \(kind.rawValue) need even samples"
        case (.ibi, .ibi):
            "is sampled evenly, at \(stream.sampleRate) Hz, so its values cannot be read as intervals: each interval "
                + "needs a time of its own"
        default: "is \(stream.kind.rawValue) and cannot serve as \(kind.rawValue)"
        }
    }

    /// The channel the pulse is best seen in: optical sensors of several colours also bring ambient light. Where there
    /// are several places too, the colour is the label's last word.
    private static func pulseChannel(of stream: StreamHeader) -> Int {
        let colours = stream.channels.map { $0.label.lowercased().split(separator: " ").last }
        for colour in ["green", "infrared", "ir", "red"] {
            if let channel = colours.firstIndex(where: { $0.map(String.init) == colour }) { return channel }
        }
        return 0
    }

    /// The channels of a stream that see the pulse: all but ambient light.
    private static func pulses(of stream: StreamHeader) -> [Int] {
        let lit = stream.channels.indices.filter { place in
            let label = stream.channels[place].label.lowercased()
            return !label.contains("ambient") && !label.contains("dark")
        }
        return lit.isEmpty ? [0] : lit
    }

    private func streamIndex(_ wish: String, in header: RecordingHeader, file: String) throws -> Int {
        if let index = header.streams.firstIndex(where: { $0.name == wish })
            ?? header.streams.firstIndex(where: { $0.kind.rawValue == wish })
        {
            return index
        }
        if let index = Int(wish), header.streams.indices.contains(index) { return index }
        throw PipelineError("\(file): no stream \(wish)", advice: "it has \(Self.list(header))")
    }

    private func channelChosen(of source: CardiacSource, _ header: RecordingHeader, _ file: String) throws
        -> CardiacSource
    {
        guard let channel else { return source }
        let channels = header.streams[source.stream].channels
        guard
            let index = channels.firstIndex(where: { $0.label == channel })
                ?? Int(channel).flatMap({ channels.indices.contains($0) ? $0 : nil })
        else {
            throw PipelineError(
                "\(file): stream \(source.name) has no channel \(channel)",
                advice: "it has \(channels.map(\.label).joined(separator: ", "))")
        }
        var chosen = source
        chosen.leads = []
        if chosen.pulses != nil { chosen.pulses = [index] }
        chosen.channel = index
        chosen.label = channels[index]
        return chosen
    }

    private static func list(_ header: RecordingHeader) -> String {
        header.streams.isEmpty
            ? "no streams" : header.streams.map { "\($0.name) (\($0.kind.rawValue))" }.joined(separator: ", ")
    }
}
