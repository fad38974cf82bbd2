import Kernels

/// How the channels lay to one another in a calibration, block by block.
///
/// Another reference, an electrode in another place or of another gain changes the covariance of channels along some
/// direction by far more than what a mind does, while most features of most channels stay where they were.
public struct MontageBaseline: Hashable, Codable, Sendable {
    /// The change that nine of ten blocks of the calibration itself do not exceed.
    public let usualChange: Double
    private let space: TangentSpace

    /// Nil without covariances, or where they have no mean.
    init?(_ blocks: [[Matrix]]) {
        guard let mean = try? TangentSpace.mean(blocks.flatMap { $0 }), let space = try? TangentSpace(reference: mean)
        else { return nil }
        self.space = space
        usualChange = Statistics.quantile(blocks.compactMap { Self.change($0, space) }, 0.9)
    }

    func isConsistent(channels: Int) -> Bool {
        usualChange.isFinite && space.whitening.count == channels
            && space.whitening.allSatisfy { $0.count == channels && $0.allSatisfy(\.isFinite) }
    }

    /// By how much the power along any direction in the space of channels differs at most in the median epoch, as the
    /// magnitude of a natural logarithm; nil without a covariance.
    func change(_ covariances: [Matrix]) -> Double? { Self.change(covariances, space) }

    private static func change(_ covariances: [Matrix], _ space: TangentSpace) -> Double? {
        let vectors = covariances.compactMap { try? space.vector($0) }
        guard let length = vectors.first?.count else { return nil }
        let middle = (0..<length).map { place in Statistics.median(vectors.map { $0[place] }) }
        let size = space.whitening.count
        var logarithm = [[Double]](repeating: [Double](repeating: 0, count: size), count: size)
        var place = 0
        for row in 0..<size {
            for column in row..<size {
                let value = middle[place] / (row == column ? 1 : 2.0.squareRoot())
                (logarithm[row][column], logarithm[column][row]) = (value, value)
                place += 1
            }
        }
        return (try? Matrix(logarithm).symmetricEigen().values).map { $0.reduce(0) { max($0, abs($1)) } }
    }
}
