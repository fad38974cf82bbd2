public import Cardiac
public import Electrodermal
public import Motion
public import Quality

/// Every parameter of an analysis, with documented defaults; written whole into provenance.
public struct Parameters: Hashable, Codable, Sendable {
    /// What the analysis of a file computes.
    public var outputs = AnalysisOutput.allCases
    /// ECG beat detection.
    public var ecg = ECGBeatDetector.Parameters()
    /// BVP beat detection.
    public var bvp = BVPParameters()
    /// Correction of inter-beat intervals.
    public var correction = CorrectionParameters()
    /// Heart-rate variability.
    public var hrv = HRVParameters()
    /// Rhythm.
    public var rhythm = RhythmParameters()
    /// Respiration.
    public var respiration = RespirationParameters()
    /// The heart rate of windows from pulse wave and acceleration.
    public var pulseRate = PulseRateParameters()
    /// Skin conductance.
    public var eda = ElectrodermalParameters()
    /// Acceleration, skin temperature and batteries.
    public var motion = MotionParameters()
    /// EEG.
    public var eeg = BrainParameters()
    /// Signal quality.
    public var quality = QualityParameters()

    /// The defaults.
    public init() {}

    /// Checks that all parameters have a meaning.
    /// - Throws: the first that has none.
    public func validate() throws {
        try ecg.validate()
        try bvp.validate()
        try correction.validate()
        try hrv.validate()
        try rhythm.validate()
        try respiration.validate()
        try pulseRate.validate()
        try eda.validate()
        try motion.validate()
        try eeg.validate()
        try quality.check()
    }
}
