import Formats
public import Foundation
public import Pipeline
import Signals

/// What a session showed beside what its recording gives when it is analyzed: the two must be the same to the bit.
public struct LiveCheck: Sendable, Codable {
    /// One stream, or one channel of it, of which something is computed.
    public struct Source: Sendable, Codable {
        /// Its stream, and the channel where there are several.
        public var name: String
        /// How many beats, intervals, windows, epochs and the like were compared.
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
    public init(_ live: StreamResults, recording: URL, parameters: Parameters) throws {
        // A session shows everything, whatever a study's analysis leaves out.
        var parameters = parameters
        parameters.outputs = AnalysisOutput.allCases
        let analysis = try RecordingAnalysis(
            try RecordingFile.open(recording), parameters: parameters, file: recording.relativePath)
        self.init(live, analysis.streams)
    }

    init(_ live: StreamResults, _ offline: StreamResults) {
        sources = Self.compare(live.hearts, offline.hearts, { $0.source }, { $0.source.name }, ComparedValues.of)
        sources += Self.compare(live.belts, offline.belts, { $0.source }, { $0.source.name }, ComparedValues.of)
        sources += Self.compare(
            live.electrodermal, offline.electrodermal, { $0.source }, { $0.source.name }, ComparedValues.of)
        sources += Self.compare(live.motion, offline.motion, { $0.source }, { $0.source.name }, ComparedValues.of)
        // Where muscles and eyes help to tell sleep, which is told at the end, the file has all of them; a session may have
        // met them after the EEG.
        let isHelped = Set(
            (live.brains + offline.brains).filter { $0.source.muscle != nil || $0.source.eyes != nil }
                .map(\.source.stream))
        sources += Self.compare(live.brains, offline.brains, { $0.source.stream }, { $0.source.name }) {
            ComparedValues.of($0, withSleep: !isHelped.contains($0.source.stream))
        }
    }

    private static func compare<Result, Place: Equatable>(
        _ live: [Result], _ offline: [Result], _ place: (Result) -> Place, _ name: (Result) -> String,
        _ values: (Result) -> [ComparedValues]
    ) -> [Source] {
        let there = offline.map { result in
            let offered = values(result)
            let count = offered.reduce(0) { $0 + $1.count }
            var source = Source(name: name(result), compared: count, differing: [])
            if let shown = live.first(where: { place($0) == place(result) }) {
                source.differing = zip(values(shown), offered).filter { !$0.isSame(as: $1) }.map(\.0.name)
            } else if count > 0 {
                // Of a stream that brought nothing there is nothing to show.
                (source.compared, source.differing) = (0, ["all: nothing was shown"])
            }
            return source
        }
        let missing = live.filter { shown in !offline.contains { place($0) == place(shown) } }
        return there
            + missing.map { Source(name: name($0), compared: 0, differing: ["all: the recording does not have it"]) }
    }
}
