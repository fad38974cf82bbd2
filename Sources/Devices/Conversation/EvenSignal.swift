import Formats
import Signals

/// The samples of a device that sends neither a rate nor a counter, such as an ECG board that sends text.
///
/// The first ten seconds decide (`EvenPace`). Samples that come evenly become a regular stream at the rate of their stamps, in
/// order and counted (`LSLFrames`); others keep their stamps. Everything is also handed out as it was received. The stamps are
/// the device's, or the moments of arrival where samples have no stamps.
struct EvenSignal: Sendable {
    /// A sample, the moment of its arrival on the host's clock and its stamp on the device's, in seconds.
    struct Sample: Sendable {
        var value: Double
        var arrival: Seconds
        var stamp: Seconds?
    }

    private enum Phase {
        case undecided(UndecidedRows)
        case even(LSLFrames)
        case uneven
    }

    /// The stream, without a rate.
    private let stream: DeviceStream
    private let subject: String
    private var phase = Phase.undecided(UndecidedRows())
    /// True while the device's stamps are used.
    private var hasStamps = false
    /// Seconds from the stamps to the host's clock, by the first sample of the connection.
    private var offset: Seconds?
    private var last: (stamp: Seconds, arrival: Seconds)?
    private var isAnnounced = false
    private var wasDeclared = false

    /// The signal of `stream`, an irregular one of one channel; `subject` begins the notes on it.
    init(_ stream: DeviceStream, _ subject: String) {
        (self.stream, self.subject) = (stream, subject)
    }

    /// A connection begins: samples have no known distance to those before.
    mutating func restart(into actions: inout [ConversationAction]) {
        (offset, last) = (nil, nil)
        hand(into: &actions) { $0.restart(into: &$1) }
    }

    /// Takes samples in the order of their arrival.
    mutating func take(_ samples: [Sample], at moment: Seconds, into actions: inout [ConversationAction]) {
        guard let first = samples.first else { return }
        if offset == nil {
            if isFresh { hasStamps = first.stamp != nil }
            offset = hasStamps ? first.stamp.map { first.arrival - $0 } ?? 0 : 0
        }
        let rows = samples.map { sample in
            let stamp = stamp(of: sample)
            return (stamp: stamp, raw: stamp, values: [sample.value, sample.arrival])
        }
        keep(rows, into: &actions)
        switch phase {
        case .undecided(var undecided):
            let isDecided = undecided.take(rows, at: moment, into: &actions)
            phase = .undecided(undecided)
            if isDecided { decide(isFinal: true, into: &actions) }
        case .even, .uneven: place(rows, into: &actions)
        }
    }

    /// The moment at which the samples so far decide; nil where nothing is undecided.
    var due: Seconds? { if case .undecided(let undecided) = phase { undecided.due } else { nil } }

    /// Decides about samples that stopped within their first ten seconds.
    mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {
        guard let due, moment >= due else { return }
        decide(isFinal: true, into: &actions)
    }

    /// The connection ends: hands out what is held. Samples of less than ten seconds decide for themselves alone.
    mutating func settle(into actions: inout [ConversationAction]) {
        if case .undecided(let undecided) = phase, !undecided.rows.isEmpty {
            decide(isFinal: undecided.isComplete, into: &actions)
        }
        hand(into: &actions) { $0.settle(into: &$1) }
    }

    private var isFresh: Bool { if case .undecided(let undecided) = phase { undecided.rows.isEmpty } else { false } }

    private mutating func stamp(of sample: Sample) -> Seconds {
        guard hasStamps else { return sample.arrival }
        let stamp =
            sample.stamp ?? last.map { $0.stamp + sample.arrival - $0.arrival } ?? sample.arrival - (offset ?? 0)
        last = (stamp, sample.arrival)
        return stamp
    }

    private mutating func keep(_ rows: [UndecidedRows.Row], into actions: inout [ConversationAction]) {
        if !isAnnounced {
            isAnnounced = true
            actions.emit(.receives(LSLStreamInfo(stream, sourceID: "")))
        }
        actions.emit(
            .received(
                ReceivedRows(
                    stream: stream.header.name, stamps: rows.map(\.stamp), values: .doubles(rows.map { $0.values[0] }),
                    offset: offset ?? 0)))
    }

    // MARK: the decision

    private mutating func decide(isFinal: Bool, into actions: inout [ConversationAction]) {
        guard case .undecided(let undecided) = phase else { return }
        var declared = stream
        declared.clock = hasStamps ? .deviceTime : .host
        if let rate = undecided.rate {
            (declared.header.sampleRate, declared.pace) = (rate, nil)
            phase = .even(
                LSLFrames(stream: stream.id, rate: rate, .double, isRestarted: wasDeclared))
        } else {
            phase = .uneven
        }
        wasDeclared = true
        actions.emit(.stream(declared))
        if let note = undecided.note(subject) { actions.emit(.log(note)) }
        place(undecided.rows, into: &actions)
        if case .uneven = phase, !isFinal { phase = .undecided(UndecidedRows()) }
    }

    private mutating func place(_ rows: [UndecidedRows.Row], into actions: inout [ConversationAction]) {
        guard case .even = phase else {
            let values = rows.map { DeviceValue([$0.values[0]], deviceTime: $0.stamp) }
            return actions.emit(.values(stream: stream.id, values))
        }
        hand(into: &actions) { frames, finished in
            for row in rows {
                frames.add(row.values, at: row.stamp, raw: row.raw, into: &finished)
                // Each with its own arrival, by which the device's clock is fitted.
                frames.flush(into: &finished)
            }
        }
    }

    private mutating func hand(
        into actions: inout [ConversationAction], _ body: (inout LSLFrames, inout [LSLFrames.Piece]) -> Void
    ) {
        guard case .even(var frames) = phase else { return }
        var finished: [LSLFrames.Piece] = []
        body(&frames, &finished)
        frames.flush(into: &finished)
        phase = .even(frames)
        for piece in finished {
            switch piece {
            case .samples(let samples): actions.emit(.samples(Self.samples(samples)))
            case .jumped(let seconds): actions.emit(.status(.clockJump(stream: stream.id, by: seconds)))
            }
        }
    }

    /// Samples without the channel of their arrivals.
    private static func samples(_ both: DeviceSamples) -> DeviceSamples {
        var samples = both
        samples.block = both.block.channels([0])
        samples.arrival = both.doubles?.last
        samples.doubles = nil
        return samples
    }
}
