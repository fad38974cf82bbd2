import Signals

/// Joins packets of several channels that share a counter into rounds, and rounds into a stream with indices.
///
/// A round is handed out when every channel that can be expected has come, or when the next one begins; channels that
/// did not come are NaN. A channel that was silent for eight rounds is not waited for.
struct RoundAssembler: Sendable {
    private let stream: String
    private let channelCount: Int
    private let frameCount: Int
    private var counter: PacketCounter
    private var samples: [Float]
    private var silence: [Int]
    private var present: UInt64 = 0
    private var isOpen = false
    /// When the present round's first packet arrived.
    private var arrival: Seconds = 0
    /// Index of the present round's first frame.
    private var index = 0
    private var isRestarted: Bool
    private var hasStarted = false

    private static let longestSilence = 8

    /// Rounds of `frameCount` frames of `channelCount` channels (at most 64), `period` seconds apart.
    init(
        stream: String, channelCount: Int, frameCount: Int, period: Seconds, modulus: Int = 65_536,
        isResumed: Bool = false
    ) {
        self.stream = stream
        self.channelCount = channelCount
        self.frameCount = frameCount
        counter = PacketCounter(modulus: modulus, period: period)
        samples = Array(repeating: .nan, count: channelCount * frameCount)
        silence = Array(repeating: 0, count: channelCount)
        isRestarted = isResumed
    }

    /// Takes a packet; returns what is wrong with one that has to be left out.
    mutating func take(
        _ values: [Float], channel: Int, counter value: Int, at moment: Seconds,
        into actions: inout [ConversationAction]
    ) -> String? {
        guard values.count == frameCount else { return "a packet of \(values.count) samples" }
        switch counter.step(value, at: moment) {
        case .late: return "the packet came too late"
        case .same:
            guard isOpen else { return "the packet came twice or too late" }
            guard present & (1 << UInt64(channel)) == 0 else { return "the packet came twice" }
        case .next(let lost):
            finish(into: &actions)
            index += (lost + 1) * frameCount
            (isOpen, arrival) = (true, moment)
        case .restarted:
            finish(into: &actions)
            index = 0
            isRestarted = isRestarted || hasStarted
            (isOpen, arrival) = (true, moment)
        }
        hasStarted = true
        present |= 1 << UInt64(channel)
        for frame in 0..<frameCount { samples[channel * frameCount + frame] = values[frame] }
        let isComplete = (0..<channelCount).allSatisfy {
            present & (1 << UInt64($0)) != 0 || silence[$0] >= Self.longestSilence
        }
        if isComplete { finish(into: &actions) }
        return nil
    }

    /// Hands out the round that is not complete.
    mutating func finish(into actions: inout [ConversationAction]) {
        guard isOpen else { return }
        isOpen = false
        for channel in 0..<channelCount {
            silence[channel] = present & (1 << UInt64(channel)) != 0 ? 0 : silence[channel] + 1
        }
        present = 0
        let block = SampleBlock(channelCount: channelCount, samples: samples)
        actions.emit(
            .samples(
                DeviceSamples(stream: stream, index: index, block: block, arrival: arrival, restarted: isRestarted)))
        isRestarted = false
        for place in samples.indices { samples[place] = .nan }
    }
}
