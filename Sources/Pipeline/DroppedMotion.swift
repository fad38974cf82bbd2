import Motion
import Quality
import Signals

/// A row that quality may drop, in part or as a whole.
protocol DroppableRow: Sendable {
    var onset: Seconds { get }
    var duration: Seconds { get }
    var coverage: Double { get set }
    var isDropped: Bool { get set }

    /// Takes out what quality drops.
    /// - Parameter share: the share of the row that this is, 0…1.
    mutating func takeOut(_ drops: QualityDrops, share: Double)
}

extension TemperatureWindow: DroppableRow {
    mutating func takeOut(_ drops: QualityDrops, share: Double) { coverage *= 1 - share }
}

extension MotionEpoch: DroppableRow {
    /// What adds up over time is told of what is covered alone.
    mutating func takeOut(_ drops: QualityDrops, share: Double) {
        if share >= 0.5 {
            coverage *= 1 - share
        } else if share > 0 {
            takeOut(where: { drops.drops($0) })
        }
        moments = []
    }
}

extension UnjudgedRows where Row: DroppableRow {
    /// The rows whose quality is known by now, at the end all: what quality drops is not covered, and where that is half
    /// of a row or more, the row is dropped.
    mutating func marked(by drops: QualityDrops, isEnd: Bool) -> [Row] {
        judged(by: drops, isEnd: isEnd) { $0.onset + $0.duration }.map { row in
            var row = row
            let share = drops.share(from: row.onset, to: row.onset + row.duration)
            row.takeOut(drops, share: share)
            row.isDropped = share >= 0.5
            return row
        }
    }
}

extension QualityWindow {
    /// Whether a row about acceleration may use it: missing samples are not covered there anyway, and that nothing moves
    /// is what the row tells.
    var suitsMotion: Bool { isGood || reasons.allSatisfy { [.gap, .flat].contains($0) } }

    /// Whether a row about temperature may use it: missing samples are not covered there anyway, and that the sensor is
    /// off the body is what the row tells. Noise may look like that.
    var suitsTemperature: Bool {
        let told: [QualityReason] = reasons.contains(.offBody) ? [.gap, .offBody, .implausibleChange] : [.gap]
        return isGood || reasons.allSatisfy { told.contains($0) }
    }
}
