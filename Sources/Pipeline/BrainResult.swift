public import Brain
public import Quality
public import Signals

/// All that was computed from one EEG stream.
public struct BrainResult: Sendable {
    /// Where it comes from.
    public let source: BrainSource
    /// The labels of the channels after re-referencing, in the order of the values.
    public let labels: [String]
    /// The features of each epoch, in order of time.
    public internal(set) var epochs: BrainEpochs
    /// The connectivity of windows of epochs; empty where it was not asked for.
    public internal(set) var pairs = BrainPairs(PairLayout())
    /// The covariance of each epoch's channels; empty where it was not asked for.
    public internal(set) var covariances: [EpochCovariance] = []
    /// Blinks and saccades; empty where no electrode is near the eyes.
    public internal(set) var eyes: [EyeEvent] = []
    /// When no channel that blinks are seen in could be used: by its quality, and for want of samples.
    var unseen: (byQuality: QualityDrops, bySamples: QualityDrops)
    /// Sleep and wake, told at the end of the recording, which sets the limit between them.
    public internal(set) var sleep: [SleepEpoch] = []
    /// What it was told from.
    public var sleepSource: SleepEpoch.Source {
        var besides: Set<SleepEpoch.Beside> = []
        if source.muscle != nil { besides.insert(.muscle) }
        if source.eyes != nil { besides.insert(.eyes) }
        return .eeg(besides)
    }
    /// Windows of signal quality, of the EEG as a whole.
    public internal(set) var quality: [QualityWindow] = []
    /// The spectra of all usable epochs; empty where features were not asked for.
    public internal(set) var overview: SpectrumOverview?
    /// What was rebuilt by artefact subspace reconstruction; nil where it was not asked for.
    public internal(set) var reconstruction: SubspaceCleaning.Report?
    /// The contiguous runs of samples, as seconds from the recording's start.
    public internal(set) var runs: [Range<Seconds>] = []
    /// Why nothing was computed though there is a signal: its size does not go with its unit; nil where it does.
    public internal(set) var doubt: String?
    /// What the recording itself has to say, for people, where it was read for this alone.
    public internal(set) var notes: [String] = []

    init(source: BrainSource, labels: [String], quality: QualityParameters) {
        self.source = source
        self.labels = labels
        unseen = (QualityDrops(quality), QualityDrops(quality))
        epochs = BrainEpochs(EpochLayout(channels: labels.count))
    }

    /// Of the complete epochs' channels, the share that may be used, 0…1; nil where there are none.
    public var usableShare: Double? {
        var (complete, usable) = (0, 0)
        for epoch in epochs {
            for state in epoch.channels where !state.reasons.contains(.gap) {
                complete += 1
                if state.isUsable { usable += 1 }
            }
        }
        return complete > 0 ? Double(usable) / Double(complete) : nil
    }

    /// What the eyes did where quality does not drop it.
    public var seenEyes: [EyeEvent] {
        eyes.filter { !unseen.byQuality.drops($0.onset) && !unseen.bySamples.drops($0.onset) }
    }

    /// What was found, in a line for people.
    public var summary: String {
        if let doubt { return "\(source.name): not analyzed: \(doubt)" }
        var line = "\(source.name): \(labels.count.counted("channel")), \(epochs.count.counted("epoch"))"
        if let usableShare { line += ", \(Percentage(usableShare)) of their channels usable" }
        if !eyes.isEmpty { line += ", " + seenEyes.count { $0.kind == .blink }.counted("blink") }
        let (asleep, told) = (sleep.count { $0.asleep == 1 }, sleep.count { $0.asleep != nil })
        if asleep > 0 { line += ", asleep \(asleep * 100 / told) % of the time" }
        if !quality.isEmpty { line += ", \(Percentage(quality.goodShare)) of the time of good quality" }
        if let reconstruction {
            let share = Int((reconstruction.rebuilt * 100).rounded())
            line +=
                reconstruction.calibrationSeconds == 0
                ? ", too little clean EEG to rebuild bursts"
                : ", \(share) % of the time rebuilt from \(reconstruction.calibrationSeconds) clean seconds"
        }
        return line
    }
}
