import Kernels
import Signals

/// Decides what of a window is an artefact, and how it is rebuilt from the rest.
enum SubspaceWindow {
    /// The products of all channels with one another over some frames.
    static func gram(_ block: SampleBlock, _ frames: Range<Int>) throws(LinearAlgebraError) -> Matrix {
        var matrix = Matrix(rows: frames.count, columns: block.channelCount)
        for channel in 0..<block.channelCount {
            let base = channel * block.frameCount
            for (row, frame) in frames.enumerated() { matrix[row, channel] = Double(block.samples[base + frame]) }
        }
        return try matrix.gram()
    }

    /// The matrix that rebuilds the channels; nil where nothing is an artefact.
    ///
    /// Mullen et al. 2015, section II.C: along each principal direction of the window with more power than is clean,
    /// the signal is replaced by what the calibration's mixing makes of the other directions.
    static func repair(_ covariance: Matrix, _ calibration: SubspaceCalibration) throws(LinearAlgebraError) -> Matrix? {
        let count = covariance.rows
        // Where the limit minus the covariance is positive definite no direction whatever is beyond its limit, and the
        // eigenvectors need not be known.
        var room = calibration.threshold
        for row in 0..<count { for column in 0..<count { room[row, column] -= covariance[row, column] } }
        if (try? room.choleskySolve([Double](repeating: 0, count: count))) != nil { return nil }
        let (values, vectors) = try covariance.symmetricEigen()
        let limits = try calibration.threshold.multiplied(by: vectors)
        let most = Int((calibration.parameters.mostDimensions * Double(count)).rounded())
        var keep = [Bool](repeating: true, count: count)
        for direction in 0..<count where direction >= count - most {
            var limit = 0.0
            for row in 0..<count { limit += vectors[row, direction] * limits[row, direction] }
            keep[direction] = values[direction] < limit
        }
        guard keep.contains(false) else { return nil }
        var kept = try vectors.transposed.multiplied(by: calibration.mixing)
        for row in 0..<count where !keep[row] { for column in 0..<count { kept[row, column] = 0 } }
        return try calibration.mixing.multiplied(by: pseudoinverse(kept)).multiplied(by: vectors.transposed)
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
