import Kernels
public import Signals

/// The covariance of an epoch's channels, as Riemannian methods take it: shrunk after Ledoit & Wolf (2004, J Multivar
/// Anal 88:365–411), so that it is positive definite, as scikit-learn's `ledoit_wolf` and pyRiemann's
/// `Covariances("lwf")` give it.
public struct EpochCovariance: Hashable, Sendable {
    /// Seconds from the recording's start to the epoch's beginning.
    public var onset: Seconds
    /// The epoch's length in seconds.
    public var duration: Seconds
    /// The matrix row by row, in µV²; nil where a channel of the epoch could not be used.
    public var elements: [Double]?

    /// The covariance of all channels of `epoch`.
    public init(_ epoch: Epoch) {
        (onset, duration) = (epoch.onset, epoch.duration)
        guard epoch.channelCount > 0, epoch.usableChannels.count == epoch.channelCount else { return }
        elements = try? SpatialCovariance.of(epoch.samples.span, channels: epoch.channelCount).elements
    }

    /// A row per epoch, a column per element of the matrix, row by row.
    public static func table(_ covariances: [EpochCovariance], labels: [String]) -> Table {
        let elements = labels.flatMap { row in
            labels.map { column in
                Column(
                    "\(row)_\(column)", unit: Unit("µV²"),
                    row == column
                        ? "Variance of \(row), shrunk with the whole matrix; n/a where a channel could not be used"
                        : "Covariance of \(row) and \(column), shrunk with the whole matrix; n/a where a channel could not "
                            + "be used",
                    reference: "Ledoit & Wolf 2004")
            }
        }
        return Table(
            columns: [
                Column("onset", unit: .seconds, "Start of the epoch, from the recording's start"),
                Column("duration", unit: .seconds, "Length of the epoch"),
            ] + elements,
            rows: covariances.map { covariance in
                let values = covariance.elements.map { $0.map(Cell.number) }
                return [.onset(covariance.onset), .onset(covariance.duration)]
                    + (values ?? Array(repeating: .missing, count: elements.count))
            })
    }
}
