import Foundation
import Kernels
public import Signals

/// Tells sleep from wake by a body-worn accelerometer: the hand, or head, of a sleeper keeps its angle.
///
/// Van Hees et al. 2015, PLoS ONE 10:e0142533: the angle of the z axis to the horizontal, from means of five seconds; where it does not
/// change by more than 5° from one mean to the next for five minutes or more, somebody sleeps. Who lies awake without
/// a move counts as asleep, as in every actigraphy. A sensor that does not move at all for an hour (standard deviation
/// below 13 mg and range below 50 mg in two axes; van Hees et al. 2013, PLoS ONE 8:e61691, with both conditions as GGIR
/// asks them; the first paper, of 2011, took 3 mg and half an hour) is not worn. Quiet minutes do not go on over a gap.
public struct InactivitySleep: BlockStage, Sendable {
    /// Seconds of a mean.
    private static let piece = 5.0
    /// Pieces without a turn that are sleep: five minutes.
    private static let quiet = 60
    /// Pieces over which a sensor that is worn moves: an hour.
    private static let worn = 720

    /// Five seconds.
    private struct Piece: Sendable {
        var onset: Seconds
        /// Angle in degrees; nil where samples are missing.
        var angle: Double?
        var lowest: [Double]
        var highest: [Double]
        var sum: [Double]
        var squares: [Double]
        var count: Double
        var isQuiet = false
        var isWorn = true
    }

    private var epocher: Epocher
    private let factors: [Double]
    private let vertical: Int
    private var pending: [Epoch] = []
    /// Pieces not given yet, and those of the last hour.
    private var pieces: [Piece] = []
    private var given = 0
    /// How many of the last pieces of the run follow each other without a turn.
    private var still = 0

    /// A stage for an accelerometer with these channels at `sampleRate` Hz; its last axis is the one at right angles to
    /// the skin.
    public init(channels: [Channel], sampleRate: Double) {
        factors = channels.map { $0.unit.factor(to: .g) ?? 1 }
        vertical = channels.count - 1
        epocher = Epocher(
            channels: channels.count, sampleRate: sampleRate,
            parameters: EpochParameters(length: Self.piece, step: Self.piece))
    }

    /// Seconds of signal between a frame and the last output that depends on it: an hour for sensors that are not worn.
    public var lookAhead: Seconds { Self.piece * Double(Self.worn + 7) }

    /// A contiguous run begins; the one before ends.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [SleepEpoch]) {
        epocher.begin(segment, into: &pending)
        take(into: &outputs, isEnd: false)
    }

    /// The next frames of the run, in the stream's unit.
    public mutating func push(_ block: SampleBlock, into outputs: inout [SleepEpoch]) {
        epocher.push(block, into: &pending)
        take(into: &outputs, isEnd: false)
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [SleepEpoch]) {
        epocher.finish(into: &pending)
        take(into: &outputs, isEnd: true)
        pieces.removeAll()
        (given, still) = (0, 0)
    }

    private mutating func take(into outputs: inout [SleepEpoch], isEnd: Bool) {
        for epoch in pending { add(piece(epoch)) }
        pending.removeAll(keepingCapacity: true)
        giveOut(isEnd: isEnd, into: &outputs)
    }

    private func piece(_ epoch: Epoch) -> Piece {
        let axes = (0..<epoch.channelCount).map { axis in epoch.channel(axis).map { Double($0) * factors[axis] } }
        var piece = Piece(
            onset: epoch.onset, angle: nil, lowest: axes.map { $0.min() ?? 0 }, highest: axes.map { $0.max() ?? 0 },
            sum: axes.map(Statistics.sum), squares: axes.map { Statistics.sum($0.map { $0 * $0 }) },
            count: Double(epoch.frameCount))
        let means = piece.sum.map { $0 / piece.count }
        let size = means.reduce(0) { $0 + $1 * $1 }.squareRoot()
        if epoch.frameCount > 0, size.isFinite, size > 0.1 {
            piece.angle = asin(min(max(means[vertical] / size, -1), 1)) * 180 / Double.pi
        }
        return piece
    }

    private mutating func add(_ new: Piece) {
        let follows = pieces.last.map { abs($0.onset + Self.piece - new.onset) < 0.1 } ?? false
        pieces.append(new)
        guard let angle = new.angle, follows, let before = pieces[pieces.count - 2].angle, abs(angle - before) <= 5
        else {
            still = new.angle == nil ? 0 : 1
            return
        }
        still += 1
        if still == Self.quiet {
            for index in pieces.count - still..<pieces.count { pieces[index].isQuiet = true }
        } else if still > Self.quiet {
            pieces[pieces.count - 1].isQuiet = true
        }
        markWorn()
    }

    /// The last hour, if it was recorded without a gap and the sensor did not move at all in it.
    private mutating func markWorn() {
        guard still >= Self.worn, pieces.count >= Self.worn else { return }
        let hour = pieces.suffix(Self.worn)
        let count = hour.reduce(0) { $0 + $1.count }
        let unmoved = factors.indices.count { axis in
            let (sum, squares) = hour.reduce((0.0, 0.0)) { ($0.0 + $1.sum[axis], $0.1 + $1.squares[axis]) }
            let deviation = max(0, squares / count - sum / count * (sum / count)).squareRoot()
            let low = hour.reduce(Double.infinity) { min($0, $1.lowest[axis]) }
            let high = hour.reduce(-Double.infinity) { max($0, $1.highest[axis]) }
            return deviation < 0.013 && high - low < 0.05
        }
        if unmoved >= min(2, factors.count) {
            for index in pieces.count - Self.worn..<pieces.count { pieces[index].isWorn = false }
        }
    }

    /// Gives epochs out whose pieces nothing can change any more.
    private mutating func giveOut(isEnd: Bool, into outputs: inout [SleepEpoch]) {
        guard let last = pieces.last else { return }
        let settled = isEnd ? Double.infinity : last.onset - Self.piece * Double(Self.worn)
        while given < pieces.count {
            let onset = (pieces[given].onset / SleepEpoch.length).rounded(.down) * SleepEpoch.length
            let end = pieces[given...].firstIndex { $0.onset >= onset + SleepEpoch.length } ?? pieces.count
            guard onset + SleepEpoch.length <= settled, end < pieces.count || isEnd else { break }
            outputs.append(Self.epoch(onset, pieces[given..<end]))
            given = end
        }
        let unneeded = min(given, pieces.count - Self.worn - 1)
        if unneeded > Self.worn {
            pieces.removeFirst(unneeded)
            given -= unneeded
        }
    }

    private static func epoch(_ onset: Seconds, _ pieces: ArraySlice<Piece>) -> SleepEpoch {
        guard pieces.count == 6, pieces.allSatisfy({ $0.angle != nil }) else {
            return SleepEpoch(onset: onset, reason: .gap)
        }
        guard pieces.allSatisfy(\.isWorn) else { return SleepEpoch(onset: onset, reason: .notWorn) }
        return SleepEpoch(onset: onset, asleep: 2 * pieces.count { $0.isQuiet } >= 6 ? 1 : 0)
    }
}
