public import Brain
public import Signals

/// The channels of a recording that show the eyes beside an EEG, as leads of an electro-oculogram.
public struct EyeSource: Hashable, Codable, Sendable {
    /// A lead: one channel, or the difference of two that were measured against the same electrode.
    public struct Lead: Hashable, Codable, Sendable {
        /// Which movements it shows.
        public var lead: EyeLead
        /// The place of its channel in the stream.
        public var channel: Int
        /// The place of the channel that is taken away from it; nil where it is a difference already.
        public var against: Int?

        /// The lead of a channel, or of its difference to another.
        public init(lead: EyeLead, channel: Int, against: Int? = nil) {
            (self.lead, self.channel, self.against) = (lead, channel, against)
        }
    }

    /// The stream's place in the recording.
    public var stream: Int
    /// Its leads.
    public var leads: [Lead]
    /// What turns each of the stream's channels into µV.
    public var factors: [Float]
    /// The stream's nominal sample rate in Hz.
    public var sampleRate: Double

    /// The leads in the first stream that has any and is sampled fast enough; nil where none is.
    init?(in header: RecordingHeader) {
        for (index, stream) in header.streams.enumerated()
        where [.eeg, .other].contains(stream.kind) && stream.sampleRate >= EyeActivities.lowestSampleRate {
            let isOnly = stream.kind == .other && stream.channels.count == 1
            let named = BodyElectrode.all(of: stream.channels.map(\.label), among: header.channelLabels)
            let eyes = stream.channels.indices.filter { place in
                (named[place] == .eye || isOnly && BodyElectrode(label: stream.name) == .eye)
                    && stream.channels[place].unit.factor(to: .microvolts) != nil
            }
            guard !eyes.isEmpty else { continue }
            self.stream = index
            leads = Self.leads(eyes, labels: stream.channels.map(\.label))
            factors = stream.channels.map { Float($0.unit.factor(to: .microvolts) ?? 1) }
            sampleRate = stream.sampleRate
            return
        }
        return nil
    }

    /// What each label says of where the electrode is: `EOG vertical`, `HEOG`, `LOC-A2`, `E1-M2`, `EOG R`.
    private static func leads(_ eyes: [Int], labels: [String]) -> [Lead] {
        func first(_ wanted: Set<String>) -> Int? {
            eyes.first { place in
                let words = labels[place].uppercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
                return words.contains(where: wanted.contains)
            }
        }
        let up = first(["VEOG", "V", "VER", "VERT", "VERTICAL", "EOGV"]).map { Lead(lead: .vertical, channel: $0) }
        let across = first(["HEOG", "H", "HOR", "HORIZONTAL", "EOGH"]).map { Lead(lead: .horizontal, channel: $0) }
        let named = [up, across].compactMap(\.self)
        if !named.isEmpty { return named }
        // What both have of the brain, and of the electrode they were measured against, is gone in their difference.
        if let left = first(["LOC", "L", "LEFT", "EOGL", "LEOG", "E1"]),
            let right = first(["ROC", "R", "RIGHT", "EOGR", "REOG", "E2"])
        {
            return [Lead(lead: .both, channel: left, against: right)]
        }
        return eyes.prefix(1).map { Lead(lead: .both, channel: $0) }
    }

    /// The leads of a block of the stream, in µV.
    public func leads(in block: SampleBlock) -> SampleBlock {
        func channel(_ place: Int) -> [Float] {
            guard place < block.channelCount else { return Array(repeating: .nan, count: block.frameCount) }
            let factor = factors[place]
            return block.channel(place).map { factor * $0 }
        }
        let samples = leads.flatMap { lead -> [Float] in
            guard let against = lead.against else { return channel(lead.channel) }
            return zip(channel(lead.channel), channel(against)).map(-)
        }
        return SampleBlock(channelCount: leads.count, samples: samples)
    }
}
