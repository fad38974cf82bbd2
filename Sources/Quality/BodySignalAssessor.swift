public import Signals

/// Judges skin conductance or skin temperature in windows: samples in µS or °C in, quality windows out.
public struct BodySignalAssessor: Stage {
    /// Kinds of signal it can judge.
    public enum Modality: String, Codable, CaseIterable, Sendable {
        case eda, temperature
    }

    // One of them is there.
    private var conductance: JudgedWindows<EDAJudge>?
    private var temperature: JudgedWindows<TemperatureJudge>?

    /// An assessor of signals of this kind.
    public init(_ modality: Modality, parameters: QualityParameters = QualityParameters()) {
        switch modality {
        case .eda: conductance = JudgedWindows(EDAJudge(), parameters: parameters)
        case .temperature: temperature = JudgedWindows(TemperatureJudge(), parameters: parameters)
        }
    }

    /// By how much the signal must have gone on, in seconds, before a window that ended is given out.
    public var lookAhead: Seconds { conductance?.lookAhead ?? temperature?.lookAhead ?? 0 }

    /// Whether windows are kept for `takePrompt`, too, as they stand when they end: a line is flat to them only from when
    /// it has been one for long enough.
    public var keepsPrompt = false {
        didSet {
            conductance?.keepsPrompt = keepsPrompt
            temperature?.keepsPrompt = keepsPrompt
        }
    }

    /// The windows that ended since they were taken last.
    public mutating func takePrompt() -> [QualityWindow] {
        conductance?.takePrompt() ?? temperature?.takePrompt() ?? []
    }

    /// A run begins.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [QualityWindow]) {
        conductance?.begin(segment, into: &outputs)
        temperature?.begin(segment, into: &outputs)
    }

    /// The next samples of the run.
    public mutating func push(_ chunk: Span<Float>, into outputs: inout [QualityWindow]) {
        conductance?.push(chunk, into: &outputs)
        temperature?.push(chunk, into: &outputs)
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [QualityWindow]) {
        conductance?.finish(into: &outputs)
        temperature?.finish(into: &outputs)
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

    /// Whether windows are kept for `takePrompt`, too, as they stand when they end: a line is flat to them only from when
    /// it has been one for long enough.
    public var keepsPrompt = false {
        didSet { windows.keepsPrompt = keepsPrompt }
    }

    /// The windows that ended since they were taken last.
    public mutating func takePrompt() -> [QualityWindow] { windows.takePrompt() }

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
