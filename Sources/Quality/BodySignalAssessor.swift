public import Signals

/// Judges skin conductance or skin temperature in windows: samples in µS or °C in, quality windows out.
public struct BodySignalAssessor: Stage {
    /// Kinds of signal it can judge.
    public enum Modality: String, Codable, CaseIterable, Sendable {
        case eda, temperature
    }

    private enum Windows: Sendable {
        case eda(JudgedWindows<EDAJudge>)
        case temperature(JudgedWindows<TemperatureJudge>)
    }

    private var windows: Windows

    /// An assessor of signals of this kind.
    public init(_ modality: Modality, parameters: QualityParameters = QualityParameters()) {
        switch modality {
        case .eda: windows = .eda(JudgedWindows(EDAJudge(), parameters: parameters))
        case .temperature: windows = .temperature(JudgedWindows(TemperatureJudge(), parameters: parameters))
        }
    }

    /// By how much the signal must have gone on, in seconds, before a window that ended is given out.
    public var lookAhead: Seconds {
        switch windows {
        case .eda(let windows): windows.lookAhead
        case .temperature(let windows): windows.lookAhead
        }
    }

    /// A run begins.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [QualityWindow]) {
        change(eda: { $0.begin(segment, into: &$1) }, temperature: { $0.begin(segment, into: &$1) }, &outputs)
    }

    /// The next samples of the run.
    public mutating func push(_ chunk: Span<Float>, into outputs: inout [QualityWindow]) {
        switch windows {
        case .eda(var eda):
            eda.push(chunk, into: &outputs)
            windows = .eda(eda)
        case .temperature(var temperature):
            temperature.push(chunk, into: &outputs)
            windows = .temperature(temperature)
        }
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [QualityWindow]) {
        change(eda: { $0.finish(into: &$1) }, temperature: { $0.finish(into: &$1) }, &outputs)
    }

    private mutating func change(
        eda: (inout JudgedWindows<EDAJudge>, inout [QualityWindow]) -> Void,
        temperature: (inout JudgedWindows<TemperatureJudge>, inout [QualityWindow]) -> Void,
        _ outputs: inout [QualityWindow]
    ) {
        switch windows {
        case .eda(var judged):
            eda(&judged, &outputs)
            windows = .eda(judged)
        case .temperature(var judged):
            temperature(&judged, &outputs)
            windows = .temperature(judged)
        }
    }
}

/// Judges the acceleration of a worn sensor in windows: samples of three axes in g in, quality windows out.
public struct AccelerationAssessor: Stage {
    private var windows: JudgedWindows<AccelerationJudge>

    /// An assessor of acceleration.
    public init(parameters: QualityParameters = QualityParameters()) {
        windows = JudgedWindows(AccelerationJudge(), parameters: parameters)
    }

    /// By how much the signal must have gone on, in seconds, before a window that ended is given out.
    public var lookAhead: Seconds { windows.lookAhead }

    /// A run begins.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [QualityWindow]) {
        windows.begin(segment, into: &outputs)
    }

    /// The next samples of the run, g.
    public mutating func push(_ chunk: Span<SIMD3<Float>>, into outputs: inout [QualityWindow]) {
        windows.push(chunk, into: &outputs)
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [QualityWindow]) {
        windows.finish(into: &outputs)
    }
}
