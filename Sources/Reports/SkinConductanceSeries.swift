public import Electrodermal
import Pipeline
public import Signals

/// Skin conductance of one stream: what was recorded, its components and the responses in it.
public struct SkinConductanceSeries: Sendable {
    /// The stream's name.
    public var name: String
    /// Samples at the working rate, in order of time.
    public var samples: [ElectrodermalSample]
    /// Responses, in order of time.
    public var responses: [SkinConductanceResponse]
    /// Level and responses by window.
    public var windows: Table
    /// Stretches without samples.
    public var gaps: [MissingSpan]
    /// How the components were told apart, in words.
    public var method: String

    /// The series of a stream.
    public init(
        name: String, samples: [ElectrodermalSample], responses: [SkinConductanceResponse], windows: Table,
        gaps: [MissingSpan] = [], method: String
    ) {
        self.name = name
        self.samples = samples
        self.responses = responses
        self.windows = windows
        self.gaps = gaps
        self.method = method
    }

    init(_ result: ElectrodermalResult, method: ElectrodermalParameters.Separation) {
        self.init(
            name: result.source.name, samples: result.samples, responses: result.responses,
            windows: ElectrodermalWindow.table(result.windows), gaps: result.gaps.map(MissingSpan.init),
            method: method.words)
    }
}

extension ElectrodermalParameters.Separation {
    fileprivate var words: String {
        switch self {
        case .convex: "convex decomposition (cvxEDA)"
        case .highPass: "low-pass filter at 0.05 Hz"
        case .median: "running median"
        }
    }
}

/// Acceleration, temperature or battery charge over time.
public struct MotionTrend: Sendable {
    /// The stream's name.
    public var name: String
    /// What is told, such as `activity`.
    public var subject: String
    /// Values by epoch or window.
    public var windows: Table
    /// The columns that are drawn.
    public var columns: [String]

    /// What a stream tells over time.
    public init(name: String, subject: String, windows: Table, columns: [String]) {
        self.name = name
        self.subject = subject
        self.windows = windows
        self.columns = columns
    }

    init(_ result: MotionResult) {
        let (subject, columns): (String, [String]) =
            switch result.source.kind {
            case .temperature: ("skin temperature", ["mean", "slope"])
            case .battery: ("battery", ["charge"])
            default: ("activity", ["enmo", "angleZ", "steps"])
            }
        self.init(name: result.source.name, subject: subject, windows: result.table, columns: columns)
    }
}
