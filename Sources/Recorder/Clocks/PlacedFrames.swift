public import Signals

extension RegularTimeline {
    /// What becomes of frames.
    public enum Placed: Hashable, Sendable {
        /// A segment begins; `clock` is the time of its first frame on the stream's own clock.
        case segment(SegmentStart, clock: Seconds)
        /// The segment's next frames.
        case samples(SampleBlock)
        /// At this time of the stream's own clock, this is to be added to get the host's.
        case offset(clock: Seconds, Seconds)
        /// Something to be told: what happened, and its numbers.
        case note(String, [String: String])
    }
}
