import Cardiac
import Foundation
import Signals
import TestSupport

/// RR series whose truth is known, and the same with premature, missed and extra beats put in.
struct PrematureBeatSeries {
    /// What is put into a series.
    enum Kind: CaseIterable {
        /// A premature beat after which the sinus node begins anew: an interval like those before, or up to a fifth longer.
        case reset
        /// A premature beat with a pause that is not fully compensatory.
        case pause
        /// A premature beat with a fully compensatory pause.
        case compensated
        /// A premature beat without any pause.
        case noPause
        /// Two premature beats in a row, and a pause.
        case couplet
        /// Two premature beats with a normal interval between them.
        case shortNormalShort
        case missed, extra
    }

    /// The intervals in seconds, to the ms.
    private(set) var intervals: [Double]
    /// How many of them are not those of the sinus node.
    private(set) var affected = 0

    /// A rhythm of 305 s: mean 600 to 1150 ms, SDNN 6 to 80 ms, LF and HF of any share, and some VLF.
    init(_ random: inout SplitMix64) {
        func between(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
        func normal() -> Double { (-2 * log(between(1e-12...1))).squareRoot() * cos(2 * .pi * between(0...1)) }
        let mean = between(0.6...1.15)
        let sdnn = exp(between(log(0.006)...log(0.08))) * min(1, mean / 0.75)
        let shares = [between(0.15...1), between(0.15...1), between(0...0.6)]
        let sizes = shares.map { (2 * $0 / shares.reduce(0, +)).squareRoot() * sdnn }
        let rates = [between(0.07...0.12), between(0.18...0.34), between(0.005...0.03)]
        var phases = (0..<3).map { _ in between(0...(2 * .pi)) }
        let wander = between(0.02...0.25)
        intervals = []
        var time = 0.0
        while time < 306 {
            let waves = zip(sizes, phases).reduce(0) { $0 + $1.0 * sin($1.1) }
            let interval = max(0.35, mean + waves + 0.001 * normal())
            intervals.append((interval * 1000).rounded() / 1000)
            time += interval
            for (place, share) in [0.7, 1, 0].enumerated() {
                phases[place] += 2 * .pi * rates[place] * interval + wander * share * interval.squareRoot() * normal()
            }
        }
    }

    /// Puts beats of these kinds in until `share` of the intervals is affected.
    mutating func disturb(share: Double, kinds: [Kind], _ random: inout SplitMix64) {
        let wanted = Int(share * Double(intervals.count))
        var places: [Int] = []
        for _ in 0..<400 where affected < wanted {
            guard let kind = kinds.randomElement(using: &random) else { return }
            let place = Int.random(in: 6..<intervals.count - 10, using: &random)
            let width = Self.width(of: kind)
            guard affected + width <= wanted + 1, !places.contains(where: { abs($0 - place) <= 7 }) else { continue }
            let count = intervals.count
            put(kind, at: place, &random)
            let moved = intervals.count - count
            places = places.map { $0 > place ? $0 + moved : $0 } + [place]
            affected += width
        }
        intervals = intervals.map { ($0 * 1000).rounded() / 1000 }
    }

    private static func width(of kind: Kind) -> Int {
        switch kind {
        case .noPause, .missed: 1
        case .reset, .pause, .compensated, .shortNormalShort, .extra: 2
        case .couplet: 3
        }
    }

    private mutating func put(_ kind: Kind, at place: Int, _ random: inout SplitMix64) {
        func between(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
        let normal = intervals[place]
        let early = between(0.5...0.8) * normal
        switch kind {
        case .reset:
            intervals[place] = early
            intervals[place + 1] *= between(1...1.2)
        case .pause:
            intervals[place] = early
            intervals[place + 1] *= between(1.05...1.3)
        case .compensated:
            intervals[place + 1] += normal - early
            intervals[place] = early
        case .noPause: intervals[place] *= between(0.55...0.75)
        case .couplet:
            intervals[place] *= between(0.55...0.7)
            intervals[place + 1] *= between(0.45...0.65)
            intervals[place + 2] *= between(1.2...1.6)
        case .shortNormalShort:
            intervals[place] *= between(0.6...0.75)
            intervals[place + 2] *= between(0.6...0.75)
        case .missed: intervals[place] += intervals.remove(at: place + 1)
        case .extra:
            let part = between(0.25...0.75) * normal
            intervals[place] = part
            intervals.insert(normal - part, at: place + 1)
        }
    }

    /// The intervals as a series.
    var series: [IBI] {
        var series = IBISeries()
        var time = 0.0
        return intervals.compactMap { interval in
            time += interval
            return series.next(endingAt: time, duration: interval)
        }
    }
}
