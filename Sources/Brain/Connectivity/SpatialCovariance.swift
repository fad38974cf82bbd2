public import Kernels

/// The covariance of the channels of an epoch, in squared units of the signal.
public enum SpatialCovariance {
    /// How it is estimated.
    public enum Estimator: String, Codable, CaseIterable, Sendable {
        /// The sample covariance over n − 1.
        case sample
        /// Shrunk after Ledoit & Wolf 2004, always positive definite unless all is flat.
        case ledoitWolf
    }

    /// The covariance of `channels` rows of channel-major samples.
    /// - Throws: `dimensions` for fewer than two samples of a channel; `notFinite` where a sample is not a number.
    public static func of(
        _ samples: Span<Float>, channels: Int, estimator: Estimator = .ledoitWolf
    ) throws(LinearAlgebraError) -> Matrix {
        guard channels > 0, samples.count % channels == 0, samples.count > channels else {
            throw .dimensions("a spatial covariance", found: "\(samples.count)", expected: "two samples per channel")
        }
        let frames = samples.count / channels
        var elements = [Double](repeating: 0, count: samples.count)
        for channel in 0..<channels {
            for frame in 0..<frames {
                let value = samples[channel * frames + frame]
                guard value.isFinite else { throw .notFinite("a spatial covariance") }
                elements[frame * channels + channel] = Double(value)
            }
        }
        let data = try Matrix(rows: frames, columns: channels, elements: elements)
        return switch estimator {
        case .sample: try Covariance.sample(data)
        case .ledoitWolf: try ShrunkCovariance(data).matrix
        }
    }
}
