import Cohort
import Foundation
import Pipeline
import TestSupport
import Testing

/// Descriptions of columns are for people: no number, no name and no time of any export depends on them.
struct DescriptionTests {
    private static func write(_ text: String, to path: String, in folder: URL) throws {
        let url = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// Skin conductance with responses, in recordings that begin 20 s before their runs, with two conditions.
    private static func earlyDataset(in folder: URL) throws -> URL {
        let data = folder.appendingPathComponent("data")
        for person in 1...3 {
            let stem = "sub-0\(person)/func/sub-0\(person)_task-x_physio"
            let values = (0..<2_600).map { tenth -> String in
                let time = Double(tenth) / 10
                let since = time.truncatingRemainder(dividingBy: 25)
                let response = since > 2 ? 0.6 * (exp(-(since - 2) / 4) - exp(-(since - 2) / 0.8)) : 0
                return String(format: "%.5f\n", 3 + Double(person) / 10 + response + (time > 140 ? 0.5 : 0))
            }
            try write(values.joined(), to: stem + ".tsv", in: data)
            try write(
                "{\"SamplingFrequency\": 10, \"StartTime\": -20, \"Columns\": [\"eda\"], \"eda\": {\"Units\": \"uS\"}}",
                to: stem + ".json", in: data)
            let gzip = Process()
            gzip.executableURL = URL(fileURLWithPath: "/bin/gzip")
            gzip.arguments = ["-fn", data.appendingPathComponent(stem + ".tsv").path]
            try gzip.run()
            gzip.waitUntilExit()
            try write(
                "onset\tduration\ttrial_type\n0\t120\trest\n120\t120\twork\n",
                to: "sub-0\(person)/func/sub-0\(person)_task-x_events.tsv", in: data)
        }
        try write("{\"Name\": \"n\", \"BIDSVersion\": \"1.10.0\"}", to: "dataset_description.json", in: data)
        return data
    }

    /// All results, group tables and exports of a data set, by their paths; of sidecars all but the descriptions.
    private static func everything(
        _ data: URL, in folder: URL, describing: @escaping @Sendable (String) -> String
    ) throws -> [String: Data] {
        let batch = BatchFolder(folder.appendingPathComponent("out"))
        try batch.make(derivedFrom: "data")
        let units = try CohortDataset(data, mapping: nil).units
        func plan() throws -> BatchPlan {
            try BatchPlan(units, of: data, into: batch, parameters: SmallCohort.parameters, hasReport: false)
        }
        try plan().keep(parameters: SmallCohort.parameters)
        var run = UnitRun(batch)
        run.describing = describing
        for plan in try plan().work() { #expect(try run.perform(plan.unit.stem) == .done) }
        _ = try GroupTables(plan(), hasPages: false).write()
        _ = try BIDSExport(batch, to: folder.appendingPathComponent("bids")).write()
        _ = try GroupExport(batch).write(.parquet, to: folder.appendingPathComponent("parquet"))
        _ = try GroupExport(batch).write(.spss, to: folder.appendingPathComponent("spss"))
        var found: [String: Data] = [:]
        for case let path as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() {
            let url = folder.appendingPathComponent(path)
            guard !path.contains(".marey"), !path.contains("logs/") else { continue }
            switch url.pathExtension {
            case "tsv", "csv", "parquet": found[path] = try Data(contentsOf: url)
            case "json": found[path] = try withoutDescriptions(url)
            default: break
            }
        }
        return found
    }

    private static func withoutDescriptions(_ url: URL) throws -> Data {
        guard var object = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] else {
            return Data()
        }
        for (name, entry) in object {
            guard var entry = entry as? [String: Any] else { continue }
            entry["Description"] = nil
            object[name] = entry
        }
        // Hashes of results that hold descriptions.
        object["recordingsSHA256"] = nil
        return try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
    }

    private static func demandSame(_ data: URL, in folder: URL) throws -> [String: Data] {
        func all(_ name: String, _ describing: @escaping @Sendable (String) -> String) throws -> [String: Data] {
            try everything(data, in: folder.appendingPathComponent(name), describing: describing)
        }
        let plain = try all("plain") { $0 }
        #expect(plain.count > 20)
        let wordings: [(String, @Sendable (String) -> String)] = [
            ("empty", { _ in "" }), ("same", { _ in "from the recording's start" }),
            ("reversed", { String($0.reversed()) }),
        ]
        for (name, wording) in wordings {
            let other = try all(name, wording)
            #expect(Set(other.keys) == Set(plain.keys))
            for (path, content) in plain { #expect(other[path] == content, "\(name): \(path)") }
        }
        return plain
    }

    @Test("moments of recordings that begin before their runs are shifted whatever descriptions say")
    func momentsAreShifted() throws {
        try withTemporaryFolder { folder in
            let plain = try Self.demandSame(Self.earlyDataset(in: folder), in: folder)
            func column(_ name: String, _ end: String) throws -> [Double] {
                let data = try #require(plain.first { $0.key.hasPrefix("bids/sub-01") && $0.key.hasSuffix(end) }?.value)
                let rows = String(decoding: data, as: UTF8.self).split(separator: "\n").map {
                    $0.split(separator: "\t")
                }
                let place = try #require(rows[0].firstIndex { $0 == name })
                return rows.dropFirst().compactMap { Double($0[place]) }
            }
            let (onsets, peaks) = (try column("onset", "Scr_events.tsv"), try column("peak", "Scr_events.tsv"))
            let lengths = try column("duration", "Scr_events.tsv")
            #expect(onsets.count > 4)
            for (onset, (peak, length)) in zip(onsets, zip(peaks, lengths)) {
                #expect(abs(peak - onset - length) < 0.01, "peaks are shifted as onsets are, lengths are not")
            }
            let first = try #require(try column("onset", "Eda_beh.tsv").first)
            #expect((-20 ... -19).contains(first))
        }
    }

    @Test("all signals of a cohort export the same whatever descriptions say")
    func everyExportIsTheSame() throws {
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder)
            _ = try Self.demandSame(cohort.data, in: folder)
        }
    }
}
