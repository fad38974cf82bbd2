import Cohort
import Foundation
import Pipeline
import Signals
import Study
import TestSupport
import Testing

/// Studies and batches agree on which results are up to date, whatever is done to a result.
struct UpToDateTests {
    /// What may happen to a file.
    enum Change: String, CaseIterable, Sendable {
        case delete, truncate, alter, touch

        func make(to url: URL) throws {
            switch self {
            case .delete: try FileManager.default.removeItem(at: url)
            case .truncate: try Data(contentsOf: url).dropLast().write(to: url)
            case .alter:
                var data = try Data(contentsOf: url)
                data[data.count / 2] ^= 1
                try data.write(to: url)
            case .touch:
                try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: url.path)
            }
        }
    }

    private static let now = Timestamp(secondsSince1970: 1_700_000_000)

    /// A study with two runs of two minutes of intervals.
    private static func study(in folder: URL) throws -> StudyFolder {
        let study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "s", version: "1")
        for person in 1...2 {
            let url = folder.appendingPathComponent("\(person).rr")
            let lines = (0..<150).map { String(format: "%.1f", 800 + Double(($0 * person) % 7) * 9) }
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: url)
            let name = try #require(RunName(subject: "0\(person)", task: "rest"))
            _ = try StudyImport(study: study, name: name).add(url, at: now)
        }
        return study
    }

    /// The runs that were analyzed, and those that needed nothing.
    private static func analyze(_ study: StudyFolder) throws -> (finished: [String], unchanged: [String]) {
        var (finished, unchanged): ([String], [String]) = ([], [])
        let parameters = try study.parametersFile.map { try Parameters(reading: $0) } ?? Parameters()
        let analysis = StudyAnalysis(study: study, parameters: parameters, now: { now }) { message in
            switch message {
            case .finished(let name, _): finished.append(name.stem)
            case .unchanged(let name): unchanged.append(name.stem)
            case .progress, .failed: break
            }
        }
        #expect(try analysis.run().failed == 0)
        return (finished, unchanged)
    }

    /// A batch of the study.
    private static func plan(_ study: StudyFolder, _ batch: BatchFolder) throws -> BatchPlan {
        let units = try CohortDataset(study.root, mapping: nil).units
        let plan = try BatchPlan(units, of: study.root, into: batch, parameters: Parameters())
        try plan.keep(parameters: Parameters())
        return plan
    }

    private static func files(below folder: URL) -> [String] {
        let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return all.filter { $0.hasPrefix("sub-01") && URL(fileURLWithPath: $0).pathExtension != "" }.sorted()
    }

    @Test("analyze, batch and validate agree after each change of each result")
    func allAgree() throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder)
            #expect(try Self.analyze(study).finished.count == 2)
            let batch = BatchFolder(folder.appendingPathComponent("out"))
            try batch.make(derivedFrom: "study")
            for plan in try Self.plan(study, batch).work() { _ = try UnitRun(batch).perform(plan.unit.stem) }
            #expect(try Self.plan(study, batch).work().isEmpty && study.resultFindings(readsRecordings: true).isEmpty)
            #expect(try Self.analyze(study).unchanged.count == 2)
            let names = Self.files(below: study.derivatives)
            #expect(names.count > 10)
            for name in names {
                for change in Change.allCases {
                    let isStale = change != .touch
                    try change.make(to: study.derivatives.appendingPathComponent(name))
                    let findings = try study.resultFindings(readsRecordings: true)
                    #expect(findings.contains { $0.severity == .error } == isStale, "\(change) \(name): \(findings)")
                    if isStale { #expect(findings.contains { $0.path.hasSuffix(name) }, "\(findings)") }
                    #expect(
                        try Self.analyze(study).finished == (isStale ? ["sub-01_task-rest"] : []), "\(change) \(name)")
                    #expect(try study.resultFindings(readsRecordings: true).isEmpty)
                    let twin = batch.root.appendingPathComponent(name)
                    guard FileManager.default.fileExists(atPath: twin.path) else { continue }
                    try change.make(to: twin)
                    let open = try Self.plan(study, batch).work().map(\.unit.stem)
                    #expect(open == (isStale ? ["sub-01_task-rest"] : []), "batch: \(change) \(name)")
                    for stem in open { #expect(try UnitRun(batch).perform(stem) == .done) }
                }
            }
        }
    }

    @Test("a batch in the study's own folder of results changes nothing that analyze made")
    func bothEnginesWriteTheSame() throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder)
            _ = try Self.analyze(study)
            let batch = BatchFolder(study.derivatives)
            try batch.make(derivedFrom: "study")
            for plan in try Self.plan(study, batch).work() { _ = try UnitRun(batch).perform(plan.unit.stem) }
            #expect(try Self.analyze(study).unchanged.count == 2)
            #expect(try study.resultFindings(readsRecordings: true).isEmpty)
        }
    }

    @Test("results of other parameters are told of as what they are")
    func otherParameters() throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder)
            _ = try Self.analyze(study)
            try Data("hrv: { window: 60 }\n".utf8).write(to: study.root.appendingPathComponent("study.yaml"))
            let findings = try study.resultFindings(readsRecordings: true)
            #expect(findings.count == 2 && findings.allSatisfy { $0.severity == .warning }, "\(findings)")
            #expect(findings[0].problem.contains("made with other parameters"))
        }
    }

    @Test("the same bytes under two labels are named by batch, add and validate")
    func copiesAreNamed() throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder)
            let name = try #require(RunName(subject: "03", task: "rest"))
            let path = try StudyImport(study: study, name: name).add(
                folder.appendingPathComponent("1.rr"), at: Self.now)
            let copies = try study.copies(of: path)
            #expect(copies.count == 1 && copies[0].contains("sub-01"), "\(copies)")
            let findings = try study.resultFindings(readsRecordings: true)
            #expect(findings.count == 1 && findings[0].problem.contains("the same bytes"), "\(findings)")
            let batch = BatchFolder(folder.appendingPathComponent("out"))
            try batch.make(derivedFrom: "study")
            for plan in try Self.plan(study, batch).work() { _ = try UnitRun(batch).perform(plan.unit.stem) }
            let lines = try Self.plan(study, batch).sameBytes
            #expect(lines.count == 1 && lines[0].contains("sub-01_task-rest") && lines[0].contains("sub-03_task-rest"))
            var warnings: [String] = []
            _ = try GroupTables(Self.plan(study, batch), hasPages: false).write(warn: { warnings.append($0) })
            #expect(warnings.contains { $0.contains("the same bytes under 2 labels") }, "\(warnings)")
        }
    }
}
