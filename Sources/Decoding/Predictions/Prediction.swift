public import Signals

/// Something that can be told from a participant's signals: what it is called, what it needs, which values it takes.
public struct Prediction: Hashable, Sendable {
    /// Its number, which never changes.
    public let id: Int
    /// Its name in files and code (`visualAttention`).
    public let name: String
    /// Its name for people.
    public let title: String
    /// A character that stands for it in lists.
    public let icon: String
    /// The unit of its values.
    public let unit: Unit
    /// The values it takes; nil where nature sets the bounds.
    public let range: ClosedRange<Double>?
    /// The streams it needs: one kind out of each set.
    public let streams: [Set<StreamKind>]
    /// How it is calibrated.
    public let calibration: CalibrationNeed
    /// Whether no other prediction may run beside it.
    public let excludesOthers: Bool

    /// What a participant must have done before a prediction works.
    public enum CalibrationNeed: Hashable, Sendable {
        /// Nothing.
        case none
        /// Its own task, and a model fitted to it.
        case ownTask
        /// The calibrations of the predictions with these names; it has no task of its own.
        case others([String])
    }

    /// Every prediction there is.
    public static let all: [Prediction] = [
        focus, enjoyment, visualAttention, auditoryAttention, cognitiveWorkload, sleep, blink, heartRate,
        heartRateVariability,
    ]

    /// The prediction called `name`; nil where there is none.
    public static func named(_ name: String) -> Prediction? { all.first { $0.name == name } }

    /// The predictions whose models this one's values come from: its own, or those it rests on; none where nothing is
    /// calibrated.
    public var models: [String] {
        switch calibration {
        case .none: []
        case .ownTask: [name]
        case .others(let names): names
        }
    }

    /// The same for the prediction called `name`; none where there is no such.
    public static func models(of name: String) -> [String] { named(name)?.models ?? [] }

    private static func metric(
        _ id: Int, _ name: String, _ title: String, _ icon: String, _ calibration: CalibrationNeed = .ownTask
    ) -> Prediction {
        Prediction(
            id: id, name: name, title: title, icon: icon, unit: .dimensionless, range: 0...1, streams: [[.eeg]],
            calibration: calibration, excludesOthers: false)
    }

    /// How much attention there is, to whichever sense: the mean of visual and auditory attention.
    public static let focus = metric(
        1, "focus", "Focus", "◎", .others(["visualAttention", "auditoryAttention"]))
    /// How much something is enjoyed.
    public static let enjoyment = metric(2, "enjoyment", "Enjoyment", "☺")
    /// Attention to what is seen.
    public static let visualAttention = metric(3, "visualAttention", "Visual attention", "◉")
    /// Attention to what is heard.
    public static let auditoryAttention = metric(4, "auditoryAttention", "Auditory attention", "♪")
    /// How much the mind is loaded.
    public static let cognitiveWorkload = metric(5, "cognitiveWorkload", "Cognitive workload", "▲")
    /// Awake 0, asleep 1; nothing else is told of a sleeper.
    public static let sleep = Prediction(
        id: 6, name: "sleep", title: "Sleep", icon: "☾", unit: .dimensionless, range: 0...1,
        streams: [[.acceleration]],
        calibration: .none, excludesOthers: true)
    /// 1 at each blink, as it comes; a session's files tell every second, 0 where there was none.
    public static let blink = Prediction(
        id: 7, name: "blink", title: "Blinks", icon: "◡", unit: .dimensionless, range: 0...1, streams: [[.eeg]],
        calibration: .none, excludesOthers: false)
    /// Beats per minute.
    public static let heartRate = Prediction(
        id: 8, name: "heartRate", title: "Heart rate", icon: "♥", unit: .beatsPerMinute, range: nil,
        streams: [[.ecg, .bvp, .ibi]], calibration: .none, excludesOthers: false)
    /// RMSSD of recent beats.
    public static let heartRateVariability = Prediction(
        id: 9, name: "heartRateVariability", title: "Heart-rate variability", icon: "♡", unit: .milliseconds,
        range: nil, streams: [[.ecg, .bvp, .ibi]], calibration: .none, excludesOthers: false)
}
