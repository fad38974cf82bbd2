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

extension CalibrationSpan {
    /// Seconds by which two states may claim the same time, as onsets and durations that were rounded do.
    private static let slack: Seconds = 0.1

    /// Spans in order of time, none of which overlaps another: those of one state that do, or that touch, are one, as rows
    /// of trials within the row of their block, or a row that is there twice.
    /// - Throws: `ModelError.overlap` where two states claim the same time.
    public static func separated(_ spans: [CalibrationSpan]) throws(ModelError) -> [CalibrationSpan] {
        var found: [CalibrationSpan] = []
        for state in DecodedState.allCases {
            let first = found.endIndex
            for span in spans.filter({ $0.state == state }).sorted(by: { $0.time.lowerBound < $1.time.lowerBound }) {
                if found.endIndex > first, let last = found.last, span.time.lowerBound <= last.time.upperBound + slack {
                    let end = max(last.time.upperBound, span.time.upperBound)
                    found[found.endIndex - 1].time = last.time.lowerBound..<end
                } else {
                    found.append(span)
                }
            }
        }
        found.sort { $0.time.lowerBound < $1.time.lowerBound }
        for (place, next) in found.enumerated().dropFirst() {
            let last = found[place - 1]
            guard last.time.upperBound <= next.time.lowerBound + slack else {
                throw .overlap(last.state, next.state, at: next.time.lowerBound)
            }
            found[place - 1].time = last.time.lowerBound..<min(last.time.upperBound, next.time.lowerBound)
        }
        return found
    }
}

extension CalibrationBlock {
    /// Seconds from a block's beginning that are left out.
    public static let margin: Seconds = 1

    /// Pauses shorter than this, in seconds, do not part trials of one state: what is slow in an EEG stays as it is.
    public static let pause: Seconds = 10

    /// Puts a recording's epochs into blocks, one for each span: those that lie wholly within it, `margin` seconds after its
    /// beginning. Epochs that overlap never lie in two.
    /// - Parameters:
    ///   - spans: as `CalibrationSpan.separated` leaves them.
    ///   - pause: spans of one state that follow each other with a shorter pause, in seconds, are one block; what lies in
    ///     the pause is none of it.
    public static func blocks(
        _ epochs: [DecodableEpoch], spans: [CalibrationSpan], margin: Seconds = margin, joining pause: Seconds = 0
    ) -> [CalibrationBlock] {
        var blocks: [CalibrationBlock] = []
        var end: Seconds = -.infinity
        for span in spans.sorted(by: { $0.time.lowerBound < $1.time.lowerBound }) {
            // Rounding of onsets must not cost an epoch.
            let (from, until) = (span.time.lowerBound + margin - 1e-6, span.time.upperBound + 1e-6)
            let held = epochs.filter { $0.onset >= from && $0.onset + $0.duration <= until }
            if let last = blocks.last, last.state == span.state, span.time.lowerBound - end < pause {
                blocks[blocks.count - 1].epochs += held
            } else {
                blocks.append(CalibrationBlock(state: span.state, epochs: held))
            }
            end = span.time.upperBound
        }
        return blocks
    }
}
