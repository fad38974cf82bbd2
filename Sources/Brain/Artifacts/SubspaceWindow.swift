import Kernels
import Signals

/// Decides what of a window is an artefact, and how it is rebuilt from the rest.
enum SubspaceWindow {
    /// The products of all channels with one another over some frames.
    static func gram(_ block: SampleBlock, _ frames: Range<Int>) throws(LinearAlgebraError) -> Matrix {
        let channels = block.channelCount
        var elements = [Double](repeating: 0, count: frames.count * channels)
        for channel in 0..<channels {
            let base = channel * block.frameCount + frames.lowerBound
            for row in 0..<frames.count { elements[row * channels + channel] = Double(block.samples[base + row]) }
        }
        return try Matrix(rows: frames.count, columns: channels, elements: elements).gram()
    }

    /// The matrix that rebuilds the channels; nil where nothing is an artefact.
    ///
    /// Mullen et al. 2015, section II.C: along each principal direction of the window with more power than is clean,
    /// the signal is replaced by what the calibration's mixing makes of the other directions.
    static func repair(_ covariance: Matrix, _ calibration: SubspaceCalibration) throws(LinearAlgebraError) -> Matrix? {
        let count = covariance.rows
        // Where the limit minus the covariance is positive definite no direction whatever is beyond its limit, and the
        // eigenvectors need not be known.
        let differences = zip(calibration.threshold.elements, covariance.elements).map { $0 - $1 }
        let room = try Matrix(rows: count, columns: count, elements: differences)
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
        guard keep.contains(true) else { return Matrix(rows: count, columns: count) }
        let directions = try Matrix((0..<count).filter { keep[$0] }.map(vectors.column))
        let kept = try directions.multiplied(by: calibration.mixing)
        return try calibration.mixing.multiplied(by: solved(kept, directions, calibration))
    }

    /// The pseudoinverse of `kept`, a row per direction that is kept, times these directions: by the normal equations
    /// where the mixing is far from singular, else by singular values.
    private static func solved(
        _ kept: Matrix, _ directions: Matrix, _ calibration: SubspaceCalibration
    ) throws(LinearAlgebraError) -> Matrix {
        let columns = kept.transposed
        if calibration.isWellConditioned, let solution = try? columns.gram().choleskySolve(directions) {
            return try columns.multiplied(by: solution)
        }
        return try pseudoinverse(kept).multiplied(by: directions)
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
