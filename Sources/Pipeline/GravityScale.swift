import Signals

/// The scale of an acceleration whose unit is unknown: gravity, which an accelerometer always measures, is 1 g.
///
/// The mean size of the samples so far, of about the last minute, counts as 1 g. A stream from which gravity was removed
/// has no mean direction; its scale is unknown, and it says nothing. Each sample is scaled by itself, so results do not
/// depend on chunks.
struct GravityScale: Sendable {
    /// The seconds after which a sample is forgotten to a third.
    private static let memory: Seconds = 60
    /// The shares of the mean size that the mean vector has: at most without gravity, at least with it.
    private static let directed = (without: 0.2, with: 0.4)

    private var mean = SIMD4<Double>.zero
    private var size = 0.0
    private var count = 0.0
    private let longest: Double

    /// The scale of a stream of `sampleRate` Hz.
    init(sampleRate: Double) { longest = max(1, Self.memory * sampleRate) }

    /// The certainty that the samples so far contain gravity, 0…1.
    private var trust: Double {
        let direction = (mean * mean).sum().squareRoot() / size
        let (without, with) = Self.directed
        return max(0, min(1, (direction - without) / (with - without)))
    }

    /// Samples along up to three axes in g; 0 where the scale is unknown. Missing samples stay missing.
    mutating func scaled(_ block: SampleBlock) -> SampleBlock {
        let (axes, frames) = (min(3, block.channelCount), block.frameCount)
        var scaled = [Float](repeating: 0, count: axes * frames)
        for frame in 0..<frames {
            var vector = SIMD4<Double>.zero
            for axis in 0..<axes { vector[axis] = Double(block.samples[axis * frames + frame]) }
            let length = (vector * vector).sum().squareRoot()
            if length.isFinite {
                count = min(count + 1, longest)
                mean += (vector - mean) / count
                size += (length - size) / count
            }
            let factor = size > 0 ? trust / size : 0
            for axis in 0..<axes {
                let sample = block.samples[axis * frames + frame]
                scaled[axis * frames + frame] = sample.isFinite ? Float(Double(sample) * factor) : .nan
            }
        }
        return SampleBlock(channelCount: max(1, axes), samples: scaled)
    }
}
