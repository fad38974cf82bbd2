import Foundation
import Kernels
public import Signals

/// What a clean EEG is like: how its channels mix, and how large each component gets.
///
/// Mullen et al. 2015, IEEE Trans Biomed Eng 62:2553, section II.C: the mixing matrix is the square root of the
/// geometric median of block covariances, so that some bad stretches do no harm; amplitudes are told robustly, by the
/// median and the median absolute deviation over windows.
public struct SubspaceCalibration: Hashable, Sendable {
    /// Seconds of clean EEG that are needed at least.
    public static let leastSeconds = 20.0

    /// How many channels it is for.
    public let channels: Int
    /// The sample rate in Hz.
    public let sampleRate: Double
    /// How it was made, and how it is used.
    public let parameters: SubspaceParameters
    /// The mixing matrix.
    let mixing: Matrix
    /// The inverse of the mixing times itself; nil where the weakest component is below a ten-thousandth of the
    /// strongest.
    let inverse: Matrix?
    /// Tᵀ·T, T a row per component: its direction times the amplitude from which on it is an artefact.
    let threshold: Matrix

    /// A calibration on `clean`, a stretch of EEG that was high-passed and has no missing sample.
    /// - Throws: `BrainError.parameter` when a parameter has no meaning, the stretch is too short or is no EEG.
    public init(
        _ clean: SampleBlock, sampleRate: Double, parameters: SubspaceParameters = SubspaceParameters()
    ) throws(BrainError) {
        try parameters.check()
        let seconds = Double(clean.frameCount) / sampleRate
        try EEGFeatureParameters.demand(
            seconds >= Self.leastSeconds, "calibration", "\(seconds) s", "at least \(Self.leastSeconds) s of clean EEG")
        try EEGFeatureParameters.demand(
            clean.samples.allSatisfy(\.isFinite), "calibration", "a missing sample", "without missing samples")
        for channel in 0..<clean.channelCount {
            let samples = clean.channel(channel)
            try EEGFeatureParameters.demand(
                samples.contains { $0 != samples[0] }, "calibration", "a flat line", "an EEG in every channel")
        }
        channels = clean.channelCount
        self.sampleRate = sampleRate
        self.parameters = parameters
        let shaped = Self.shaped(clean, sampleRate: sampleRate)
        do {
            let covariance = try Self.robustCovariance(shaped, block: Self.blockLength(shaped))
            let (values, vectors) = try covariance.symmetricEigen()
            let largest = values.last ?? 0
            // A channel that is a sum of the others leaves a direction without any power.
            let roots = values.map { max($0, 1e-12 * largest).squareRoot() }
            mixing = try Self.scaled(vectors, by: roots).multiplied(by: vectors.transposed)
            let isWellConditioned = (roots.first ?? 0) > 1e-4 * (roots.last ?? 0)
            inverse =
                isWellConditioned
                ? try Self.scaled(vectors, by: roots.map { 1 / ($0 * $0) }).multiplied(by: vectors.transposed) : nil
            let limits = try Self.limits(shaped, vectors, sampleRate, parameters)
            threshold = try Self.scaled(vectors, by: limits.map { $0 * $0 }).multiplied(by: vectors.transposed)
        } catch {
            throw .parameter("calibration", found: "\(error)", expected: "an EEG")
        }
    }

    /// Samples whose covariance is taken together: ten, as in EEGLAB's plug-in, and more where the covariances of that
    /// many blocks would need too much room, as with some hundred channels.
    private static func blockLength(_ block: SampleBlock) -> Int {
        let most = max(100, min(4_000, mostElements / (block.channelCount * block.channelCount)))
        return max(10, block.frameCount / most)
    }

    /// Elements of all covariances together: 128 MiB.
    private static let mostElements = 1 << 24

    private static func shaped(_ clean: SampleBlock, sampleRate: Double) -> SampleBlock {
        var filter = LinearPhaseFilter(
            SubspaceFilter.design(sampleRate: sampleRate), channels: clean.channelCount, sampleRate: sampleRate)
        var blocks: [SampleBlock] = []
        filter.begin(SegmentStart(onset: 0, sample: 0, sampleRate: sampleRate), into: &blocks)
        filter.push(clean, into: &blocks)
        filter.finish(into: &blocks)
        var samples: [Float] = []
        samples.reserveCapacity(clean.samples.count)
        for channel in 0..<clean.channelCount {
            for block in blocks { samples += block.samples[block.range(ofChannel: channel)] }
        }
        return SampleBlock(channelCount: clean.channelCount, samples: samples)
    }

    /// The columns of a matrix times a factor each.
    private static func scaled(_ matrix: Matrix, by factors: [Double]) -> Matrix {
        var scaled = matrix
        for row in 0..<matrix.rows { for column in 0..<matrix.columns { scaled[row, column] *= factors[column] } }
        return scaled
    }

    /// The geometric median of the covariances of blocks (Weiszfeld 1937), whose distances are Frobenius norms.
    private static func robustCovariance(_ block: SampleBlock, block length: Int) throws -> Matrix {
        let (count, n) = (block.channelCount, block.frameCount / length)
        // Upper triangles one after the other. What stands for two elements counts twice.
        let size = count * (count + 1) / 2
        let aside = 2.0.squareRoot()
        var triangles: [Double] = []
        triangles.reserveCapacity(n * size)
        for index in 0..<n {
            let gram = try SubspaceWindow.gram(block, index * length..<(index + 1) * length)
            for row in 0..<count {
                triangles.append(gram[row, row] / Double(length))
                for column in row + 1..<max(row + 1, count) {
                    triangles.append(gram[row, column] / Double(length) * aside)
                }
            }
        }
        let middle = GeometricMedian.of(triangles, size: size)
        var result = Matrix(rows: count, columns: count)
        var place = 0
        for row in 0..<count {
            for column in row..<count {
                let value = column == row ? middle[place] : middle[place] / aside
                (result[row, column], result[column, row]) = (value, value)
                place += 1
            }
        }
        return result
    }

    /// From which amplitude on each component is an artefact.
    private static func limits(
        _ block: SampleBlock, _ vectors: Matrix, _ sampleRate: Double, _ parameters: SubspaceParameters
    ) throws -> [Double] {
        let length = max(2, Int((parameters.window * sampleRate).rounded()))
        let step = max(1, length / 3)
        var amplitudes = (0..<vectors.columns).map { _ in [Double]() }
        for first in stride(from: 0, through: block.frameCount - length, by: step) {
            let gram = try SubspaceWindow.gram(block, first..<first + length)
            let along = try gram.multiplied(by: vectors)
            for component in amplitudes.indices {
                var power = 0.0
                for row in 0..<vectors.rows { power += vectors[row, component] * along[row, component] }
                amplitudes[component].append(max(0, power / Double(length)).squareRoot())
            }
        }
        return amplitudes.map { values in
            let deviation = Statistics.medianAbsoluteDeviation(values) * Statistics.normalConsistency
            return Statistics.median(values) + parameters.cutoff * deviation
        }
    }
}
