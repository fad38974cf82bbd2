import Formats
public import Foundation
public import Pipeline
import Signals

/// What a session showed beside what its recording gives when it is analyzed: the two must be the same to the bit.
public struct LiveCheck: Sendable, Codable {
    /// One source of heart beats.
    public struct Source: Sendable, Codable {
        /// Its stream, and the channel where there are several.
        public var name: String
        /// How many beats, intervals, windows and changes were compared.
        public var compared: Int
        /// What differs, by name; empty when nothing does.
        public var differing: [String]
    }

    /// Each source of the recording or the session.
    public var sources: [Source]

    /// Whether nothing differs.
    public var isSame: Bool { sources.allSatisfy(\.differing.isEmpty) }

    /// Analyzes the recording and compares it with what was computed while it was made.
    /// - Throws: what reading and analyzing throw.
    public init(_ live: [CardiacResult], recording: URL, parameters: Parameters) throws {
        let analysis = try RecordingAnalysis(
            try RecordingFile.open(recording), parameters: parameters, file: recording.relativePath)
        sources = analysis.results.map { offline in
            guard let shown = live.first(where: { $0.source == offline.source }) else {
                // Of a stream that brought nothing there is nothing to show.
                var source = Self.compare(offline, offline)
                if source.compared > 0 {
                    source = Source(name: source.name, compared: 0, differing: ["all: nothing was shown"])
                }
                return source
            }
            return Self.compare(shown, offline)
        }
        for result in live where !analysis.results.contains(where: { $0.source == result.source }) {
            sources.append(
                Source(name: result.source.name, compared: 0, differing: ["all: the recording does not have it"]))
        }
    }

    private static func compare(_ live: CardiacResult, _ offline: CardiacResult) -> Source {
        var source = Source(name: offline.source.name, compared: 0, differing: [])
        func check<Values: Collection & Equatable>(_ name: String, _ values: KeyPath<CardiacResult, Values>) {
            source.compared += offline[keyPath: values].count
            if live[keyPath: values] != offline[keyPath: values] { source.differing.append(name) }
        }
        check("beats", \.beats)
        check("intervals", \.intervals)
        check("corrected intervals", \.nn)
        check("quality", \.quality)
        check("heart rate variability", \.windows)
        check("rhythm", \.rhythm)
        check("rhythm changes", \.rhythmChanges)
        check("respiration", \.respiration)
        return source
    }
}
