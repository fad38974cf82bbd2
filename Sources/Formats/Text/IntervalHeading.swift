import Foundation
import Signals

/// What the name of a column says of whether its numbers are RR intervals.
enum IntervalHeading {
    /// That they are: `RR (ms)`, `ibi_s`, `R-R interval`.
    case intervals
    /// That they may be: `interval`, `PPI (ms)`.
    case possibly
    /// That they are something else: `ECG [mV]`, `pressure [hPa]`, `RR [breaths/min]`.
    case otherSignal
    /// Nothing: `value`, `Rest (1)`.
    case nothing

    /// Only what can hardly be meant otherwise is another signal: what stands above a column of intervals may also be
    /// a condition, a person, or the sensor that they come from.
    init(_ name: String) {
        let tokens = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        let words = tokens.map { $0.prefix(through: $0.lastIndex(where: \.isLetter) ?? $0.startIndex) }
        let unit = Self.unit(name)
        let isIntervals = Self.isIntervals(name, words)
        // Whoever calls a column RR and its unit mS means ms.
        if let unit, Self.isNoTime(unit), !(isIntervals && unit == "mS") {
            self = .otherSignal
        } else if isIntervals, (tokens + words).contains(where: Self.statistics.contains) {
            self = .otherSignal
        } else if isIntervals {
            self = .intervals
        } else if words.contains(where: { $0.hasPrefix("interval") || Self.pulseNames.contains($0) }) {
            self = .possibly
        } else if let kind = SignalKind.said(by: name), Self.signals.contains(kind),
            !["s", "sec", "ms", "msec"].contains(unit)
        {
            self = .otherSignal
        } else {
            self = .nothing
        }
    }

    private static func isIntervals(_ name: String, _ words: [Substring]) -> Bool {
        let lower = name.lowercased()
        return words.contains(where: names.contains) && !words.contains("time")
            || zip(words, words.dropFirst()).contains { $0 == "r" && $1 == "r" }
            || lower.hasPrefix("rr interval") || lower.hasPrefix("rr-interval")
    }

    private static let names: Set<Substring> = [
        "rr", "rri", "rrs", "ibi", "ibis", "nn", "nni", "nns", "rrinterval", "rrintervals", "nninterval", "nnintervals",
    ]
    private static let pulseNames: Set<Substring> = ["ppi", "ppis", "ppinterval", "ppintervals", "ppinms", "ppms"]
    /// What makes of intervals an index of their variability: `mean RR`, `HRV_Prc80NN`.
    private static let statistics: Set<Substring> = [
        "hrv", "mean", "avg", "average", "median", "min", "max", "minimum", "maximum", "sd", "std", "var", "cv", "iqr",
        "mad", "range", "count", "percentile", "nn20", "nn50",
    ]
    private static let signals: Set<StreamKind> = [.ecg, .eeg, .bvp, .eda, .temperature]

    /// What may be a unit: what stands in brackets, or last. A single character rather numbers or tells apart.
    private static func unit(_ name: String) -> String? {
        let text =
            DelimitedTime.bracketed(name) ?? name.split { $0 == "_" || $0 == " " }.dropFirst().last.map(String.init)
        return text.flatMap { $0.count > 1 ? $0 : nil }
    }

    private static func isNoTime(_ text: String) -> Bool {
        let (unit, lower) = (Signals.Unit(text), text.lowercased())
        let others: [Signals.Unit] = [.volts, .microsiemens, .g, .hertz, .percent, .degreesCelsius]
        return others.contains { unit.factor(to: $0) != nil } || spellings.contains(lower)
            || ["/min", "ohm"].contains { lower.hasSuffix($0) }
    }

    /// Units that `Unit` does not know, in lower case.
    private static let spellings: Set<String> = [
        "kω", "mω", "pa", "hpa", "kpa", "bar", "mbar", "mmhg", "cmh2o", "ppm", "ppb", "lux", "rpm", "°f", "degf",
        "mdegc", "nm", "mol",
    ]
}
