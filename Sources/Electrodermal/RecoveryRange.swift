import Signals

/// What is left of a response some time after its peak: as much as the signal shows, within what the usual form leaves
/// of a response that recovers by a quarter faster or more slowly than most.
///
/// The signal alone does not tell: where the level rises, less falls than recovers.
struct RecoveryRange: Sendable {
    private let fast: ResponseForm
    private let slow: ResponseForm

    /// Recoveries around this time constant.
    init(recovery: Seconds) {
        // The two differ from the usual one by the same factor.
        (fast, slow) = (ResponseForm(recovery: recovery / 1.25), ResponseForm(recovery: recovery * 1.25))
    }

    /// What is left of `height` this long after the peak, of which the signal shows `shown`, in the unit of both.
    func left(of height: Double, after time: Seconds, shown: Double) -> Double {
        Swift.min(Swift.max(shown, height * fast.left(after: time)), height * slow.left(after: time))
    }
}
