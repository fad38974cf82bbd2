import Signals

/// What the analysis of a file computes besides beats and intervals; each can be left out.
public enum AnalysisOutput: String, Codable, CaseIterable, Sendable {
    /// Windows of signal quality.
    case quality
    /// Heart-rate variability.
    case hrv
    /// The rhythm of the beats.
    case rhythm
    /// Respiration, of belts and from what breathing does to the beats.
    case respiration
    /// The heart rate of windows from pulse wave and acceleration.
    case heartRate
    /// Skin conductance.
    case eda
    /// Acceleration, skin temperature and batteries.
    case motion
    /// Features of the EEG's epochs, and connectivity.
    case eeg
    /// Blinks and saccades.
    case eyes
    /// Sleep and wake by the EEG, or by the heart rate where there is neither EEG nor acceleration.
    case sleep

    /// Decodes its name.
    /// - Throws: `DecodingError`, with the names there are, when it is none.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let output = Self(rawValue: name) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "'\(name)' is no output; there are "
                    + Self.allCases.map(\.rawValue).joined(separator: ", "))
        }
        self = output
    }
}

extension Parameters {
    /// Whether an output is wanted.
    public func wants(_ output: AnalysisOutput) -> Bool { outputs.contains(output) }

    /// What is computed of a source of heart beats.
    var cardiacOutputs: CardiacTrack.Outputs {
        let all: [(AnalysisOutput, CardiacTrack.Outputs)] = [
            (.quality, .quality), (.hrv, .hrv), (.rhythm, .rhythm), (.respiration, .respiration),
            (.heartRate, .heartRate),
        ]
        return all.reduce(into: []) { if wants($1.0) { $0.formUnion($1.1) } }
    }

    /// The same of a recording: sleep is told from the heart where no EEG and no acceleration tell it.
    func cardiacOutputs(in header: RecordingHeader) -> CardiacTrack.Outputs {
        wants(.sleep) && HeartSleepReading.isNeeded(in: header) ? cardiacOutputs.union(.sleep) : cardiacOutputs
    }

    /// What is computed of an EEG.
    var brainOutputs: BrainTrack.Outputs {
        let all: [(AnalysisOutput, BrainTrack.Outputs)] = [
            (.eeg, [.features, .connectivity, .overview]), (.eyes, .eyes), (.quality, .quality), (.sleep, .sleep),
        ]
        return all.reduce(into: []) { if wants($1.0) { $0.formUnion($1.1) } }
    }
}
