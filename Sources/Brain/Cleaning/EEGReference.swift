public import Signals

/// What the voltages of an EEG are measured against.
public enum EEGReference: Hashable, Codable, Sendable {
    /// As the recording has it.
    case asRecorded
    /// The mean of all electrodes that are there.
    case average
    /// The mean of the electrodes with these names.
    case electrodes([String])
    /// Differences between pairs of electrodes, first minus second, in place of the electrodes.
    case bipolar([Pair])

    /// Two electrodes whose difference is looked at.
    public struct Pair: Hashable, Codable, Sendable {
        /// The electrode that counts positive.
        public var first: String
        /// The one subtracted.
        public var second: String

        /// `first` minus `second`.
        public init(_ first: String, _ second: String) {
            self.first = first
            self.second = second
        }
    }
}

/// A reference that cannot be formed.
public enum EEGReferenceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No channel has this name; the names there are.
    case noElectrode(String, among: [String])
    /// Neither names nor pairs were given.
    case empty

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .noElectrode(let name, let names):
            "there is no electrode \(name) to refer to: the channels are \(names.joined(separator: ", ")); a name stands "
                + "for one of them, and differences of two are asked for with the parameter eeg.cleaning.reference"
        case .empty: "a reference needs at least one electrode: name it, or take the average"
        }
    }
}

/// Re-references blocks of EEG.
public struct Rereferencing: Sendable {
    /// The labels of the channels that come out.
    public let labels: [String]
    private let kind: Kind

    private enum Kind: Sendable {
        case none
        /// Minus the mean of all channels that are there.
        case average(Int)
        /// Minus the mean of these channels that are there.
        case mean([Int])
        case pairs([(Int, Int)])
    }

    /// Re-referencing of channels with these labels. Electrodes are found by label, or by the place it names.
    /// - Throws: `EEGReferenceError` when an electrode is not there.
    public init(_ reference: EEGReference, labels: [String]) throws(EEGReferenceError) {
        func index(_ name: String) throws(EEGReferenceError) -> Int {
            if let exact = labels.firstIndex(of: name) { return exact }
            // Of a difference such as F3-C3 the place would be its first half.
            let place = name.contains { !$0.isLetter && !$0.isNumber } ? nil : ElectrodeName(label: name)
            if let place, let found = labels.firstIndex(where: { ElectrodeName(label: $0) == place }) { return found }
            throw .noElectrode(name, among: labels)
        }
        switch reference {
        case .asRecorded: (kind, self.labels) = (.none, labels)
        case .average: (kind, self.labels) = (.average(labels.count), labels)
        case .electrodes(let names):
            guard !names.isEmpty else { throw .empty }
            var found: [Int] = []
            for name in names { found.append(try index(name)) }
            (kind, self.labels) = (.mean(found), labels)
        case .bipolar(let pairs):
            guard !pairs.isEmpty else { throw .empty }
            var found: [(Int, Int)] = []
            for pair in pairs { found.append((try index(pair.first), try index(pair.second))) }
            (kind, self.labels) = (.pairs(found), pairs.map { "\($0.first)-\($0.second)" })
        }
    }

    /// Whether a channel that comes out is what all are measured against, and so 0 whatever the brain does.
    public func isReference(_ channel: Int) -> Bool {
        switch kind {
        case .none: false
        case .average(let count): count == 1
        case .mean(let channels): channels.allSatisfy { $0 == channel }
        case .pairs(let pairs): pairs[channel].0 == pairs[channel].1
        }
    }

    /// Whether channels are measured against the mean of all, which can do without some of them.
    public var isAverage: Bool { if case .average = kind { true } else { false } }

    /// Which of the channels that go in are needed for one that comes out. An average can do without any but the channel
    /// itself.
    public func sources(of channel: Int) -> [Int] {
        switch kind {
        case .none, .average: [channel]
        case .mean(let channels): [channel] + channels.filter { $0 != channel }
        case .pairs(let pairs): [pairs[channel].0, pairs[channel].1]
        }
    }

    /// The block against its new reference. A missing sample (NaN) is left out of a mean and spoils a difference.
    public func apply(_ block: SampleBlock) -> SampleBlock {
        switch kind {
        case .none: return block
        case .average(let count): return minusMean(block, Array(0..<count))
        case .mean(let channels): return minusMean(block, channels)
        case .pairs(let pairs):
            var samples: [Float] = []
            samples.reserveCapacity(pairs.count * block.frameCount)
            for (first, second) in pairs {
                let (a, b) = (block.range(ofChannel: first), block.range(ofChannel: second))
                samples += zip(block.samples[a], block.samples[b]).map { $0 - $1 }
            }
            return SampleBlock(channelCount: pairs.count, samples: samples)
        }
    }

    private func minusMean(_ block: SampleBlock, _ channels: [Int]) -> SampleBlock {
        var result = block
        let frames = block.frameCount
        for frame in 0..<frames {
            var (sum, count) = (0.0, 0.0)
            for channel in channels {
                let value = block.samples[channel * frames + frame]
                if value.isFinite { (sum, count) = (sum + Double(value), count + 1) }
            }
            let mean = count > 0 ? Float(sum / count) : .nan
            for channel in 0..<block.channelCount { result.samples[channel * frames + frame] -= mean }
        }
        return result
    }
}
