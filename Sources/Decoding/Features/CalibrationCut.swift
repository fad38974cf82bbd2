public import Signals

/// A stretch of time with one state.
public struct CalibrationSpan: Hashable, Codable, Sendable {
    /// What the participant was asked to do.
    public var state: DecodedState
    /// From when to when, in seconds from the recording's start.
    public var time: Range<Seconds>

    /// A stretch with this state.
    public init(state: DecodedState, time: Range<Seconds>) {
        (self.state, self.time) = (state, time)
    }
}

extension CalibrationBlock {
    /// Cuts a recording's epochs into blocks: those that lie wholly within a span, `margin` seconds after its beginning.
    ///
    /// A span longer than `longest` gives several blocks of equal length, with `margin` between them, so that epochs that
    /// overlap never lie in two.
    public static func blocks(
        _ epochs: [DecodableEpoch], spans: [CalibrationSpan], margin: Seconds = 1, longest: Seconds = 30
    ) -> [CalibrationBlock] {
        // What lies behind the last epoch holds none.
        let last = epochs.map { $0.onset + $0.duration }.max() ?? 0
        return spans.sorted { $0.time.lowerBound < $1.time.lowerBound }.flatMap { span in
            let start = span.time.lowerBound + margin
            let length = min(span.time.upperBound, last) - start
            guard length > 0, longest > 0 else { return [CalibrationBlock]() }
            let parts = max(1, Int((length / longest).rounded(.up)))
            let step = length / Double(parts)
            return (0..<parts).map { part in
                let from = start + Double(part) * step + (part > 0 ? margin : 0)
                let end = start + Double(part + 1) * step
                // Rounding of onsets must not cost an epoch.
                let inside = epochs.filter { $0.onset >= from - 1e-6 && $0.onset + $0.duration <= end + 1e-6 }
                return CalibrationBlock(state: span.state, epochs: inside)
            }
        }
    }
}
