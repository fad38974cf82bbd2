public import Brain
public import Kernels
public import Signals

/// An epoch as models see it.
public struct DecodableEpoch: Sendable {
    /// Seconds from the recording's start to its beginning.
    public var onset: Seconds
    /// Its length in seconds.
    public var duration: Seconds
    /// The features of its layout; nil where a channel they need was not usable.
    public var features: [Double]?
    /// The covariance of all channels, positive definite; nil where one was not usable.
    public var covariance: Matrix?
    /// Measures of muscles, eyes, head and behavior. Models do not see it; their validation does.
    public var controls = EpochControls()
    /// Of an epoch that is not decodable the reasons against each channel; empty where it is, or where they are not known.
    public var reasons: [[EpochReason]] = []

    /// An epoch with these features and covariance.
    public init(onset: Seconds, duration: Seconds, features: [Double]?, covariance: Matrix? = nil) {
        (self.onset, self.duration, self.features, self.covariance) = (onset, duration, features, covariance)
    }
}
