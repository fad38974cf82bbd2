import Cardiac
import Kernels

extension BeatComparison {
    /// How far a detector's fiducial scatters, in seconds, where its offset from the reference's does not count. Nil without
    /// pairs.
    var medianJitter: Double? { offsets.isEmpty ? nil : Statistics.medianAbsoluteDeviation(offsets) }
}
