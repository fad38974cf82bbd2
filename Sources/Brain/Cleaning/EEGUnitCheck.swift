import Kernels
public import Signals

/// Watches whether an EEG is as large as its unit says: a file in volts whose header says microvolts, and the like.
///
/// An EEG varies by 1 to some 100 µV within a second on every electrode and machine, with artefacts by more: a signal that
/// varies by less than 0.3 or more than 3,000 µV is not one in this unit. Judged on the first `seconds` seconds in which something changes.
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

    private let factors: [Double]
    /// The unit of all channels; nil where they have several.
    private let unit: Unit?
    private let second: Int
    private var pending: [[Double]]
    private var deviations: [Double] = []
    private var verdictGiven: Verdict = .undecided

    /// A check of samples in `unit` at `sampleRate` Hz.
    public init(unit: Unit, sampleRate: Double, channels: Int) {
        self.init(units: Array(repeating: unit, count: max(1, channels)), sampleRate: sampleRate)
    }

    /// A check of samples at `sampleRate` Hz whose channels are in `units`.
    public init(units: [Unit], sampleRate: Double) {
        factors = units.map { $0.factor(to: .microvolts) ?? 1 }
        unit = Set(units).count == 1 ? units.first : nil
        second = max(2, Int(min(max(sampleRate, 2), 1e6).rounded()))
        pending = Array(repeating: [], count: max(1, units.count))
    }

    /// What has been found so far; it stands once it is not `undecided`.
    public var verdict: Verdict { verdictGiven }

    /// What has been found in what there was: a judgement on less than `seconds` seconds, if on any.
    public var verdictSoFar: Verdict {
        verdictGiven == .undecided && !deviations.isEmpty ? judge(deviations) : verdictGiven
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
        let spreads = pending.enumerated().compactMap { channel, samples -> Double? in
            let spread = Statistics.standardDeviation(samples.filter(\.isFinite))
            return spread > 0 ? spread * (factors.indices.contains(channel) ? factors[channel] : 1) : nil
        }
        for channel in pending.indices { pending[channel].removeAll(keepingCapacity: true) }
        guard !spreads.isEmpty else { return }
        deviations.append(Statistics.median(spreads))
        if deviations.count == Self.seconds { verdictGiven = judge(deviations) }
    }

    private func judge(_ deviations: [Double]) -> Verdict {
        let usual = Statistics.median(deviations)
        if Self.plausible.contains(usual) { return .plausible(usual) }
        guard unit != nil, let factor = factors.first else { return .implausible(usual, suggests: nil) }
        let units: [Unit] = [.volts, .millivolts, .microvolts, .nanovolts]
        let explanations = units.compactMap { unit in
            unit.factor(to: .microvolts).map { (unit: unit, spread: usual / factor * $0) }
        }
        // Of those that fit, the one that makes it an ordinary EEG of 15 µV.
        let best = explanations.filter { Self.plausible.contains($0.spread) }
            .min { Self.distance($0.spread) < Self.distance($1.spread) }
        return .implausible(usual, suggests: best?.unit)
    }

    /// By which factor a spread is off an ordinary one.
    private static func distance(_ microvolts: Double) -> Double { max(microvolts / 15, 15 / microvolts) }
}

extension EEGUnitCheck.Verdict {
    /// What to tell the user of a stream that is declared to be in `unit`; nil where nothing is wrong.
    public func doubt(declared unit: Unit) -> String? {
        guard case .implausible(let found, let suggestion) = self else { return nil }
        let size =
            found < 0.001 || found >= 100_000 ? "\(Float(found))" : "\((found * 1000).rounded() / 1000)"
        let cause = suggestion.map { "as if its numbers were \($0)" } ?? "which no one unit of voltage explains"
        let declared = unit == .unknown ? "in no unit" : "in \(unit)"
        let plausible = EEGUnitCheck.plausible
        return "declared \(declared), the signal varies by \(size) µV within a second, \(cause); "
            + "an EEG varies by \(plausible.lowerBound) to \(Int(plausible.upperBound)) µV"
    }
}
