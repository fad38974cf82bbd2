import Foundation
import Signals

/// The usual form of a response: a Bateman function, which rises and recovers exponentially, 1 at its peak (Alexander
/// et al., J Neurosci Methods 146:116–123, 2005).
struct ResponseForm: Sendable {
    private let rise: Seconds
    private let recovery: Seconds
    /// Seconds from onset to peak.
    private let top: Seconds
    private let height: Double

    /// The form that recovers with this time constant, and rises with 0.7 s or half of it.
    init(recovery: Seconds) {
        (self.recovery, rise) = (recovery, Swift.min(0.7, recovery / 2))
        top = log(recovery / rise) * recovery * rise / (recovery - rise)
        height = exp(-top / recovery) - exp(-top / rise)
    }

    /// How high it is this long after its onset.
    func height(at age: Seconds) -> Double {
        age <= 0 ? 0 : (exp(-age / recovery) - exp(-age / rise)) / height
    }

    /// How much of its height is left this long after its peak.
    func left(after time: Seconds) -> Double { height(at: top + time) }
}
