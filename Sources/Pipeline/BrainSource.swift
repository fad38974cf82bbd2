import Brain
import Formats
public import Signals

/// A stream of a recording that holds EEG, all its channels together.
public struct BrainSource: Hashable, Codable, Sendable {
    /// The stream's place in the recording.
    public var stream: Int
    /// The stream's name.
    public var name: String
    /// The labels and units of the channels that are EEG.
    public var channels: [Channel]
    /// Their places among the stream's channels.
    public var places: [Int]
    /// The labels of the stream's other channels, which are left out.
    public var others: [String]
    /// The stream's nominal sample rate in Hz.
    public var sampleRate: Double
    /// The acceleration that tells whether the head moved; nil where there is none.
    public var acceleration: AccelerationSource?
    /// The muscle whose tone helps to tell sleep from wake; nil where none was recorded.
    public var muscle: MuscleSource?
    /// The eyes, whose movements help to tell sleep from wake; nil where they were not recorded.
    public var eyes: EyeSource?

    /// Where the headband says whether it is on the head and how its electrodes touch it; nil where it does not.
    public var contact: ContactSource?
    /// The streams that are looked at beside it as it comes.
    var besides: [Int] { [acceleration?.stream, contact?.stream].compactMap(\.self) }

    /// All streams that are looked at beside it, each once.
    var heard: Set<Int> {
        Set(besides + [muscle?.stream, eyes?.stream].compactMap(\.self)).subtracting([stream])
    }

    /// The unit that its channels declare; all of them where they have several.
    var declaredUnit: Unit {
        let units = channels.reduce(into: [Unit]()) { if !$0.contains($1.unit) { $0.append($1.unit) } }
        return Unit(units.map(\.rawValue).joined(separator: " and "))
    }

    /// The lowest sample rate, in Hz, at which EEG is analyzed.
    public static let lowestSampleRate = 95.0

    /// The EEG streams of a recording that are sampled fast enough.
    public static func all(in header: RecordingHeader) -> [BrainSource] {
        header.streams.indices.compactMap { header.streams[$0].kind == .eeg ? source($0, in: header) : nil }
    }

    private static func source(_ index: Int, in header: RecordingHeader) -> BrainSource? {
        let stream = header.streams[index]
        guard stream.sampleRate >= lowestSampleRate else { return nil }
        let places = Self.places(ofEEGAmong: stream.channels, in: header)
        guard !places.isEmpty else { return nil }
        let others = stream.channels.indices.filter { !places.contains($0) }.map { stream.channels[$0].label }
        return BrainSource(
            stream: index, name: stream.name, channels: Self.toldApart(places.map { stream.channels[$0] }),
            places: places,
            others: others + strangers(beside: stream, in: header), sampleRate: stream.sampleRate,
            acceleration: AccelerationSource(in: header, beside: stream.name),
            muscle: MuscleSource(in: header), eyes: EyeSource(in: header),
            contact: ContactSource(in: header, electrodes: places.map { stream.channels[$0].label }))
    }

    /// The channels, where several have one label all but the first with a number: results are told by labels.
    private static func toldApart(_ channels: [Channel]) -> [Channel] {
        var labels = DistinctNames<String>()
        return channels.map { channel in
            var told = channel
            told.label = labels.next(channel.label)
            return told
        }
    }

    /// Channels that were sampled with an EEG, in volts, of which nothing says what they are: electrodes perhaps, by
    /// names that are none of the systems'.
    private static func strangers(beside stream: StreamHeader, in header: RecordingHeader) -> [String] {
        guard stream.kind == .eeg else { return [] }
        return header.streams.filter { $0.kind == .other && $0.sampleRate == stream.sampleRate }.flatMap { other in
            other.channels.filter { isStrange($0) }.map(\.label)
        }
    }

    private static func isStrange(_ channel: Channel) -> Bool {
        channel.unit.factor(to: .volts) != nil && isUntold(channel)
    }

    private static func isUntold(_ channel: Channel) -> Bool {
        channel.fault == nil && channel.kind == nil && channel.kindByLabel == nil
            && BodyElectrode(label: channel.label) == nil
    }

    /// Which channels of an EEG's stream are EEG: neither their declared type nor their label says something else, and
    /// where any of them are in volts or in no unit, no others. The difference of the ears is none beside others.
    private static func places(ofEEGAmong channels: [Channel], in header: RecordingHeader) -> [Int] {
        let named = BodyElectrode.all(of: channels.map(\.label), among: header.channelLabels)
        let electrodes = channels.indices.filter { place in
            let kind = channels[place].kind ?? channels[place].kindByLabel ?? .eeg
            return kind == .eeg && named[place] == nil
        }
        let voltages = electrodes.filter {
            channels[$0].unit == .unknown || channels[$0].unit.factor(to: .microvolts) != nil
        }
        let found = voltages.isEmpty ? electrodes : voltages
        let isOfEars = ElectrodeName.areDifferencesOfEars(header.channelLabels)
        let between = Set(zip(header.channelLabels, isOfEars).filter(\.1).map(\.0))
        let brain = found.filter { !between.contains(channels[$0].label) }
        return brain.isEmpty ? found : brain
    }

    /// What was left out of it, in a sentence for people; nil where nothing was.
    public var remark: String? {
        guard !others.isEmpty else { return nil }
        let isOfEars = ElectrodeName.areDifferencesOfEars(channels.map(\.label) + others).suffix(others.count)
        let told = zip(others, isOfEars).map { $1 ? "\($0) (the difference of the two ears)" : $0 }
        return "\(name): left out as no EEG by type, label or unit: \(told.joined(separator: ", "))"
    }

    /// Which of its channels were given a number as another has their label, in a sentence for people; nil where there are
    /// none.
    public func labelRemark(in header: RecordingHeader) -> String? {
        let told = zip(places, channels).filter { header.streams[stream].channels[$0].label != $1.label }.map(\.1.label)
        return told.isEmpty
            ? nil : "\(name): channels of one label are told apart by numbers: \(told.joined(separator: ", "))"
    }

    /// Which of its channels were taken for µV as nothing tells their unit, in a sentence for people; nil where there are
    /// none.
    public var unitRemark: String? {
        let untold = channels.filter { $0.unit.factor(to: .microvolts) == nil }.map(\.label)
        return untold.isEmpty
            ? nil : "\(name): taken for µV, as no unit is told: \(untold.joined(separator: ", "))"
    }

    /// The EEG stream that is meant by a name, a kind or a place; the first where none is.
    /// - Parameter believing: whether a stream of voltages of which nothing says what they are is EEG where it is meant.
    /// - Throws: `PipelineError` when there is no such stream.
    public static func meant(
        by wish: String?, in header: RecordingHeader, file: String, believing: Bool = false
    ) throws -> BrainSource {
        let sources = all(in: header)
        let fitting = sources.filter { source in
            guard let wish else { return true }
            return source.name == wish || wish == StreamKind.eeg.rawValue || String(source.stream) == wish
        }
        if let found = fitting.first { return found }
        let strange = header.streams.indices.filter { place in
            let stream = header.streams[place]
            return stream.kind == .other && stream.sampleRate >= lowestSampleRate
                && stream.channels.contains { isStrange($0) || $0.unit == .unknown && isUntold($0) }
        }
        if believing, let wish,
            let meant = strange.first(where: { header.streams[$0].name == wish || String($0) == wish }),
            let found = source(meant, in: header)
        {
            return found
        }
        if let other = header.streams.indices.first(where: { place in
            let stream = header.streams[place]
            return stream.kind == .eeg && stream.sampleRate >= lowestSampleRate
                && (wish.map { $0 == stream.name || $0 == StreamKind.eeg.rawValue || $0 == String(place) } ?? true)
        }) {
            let labels = header.streams[other].channels.map(\.label).joined(separator: ", ")
            throw PipelineError(
                "\(file): no channel of stream \(header.streams[other].name) is EEG by its type or label: \(labels)",
                cause: .noEEG)
        }
        let streams = header.streams.map {
            "\($0.name) (\($0.kind.rawValue), \($0.sampleRate > 0 ? "\($0.sampleRate) Hz" : "irregular"))"
        }
        throw PipelineError(
            "\(file): \(wish.map { "no EEG stream \($0)" } ?? "no EEG stream") of at least \(lowestSampleRate) Hz",
            advice: "it has \(streams.isEmpty ? "no streams" : streams.joined(separator: ", "))"
                + (believing
                    ? strange.first.map { "; --stream \(header.streams[$0].name) takes it for EEG" } ?? "" : ""),
            cause: .noEEG)
    }

    /// The source without the channels of these labels.
    /// - Parameter isDemanded: whether each label must be that of a channel.
    /// - Throws: `PipelineError` for a label that no channel has, and where no channel would be left.
    func leavingOut(_ labels: [String], isDemanded: Bool) throws -> BrainSource {
        guard !labels.isEmpty else { return self }
        let names = channels.map(\.label)
        if isDemanded, let unknown = labels.first(where: { !names.contains($0) }) {
            throw PipelineError(
                "no EEG channel of stream \(name) is called \(unknown)",
                advice: "it has \(names.joined(separator: ", "))")
        }
        let kept = names.indices.filter { !labels.contains(names[$0]) }
        guard !kept.isEmpty else { throw PipelineError("all channels of stream \(name) would be left out") }
        var source = self
        (source.channels, source.places) = (kept.map { channels[$0] }, kept.map { places[$0] })
        if let contact { source.contact?.electrodes = kept.map { contact.electrodes[$0] } }
        return source
    }

    /// What the files made from it are called, before names that are alike are told apart.
    var fileLabel: String {
        let letters = CardiacSource.labelCharacters(of: name)
        return letters.isEmpty ? StreamKind.eeg.rawValue : letters
    }
}

extension RecordingHeader {
    /// What its channels are called.
    var channelLabels: [String] { streams.flatMap { $0.channels.map(\.label) } }
}
