import Foundation

/// How far a batch has come, in words. What remains is reckoned by the sizes of the recordings.
public struct BatchProgress: Sendable {
    private let total: Int
    private let totalBytes: Int
    /// The stems of what has not come to its end.
    private var open: Set<String>
    private var ended = 0
    private var failed = 0
    private var endedBytes = 0

    /// Nothing of `work` is done: what is to be computed, whether or not it failed before.
    public init(_ work: [UnitPlan]) {
        total = work.count
        totalBytes = work.reduce(0) { $0 + $1.unit.bytes }
        open = Set(work.map(\.unit.stem))
    }

    /// A recording came to its end. One that has done so already, or was not to be computed, does not count.
    public mutating func end(_ plan: UnitPlan, _ state: UnitState) {
        guard open.remove(plan.unit.stem) != nil else { return }
        ended += 1
        endedBytes += plan.unit.bytes
        if state == .failed { failed += 1 }
    }

    /// The share that is done, 0…1.
    public var fraction: Double {
        totalBytes > 0 ? Double(endedBytes) / Double(totalBytes) : total > 0 ? Double(ended) / Double(total) : 1
    }

    /// Such as `12 of 48, 1 failed, 3.1 a second, 12 s left`.
    /// - Parameter elapsed: seconds since it began.
    public func text(after elapsed: Double) -> String {
        var parts = ["\(ended) of \(total)"]
        if failed > 0 { parts.append("\(failed) failed") }
        if ended > 0, elapsed > 0 {
            let rate = Double(ended) / elapsed
            parts.append(
                rate >= 1 ? String(format: "%.1f a second", rate) : String(format: "%.1f a minute", rate * 60))
            if ended < total, fraction > 0 {
                parts.append(Self.duration(elapsed * (1 - fraction) / fraction) + " left")
            }
        }
        return parts.joined(separator: ", ")
    }

    private static func duration(_ seconds: Double) -> String {
        switch seconds {
        case ..<90: "\(Int(seconds.rounded(.up))) s"
        case ..<5_400: "\(Int((seconds / 60).rounded())) min"
        default: String(format: "%.1f h", seconds / 3_600)
        }
    }
}
