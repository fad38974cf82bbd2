extension RecordingHeader {
    /// The start as clocks showed it where the recording was made, counted as if they had shown UTC; nil where the time of
    /// day is not known: there is no start, or it is in UTC and the time zone is not known. A recorder's
    /// clock without a time zone shows local time, but for one that reads midnight to the second: it was never set.
    /// - Parameter utcOffset: seconds that local time was ahead of UTC, for a source that does not say so.
    public func localStart(utcOffset: Seconds? = nil) -> Timestamp? {
        guard hasTimes, let start, start.secondsSince1970.isPlaceable else { return nil }
        guard hasTimeZone else {
            return start.secondsSince1970.truncatingRemainder(dividingBy: 86_400) == 0 ? nil : start
        }
        return (self.utcOffset ?? utcOffset).map { start + $0 }
    }
}
