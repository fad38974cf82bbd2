import Signals

/// The quality of a whole recording in a line.
public struct SessionVerdict: Hashable, Sendable {
    /// How much may be relied on the recording.
    public enum Grade: String, Hashable, Sendable, CaseIterable {
        /// Nine tenths of every stream's windows may be used.
        case good
        /// Half of every stream's windows may be used, or nothing bears out one of them.
        case doubtful
        /// Some stream has less.
        case poor
    }

    /// A stream's share.
    public struct Stream: Hashable, Sendable {
        /// The stream's name.
        public var name: String
        /// Share of its windows that may be used, 0…1.
        public var good: Double
        /// What most of the other windows have in common, with the share of all windows; nil where all may be used.
        public var main: (reason: QualityReason, share: Double)? {
            reason.map { ($0, share) }
        }
        /// Share of its windows that may be used though nothing bears them out, 0…1.
        public var unconfirmed: Double
        private var reason: QualityReason?
        private var share = 0.0

        init(_ name: String, _ windows: [QualityWindow], _ parameters: QualityParameters) {
            self.name = name
            var (bad, all, alone) = (0.0, 0.0, 0.0)
            var counts: [QualityReason: Double] = [:]
            for window in windows {
                let places = parameters.places(of: window)
                all += places
                guard !window.isGood else {
                    if window.reasons.contains(.unconfirmed) { alone += places }
                    continue
                }
                bad += places
                for reason in window.reasons { counts[reason, default: 0] += places }
            }
            good = (all - bad) / all
            unconfirmed = alone / all
            // Of equally common ones the first is told.
            guard let most = counts.values.max() else { return }
            reason = QualityReason.allCases.first { counts[$0] == most }
            share = most / all
        }
    }

    /// The streams that were judged, in their order.
    public let streams: [Stream]

    /// The verdict on streams by their windows, made with these parameters; streams without windows are left out.
    public init(
        _ streams: [(name: String, windows: [QualityWindow])], _ parameters: QualityParameters = QualityParameters()
    ) {
        self.streams = streams.filter { !$0.windows.isEmpty }.map { Stream($0.name, $0.windows, parameters) }
    }

    /// The grade of the worst stream; nil where none was judged.
    public var grade: Grade? {
        guard let worst = streams.map(\.good).min() else { return nil }
        let isBorneOut = streams.allSatisfy { $0.unconfirmed < 0.1 }
        return worst >= Self.enoughForGood && isBorneOut ? .good : worst >= Self.enoughToUse ? .doubtful : .poor
    }

    /// The shares of windows from which on a stream is good, and doubtful.
    private static let (enoughForGood, enoughToUse) = (0.9, 0.5)

    /// The line: the grade, and for each stream its share of usable windows with what is wrong with the most of the rest.
    public var line: String { line(naming: \.rawValue) }

    /// The same line, with the reasons called as `name` calls them.
    public func line(naming name: (QualityReason) -> String) -> String {
        guard let grade else { return "not judged: no windows" }
        let parts = streams.map { stream in
            // A share that was too small must not read as if it were enough.
            let bound = stream.good < Self.enoughToUse ? Self.enoughToUse : Self.enoughForGood
            var text = "\(stream.name) \(Percentage(stream.good, below: bound)) usable"
            var remarks = stream.main.map { ["\(name($0.reason)) \(Percentage($0.share))"] } ?? []
            if stream.unconfirmed > 0 {
                remarks.append("\(name(.unconfirmed)) \(Percentage(stream.unconfirmed))")
            }
            if !remarks.isEmpty { text += " (\(remarks.joined(separator: ", ")))" }
            return text
        }
        return "\(grade.rawValue): " + parts.joined(separator: ", ")
    }
}
