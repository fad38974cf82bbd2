import Signals

/// Lets every caller send so many requests at once and so many per second after that.
struct RateLimiter: Sendable {
    private struct Bucket {
        var tokens: Double
        var moment: Seconds
    }

    private let rate: Double
    private let burst: Double
    private var buckets: [String: Bucket] = [:]
    private static let mostCallers = 4_096

    /// - Parameters:
    ///   - rate: requests per second, above 0.
    ///   - burst: requests at once.
    init(rate: Double, burst: Double) {
        (self.rate, self.burst) = (rate, burst)
    }

    /// Takes a request into account.
    /// - Returns: nil when it may pass, else the seconds to wait.
    mutating func wait(_ caller: String, at moment: Seconds) -> Seconds? {
        if buckets.count >= Self.mostCallers, buckets[caller] == nil { forget(at: moment) }
        var bucket = buckets[caller] ?? Bucket(tokens: burst, moment: moment)
        bucket.tokens = min(burst, bucket.tokens + max(0, moment - bucket.moment) * rate)
        bucket.moment = moment
        defer { buckets[caller] = bucket }
        guard bucket.tokens >= 1 else { return (1 - bucket.tokens) / rate }
        bucket.tokens -= 1
        return nil
    }

    /// Drops callers whose bucket is full again, or all when every one is busy.
    private mutating func forget(at moment: Seconds) {
        buckets = buckets.filter { $0.value.tokens + (moment - $0.value.moment) * rate < burst }
        if buckets.count >= Self.mostCallers { buckets = [:] }
    }
}
