import Signals

/// Joins packets of several channels that share a counter into rounds, and rounds into a stream with indices.
///
/// Each channel's packets come in order, but those of one channel may be ahead of another's by some rounds: a computer
/// that is busy reads them one channel after the other. So a round is handed out when every channel has come or went on
/// to a later round; channels that did not come are NaN. A channel that is silent is waited for as long as eight rounds
/// take, and after eight rounds no more. A packet whose counter does not fit is held until the next round tells whether the
/// counter began anew with it.
struct RoundAssembler: Sendable {
    /// Packets with one counter.
    private struct Round: Sendable {
        /// Of its first frame.
        let index: Int
        /// When its first packet arrived.
        let arrival: Seconds
        var present: UInt64 = 0
        var samples: [Float]
    }

    /// A packet whose counter does not fit those before it.
    private struct Stray: Sendable {
        let values: [Float]
        let channel: Int
        let counter: Int
        let arrival: Seconds
    }

    private let stream: String
    private let channelCount: Int
    private let frameCount: Int
    private let patience: Seconds
    private let modulus: Int
    private var counter: PacketCounter
    /// Rounds that are not handed out, in their order.
    private var pending: [Round] = []
    /// Index of the newest round that began.
    private var newest = 0
    /// Index of the last round handed out; below 0 before the first.
    private var last: Int
    /// Index of the newest round each channel came to.
    private var reached: [Int]
    /// Rounds in a row that each channel was missing from.
    private var silence: [Int]
    /// Those since the last that fits, in a row.
    private var strays: [Stray] = []
    private var isRestarted: Bool
    private var hasStarted = false

    private static let longestSilence = 8
    private static let mostPending = 64

    /// Rounds of `frameCount` frames of `channelCount` channels (at most 64), `period` seconds apart.
    init(
        stream: String, channelCount: Int, frameCount: Int, period: Seconds, modulus: Int = 65_536,
        isResumed: Bool = false
    ) {
        self.stream = stream
        self.channelCount = channelCount
        self.frameCount = frameCount
        patience = Double(Self.longestSilence) * period
        self.modulus = modulus
        counter = PacketCounter(modulus: modulus, period: period)
        last = -frameCount
        reached = Array(repeating: -frameCount, count: channelCount)
        silence = Array(repeating: 0, count: channelCount)
        isRestarted = isResumed
    }

    /// Takes a packet; returns what is wrong with one that has to be left out.
    mutating func take(
        _ values: [Float], channel: Int, counter value: Int, at moment: Seconds,
        into actions: inout [ConversationAction]
    ) -> String? {
        guard values.count == frameCount else { return "a packet of \(values.count) samples" }
        let index: Int
        switch counter.step(value, at: moment) {
        case .doubtful:
            hold(Stray(values: values, channel: channel, counter: value, arrival: moment), into: &actions)
            return nil
        case .late(let count): index = newest - count * frameCount
        case .same:
            dropStrays(into: &actions)
            index = newest
        case .next(let lost):
            dropStrays(into: &actions)
            newest += (lost + 1) * frameCount
            index = newest
        case .restarted: index = restart(at: value, into: &actions)
        }
        hasStarted = true
        return put(values, channel, at: index, moment, into: &actions)
    }

    /// Puts a packet into its round.
    private mutating func put(
        _ values: [Float], _ channel: Int, at index: Int, _ moment: Seconds, into actions: inout [ConversationAction]
    ) -> String? {
        guard index > last else {
            // A channel that was silent is back.
            silence[channel] = 0
            return "the packet came twice or too late"
        }
        let place = self.place(of: index, at: moment)
        guard pending[place].present & (1 << UInt64(channel)) == 0 else { return "the packet came twice" }
        pending[place].present |= 1 << UInt64(channel)
        for frame in 0..<frameCount { pending[place].samples[channel * frameCount + frame] = values[frame] }
        reached[channel] = max(reached[channel], index)
        while let first = pending.first, isSettled(first, at: moment) { handOut(into: &actions) }
        return nil
    }

    /// Hands out all rounds, complete or not.
    mutating func finish(into actions: inout [ConversationAction]) {
        dropStrays(into: &actions)
        while !pending.isEmpty { handOut(into: &actions) }
    }

    /// The counter began anew with the packets that are held, before that of `value`.
    /// - Returns: index of the latter's round.
    private mutating func restart(at value: Int, into actions: inout [ConversationAction]) -> Int {
        let begun = strays
        strays = []
        finish(into: &actions)
        last = -frameCount
        for channel in reached.indices { reached[channel] = -frameCount }
        isRestarted = isRestarted || hasStarted
        let first = begun.first?.counter ?? value
        newest = distance(from: first, to: value) * frameCount
        for stray in begun {
            let index = distance(from: first, to: stray.counter) * frameCount
            if put(stray.values, stray.channel, at: index, stray.arrival, into: &actions) != nil {
                tell(stray, into: &actions)
            }
        }
        return newest
    }

    private func distance(from first: Int, to counter: Int) -> Int { (counter - first + modulus) % modulus }

    // MARK: packets that do not fit

    private mutating func hold(_ stray: Stray, into actions: inout [ConversationAction]) {
        if let first = strays.first, distance(from: first.counter, to: stray.counter) > Self.longestSilence {
            dropStrays(into: &actions)
        }
        strays.append(stray)
    }

    private mutating func dropStrays(into actions: inout [ConversationAction]) {
        for stray in strays { tell(stray, into: &actions) }
        strays = []
    }

    private func tell(_ stray: Stray, into actions: inout [ConversationAction]) {
        let problem = "the counter \(stray.counter) of a packet does not follow those before it"
        actions.emit(.malformed(MalformedMessage(place: stream, problem: problem, bytes: [])))
    }

    // MARK: rounds

    /// The round's place among those pending, where it may have to be begun.
    private mutating func place(of index: Int, at moment: Seconds) -> Int {
        let place = pending.lastIndex { $0.index <= index } ?? -1
        if place >= 0, pending[place].index == index { return place }
        let samples = [Float](repeating: .nan, count: channelCount * frameCount)
        pending.insert(Round(index: index, arrival: moment, samples: samples), at: place + 1)
        return place + 1
    }

    private func isSettled(_ round: Round, at moment: Seconds) -> Bool {
        if pending.count > Self.mostPending || moment - round.arrival >= patience { return true }
        return (0..<channelCount).allSatisfy { channel in
            round.present & (1 << UInt64(channel)) != 0 || silence[channel] >= Self.longestSilence
                || reached[channel] > round.index
        }
    }

    private mutating func handOut(into actions: inout [ConversationAction]) {
        let round = pending.removeFirst()
        last = round.index
        for channel in 0..<channelCount {
            silence[channel] = round.present & (1 << UInt64(channel)) != 0 ? 0 : silence[channel] + 1
        }
        let block = SampleBlock(channelCount: channelCount, samples: round.samples)
        actions.emit(
            .samples(
                DeviceSamples(
                    stream: stream, index: round.index, block: block, arrival: round.arrival, restarted: isRestarted)))
        isRestarted = false
    }
}
