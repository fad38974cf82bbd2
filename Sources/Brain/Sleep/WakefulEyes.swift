import Signals

/// What the eyes say of epochs in which the EEG is near its limit.
///
/// AASM Manual for the Scoring of Sleep, stage W: without an alpha rhythm an epoch is wake where there are eye blinks (0.5 to
/// 2 Hz), reading eye movements, or irregular, conjugate rapid eye movements with a normal or high tone of the chin; with
/// a low tone these belong to REM sleep. How many it takes in 30 s is ours: three movements, or four sweeps of reading.
struct WakefulEyes {
    private static let (leastRapid, leastBlinks, leastSweeps) = (3, 3, 4)

    private var epochs: [Int: EyeActivity] = [:]

    init(_ activities: [EyeActivity]) {
        for activity in activities { epochs[SleepEpoch.number(activity.onset)] = activity }
    }

    /// Whether the eyes say that somebody was awake.
    /// - Parameter isToneLow: of the chin; nil where it is not known.
    func sayAwake(at onset: Seconds, isToneLow: Bool?) -> Bool {
        guard let eyes = epochs[SleepEpoch.number(onset)], let rapid = eyes.rapid, isToneLow != true else {
            return false
        }
        return eyes.blinks >= Self.leastBlinks || eyes.sweeps >= Self.leastSweeps
            || isToneLow == false && rapid >= Self.leastRapid
    }
}
