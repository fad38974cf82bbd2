/// What was computed of a recording's streams, while it was made or from its file.
public struct StreamResults: Sendable {
    /// One per source of heart beats.
    public var hearts: [CardiacResult]
    /// One per respiration channel.
    public var belts: [BeltResult]
    /// One per stream of skin conductance.
    public var electrodermal: [ElectrodermalResult]
    /// One per stream of acceleration, skin temperature or charge.
    public var motion: [MotionResult]
    /// One per EEG stream.
    public var brains: [BrainResult]
}

extension RecordingAnalysis {
    /// The results of all streams.
    public var streams: StreamResults {
        StreamResults(hearts: results, belts: belts, electrodermal: electrodermal, motion: motion, brains: brains)
    }
}

extension LiveAnalysis {
    /// The results of all streams so far; whole where results are kept.
    public var streams: StreamResults {
        StreamResults(
            hearts: results, belts: beltResults, electrodermal: body.electrodermalResults, motion: body.motionResults,
            brains: brains)
    }
}
