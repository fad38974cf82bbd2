import Kernels
import Signals

/// Decides what of a window is an artefact, and how it is rebuilt from the rest.
enum SubspaceWindow {
    /// The products of all channels with one another over some frames.
    static func gram(_ block: SampleBlock, _ frames: Range<Int>) throws(LinearAlgebraError) -> Matrix {
        let channels = block.channelCount
        var elements: [Double] = []
        elements.reserveCapacity(frames.count * channels)
        for channel in 0..<channels {
            let base = channel * block.frameCount
            for frame in frames { elements.append(Double(block.samples[base + frame])) }
        }
        return try Matrix(rows: channels, columns: frames.count, elements: elements).rowGram()
    }

    /// The matrix that rebuilds the channels; nil where nothing is an artefact.
    ///
    /// Mullen et al. 2015, section II.C: along each principal direction of the window with more power than is clean,
    /// the signal is replaced by what the calibration's mixing makes of the other directions.
    static func repair(_ covariance: Matrix, _ calibration: SubspaceCalibration) throws(LinearAlgebraError) -> Matrix? {
        let count = covariance.rows
        let most = Int((calibration.parameters.mostDimensions * Double(count)).rounded())
        var (rest, dropped) = (covariance, [[Double]]())
        for found in 0...mostOneByOne {
            // Where the limit minus the covariance is positive definite no direction whatever is beyond its limit, and
            // the eigenvectors need not be known.
            if found == most || isWithin(rest, calibration) { return try rebuilding(without: dropped, calibration) }
            guard calibration.inverse != nil, let (power, direction) = try rest.dominantEigenpair() else { break }
            if try power >= limit(direction, calibration) { dropped.append(direction) }
            try rest.subtractProducts(of: direction, times: power)
        }
        let (values, vectors) = try covariance.symmetricEigen()
        let directions = (0..<count).map(vectors.column)
        var keep = [Bool](repeating: true, count: count)
        for index in max(0, count - most)..<count {
            keep[index] = try values[index] < limit(directions[index], calibration)
        }
        let (kept, others) = (directions.indices.filter { keep[$0] }, directions.indices.filter { !keep[$0] })
        guard calibration.inverse == nil, !others.isEmpty, !kept.isEmpty else {
            return try rebuilding(without: others.map { directions[$0] }, calibration)
        }
        let chosen = try Matrix(kept.map { directions[$0] })
        return try calibration.mixing.multiplied(by: pseudoinverse(chosen.multiplied(by: calibration.mixing)))
            .multiplied(by: chosen)
    }

    /// Directions that are looked for one by one, strongest first; where more stand out all are computed at once.
    private static let mostOneByOne = 4

    private static func isWithin(_ covariance: Matrix, _ calibration: SubspaceCalibration) -> Bool {
        var room = calibration.threshold
        return (try? room.subtract(covariance)) != nil && room.isPositiveDefinite
    }

    /// The power from which on a direction is an artefact.
    private static func limit(
        _ direction: [Double], _ calibration: SubspaceCalibration
    ) throws(LinearAlgebraError) -> Double {
        try LinearAlgebra.dot(direction, calibration.threshold.multiplied(by: direction))
    }

    /// The matrix that rebuilds the channels from all directions but the rows of `dropped`; nil for none.
    ///
    /// With M the mixing and K the directions that are kept, M·(K·M)⁺·K: of all components that explain what is kept
    /// the smallest ones. In terms of the directions D that are dropped that is, with Lagrange's multipliers,
    /// I − Dᵀ·(D·P·Dᵀ)⁻¹·D·P, where P = (M·M)⁻¹.
    private static func rebuilding(
        without dropped: [[Double]], _ calibration: SubspaceCalibration
    ) throws(LinearAlgebraError) -> Matrix? {
        guard !dropped.isEmpty else { return nil }
        let count = calibration.channels
        guard dropped.count < count, let inverse = calibration.inverse else {
            return Matrix(rows: count, columns: count)
        }
        let directions = try Matrix(dropped)
        let weighted = try directions.multiplied(by: inverse)
        let solution = try weighted.multiplied(by: directions.transposed).choleskySolve(weighted)
        let taken = try directions.transposed.multiplied(by: solution)
        var result = Matrix.identity(count)
        try result.subtract(taken)
        return result
    }

    private static func pseudoinverse(_ matrix: Matrix) throws(LinearAlgebraError) -> Matrix {
        let (u, values, vTransposed) = try matrix.singularValues()
        let least = (values.first ?? 0) * 1e-10
        var v = vTransposed.transposed
        for column in values.indices {
            let factor = values[column] > least ? 1 / values[column] : 0
            for row in 0..<v.rows { v[row, column] *= factor }
        }
        return try v.multiplied(by: u.transposed)
    }
}
