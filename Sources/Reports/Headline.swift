import Signals

/// The indices a reader looks for first, and what they are called in words.
enum Headline {
    /// In the order they are shown.
    static let names = ["meanHR", "meanNN", "rmssd", "sdnn", "pnn50", "lf", "hf", "lfHf"]

    /// What a reader looks for first in a group, whatever was recorded.
    static let ofGroup = ["meanHR", "rmssd", "rateSCR", "meanSCL", "alphaRelative", "hf", "aperiodicExponent", "enmo"]
    /// The electrodes that are looked at before others, in this order.
    static let midline = ["Cz", "Pz", "Fz", "Oz"]
    /// Of how many signals that have the same index.
    static let mostSignals = 2

    /// The index in words.
    static func label(of name: String) -> String {
        switch name {
        case "meanHR": "Mean heart rate"
        case "meanNN": "Mean NN"
        case "rmssd": "RMSSD"
        case "sdnn": "SDNN"
        case "pnn50": "pNN50"
        case "lf": "LF power"
        case "hf": "HF power"
        case "lfHf": "LF/HF"
        case "meanSCL": "Mean level (SCL)"
        case "rateSCR": "Rate of responses (SCR)"
        case "alphaRelative": "Relative alpha power"
        case "engagement": "Engagement β/(α+θ)"
        case "thetaBeta": "θ/β"
        case "aperiodicExponent": "Exponent of 1/f"
        case "enmo": "ENMO"
        case "angleZ": "Angle of the z axis"
        case "steps": "Steps"
        case "mean": "Mean"
        case "slope": "Slope"
        case "charge": "Charge"
        case "heartRate": "Heart rate"
        case "confidence": "Confidence"
        case "movement": "Movement"
        case "respirationRate": "Respiration rate"
        case "respirationQuality": "Respiration quality"
        default: name
        }
    }

    /// A unit as it stands alone: beside an axis, or in a sentence.
    static func name(of unit: Unit, unknown: String) -> String {
        unit == .unknown ? unknown : unit == .dimensionless ? "device units" : unit.rawValue.withRaisedPowers
    }

    /// A unit as it is written after a number.
    static func symbol(_ unit: Unit) -> String {
        switch unit.rawValue {
        case "1", "": ""
        case "ms2": "ms²"
        default: unit.rawValue.withRaisedPowers
        }
    }
}

/// What to think of a series in one line.
struct Verdict {
    enum Grade: String { case good, fair, poor, untold }
    var grade: Grade
    /// The verdict in a word or two.
    var heading: String
    /// What it means, and what it rests on.
    var text: String

    /// Good: at least 95 % covered and at most 2 % changed. Fair: at least 85 % and at most 5 %, the limits short-term
    /// studies commonly set. The worse of the two decides. Untold where nobody asked for intervals.
    init(_ series: BeatSeries) {
        let total = series.intervals.count
        if series.leavesOutIntervals {
            grade = .untold
            heading = "beats alone"
            text = "Intervals: \(series.absence)."
            return
        }
        guard total > 0 else {
            grade = .poor
            heading = "no intervals"
            text = "Nothing was computed from intervals: \(series.absence)."
            return
        }
        let changed = Double(series.intervals.count { $0.status != .kept }) / Double(total)
        let coverage = series.coverage.flatMap { $0.isFinite ? $0 : nil }
        let covered = coverage ?? 1
        grade = changed <= 0.02 && covered >= 0.95 ? .good : changed <= 0.05 && covered >= 0.85 ? .fair : .poor
        heading = grade.rawValue
        var facts = ["\(NumberText.percent(changed)) of intervals corrected or removed"]
        // What was too little must not read as if it were enough.
        let bound = covered < 0.85 ? 0.85 : 0.95
        facts.append(coverage.map { "\(Percentage($0, below: bound)) of the time covered" } ?? "coverage not known")
        let advice =
            switch grade {
            case .good: "Fit for heart rate and its variability"
            case .fair: "Usable; look at the signal quality before trusting frequency-domain values"
            case .poor, .untold: "Treat heart-rate variability as unreliable"
            }
        text = "\(advice): \(facts.joined(separator: ", "))."
    }
}
