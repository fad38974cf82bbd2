import Kernels
public import Signals

/// Watches whether an EEG is as large as its unit says: a file in volts whose header says microvolts, and the like.
///
/// An EEG varies by 1 to some 100 µV within a second on every electrode and machine, so a signal a thousand times
/// smaller or larger is not one in this unit. Judged on the first `seconds` seconds in which something changes.
public struct EEGUnitCheck: Sendable {
    /// What was found.
    public enum Verdict: Hashable, Sendable {
        /// Too little signal so far.
        case undecided
        /// As large as an EEG, with its standard deviation within a second in µV.
        case plausible(Double)
        /// Far too small or large: what it would be in µV by its declared unit, and the unit that would explain it,
        /// nil where none does.
        case implausible(Double, suggests: Unit?)
    }

    /// Seconds of changing signal that are looked at.
    public static let seconds = 10
    /// Standard deviations within a second, in µV, that an EEG can have: beyond, the unit is doubted.
    public static let plausible = 0.3...3_000.0

    private let factor: Double
    private let second: Int
    private var pending: [[Double]]
    private var deviations: [Double] = []
    private var verdictGiven: Verdict = .undecided

    /// A check of samples in `unit` at `sampleRate` Hz.
    public init(unit: Unit, sampleRate: Double, channels: Int) {
        factor = unit.factor(to: .microvolts) ?? 1
        second = max(2, Int(min(max(sampleRate, 2), 1e6).rounded()))
        pending = Array(repeating: [], count: max(1, channels))
    }

    /// What has been found so far; it stands once it is not `undecided`.
    public var verdict: Verdict { verdictGiven }

    /// What has been found in what there was: a judgement on less than `seconds` seconds, if on any.
    public var verdictSoFar: Verdict {
        verdictGiven == .undecided && !deviations.isEmpty ? Self.judge(deviations, factor: factor) : verdictGiven
    }

    /// Looks at the next samples, in the stream's unit.
    public mutating func push(_ block: SampleBlock) {
        guard verdictGiven == .undecided, block.channelCount == pending.count else { return }
        var first = 0
        while first < block.frameCount, verdictGiven == .undecided {
            let count = min(second - pending[0].count, block.frameCount - first)
            for channel in pending.indices {
                let start = channel * block.frameCount + first
                pending[channel] += block.samples[start..<start + count].map(Double.init)
            }
            first += count
            if pending[0].count == second { closeSecond() }
        }
    }

    private mutating func closeSecond() {
        let spreads = pending.compactMap { samples -> Double? in
            let spread = Statistics.standardDeviation(samples.filter(\.isFinite))
            return spread > 0 ? spread * factor : nil
        }
        for channel in pending.indices { pending[channel].removeAll(keepingCapacity: true) }
        guard !spreads.isEmpty else { return }
        deviations.append(Statistics.median(spreads))
        if deviations.count == Self.seconds { verdictGiven = Self.judge(deviations, factor: factor) }
    }

    private static func judge(_ deviations: [Double], factor: Double) -> Verdict {
        let usual = Statistics.median(deviations)
        if plausible.contains(usual) { return .plausible(usual) }
        let units: [Unit] = [.volts, .millivolts, .microvolts, .nanovolts]
        let explanations = units.compactMap { unit in
            unit.factor(to: .microvolts).map { (unit: unit, spread: usual / factor * $0) }
        }
        // Of those that fit, the one that makes it an ordinary EEG of 15 µV.
        let best = explanations.filter { plausible.contains($0.spread) }
            .min { distance($0.spread) < distance($1.spread) }
        return .implausible(usual, suggests: best?.unit)
    }

    /// By which factor a spread is off an ordinary one.
    private static func distance(_ microvolts: Double) -> Double { max(microvolts / 15, 15 / microvolts) }
}

extension EEGUnitCheck.Verdict {
    /// What to tell the user of a stream that is declared to be in `unit`; nil where nothing is wrong.
    public func doubt(declared unit: Unit) -> String? {
        guard case .implausible(let found, let suggestion) = self else { return nil }
        let size = found < 0.001 || found >= 100_000 ? "\(found)" : "\((found * 1000).rounded() / 1000)"
        let cause = suggestion.map { "as if its numbers were \($0)" } ?? "which no unit of voltage explains"
        return "declared in \(unit), the signal varies by \(size) µV within a second, \(cause); "
            + "an EEG varies by 1 to some 100 µV"
    }
}
