import Cohort
import Formats
import Foundation
import TestSupport
import Testing

/// What SPSS is told of the variables.
struct SPSSExportTests {
    private static func export(_ batch: BatchFolder, in folder: URL) throws -> (String) -> String {
        let target = folder.appendingPathComponent("spss")
        let files = try GroupExport(batch).write(.spss, to: target)
        let texts = try files.map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
        let known = Dictionary(uniqueKeysWithValues: texts)
        return { known[$0] ?? "" }
    }

    /// Each variable of a command that has lines of two, a name and what it is given.
    private static func labels(_ syntax: String) -> [(variable: String, label: String)] {
        let block =
            syntax.components(separatedBy: "VARIABLE LABELS\n").last?.components(separatedBy: "\".\n").first ?? ""
        let lines = block.split(separator: "\n").map(String.init)
        return stride(from: 0, to: lines.count - 1, by: 2).map { place in
            let variable = lines[place].trimmingCharacters(in: CharacterSet(charactersIn: " /"))
            return (variable, lines[place + 1].trimmingCharacters(in: CharacterSet(charactersIn: " \"")))
        }
    }

    /// How the variables of a table are read, by name.
    private static func formats(_ syntax: String) -> [String: String] {
        let block = syntax.components(separatedBy: "/VARIABLES=\n").last?.components(separatedBy: "\n  .\n").first ?? ""
        let pairs = block.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        return Dictionary(uniqueKeysWithValues: pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) })
    }

    @Test func labelsBeginWithWhatTellsVariablesApartAndFit() throws {
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder)
            try cohort.compute()
            let text = try Self.export(cohort.batch, in: folder)
            let labels = Self.labels(text("indexes_wide.sps"))
            #expect(labels.count > 200)
            #expect(Set(labels.map(\.label)).count == labels.count)
            for (variable, label) in labels {
                #expect(label.utf8.count <= 255, "\(label)")
                let name = label.prefix { $0 != "[" && $0 != ":" }.map { $0.isLetter || $0.isNumber ? $0 : "_" }
                let words = String(name).split(separator: "_").joined(separator: "_")
                #expect(words.hasPrefix(variable.prefix(20)), "\(variable): \(label)")
            }
            let heart = try #require(labels.first { $0.variable == "ecg_rmssd" })
            #expect(heart.label.hasPrefix("ecg_rmssd [ms]: "))
            #expect(labels.contains { $0.label.hasPrefix("eeg_TP9 - AF7_alphaCoherence: ") })
            for line in text("indexes_wide.sps").split(separator: "\n") {
                #expect(line.utf8.count <= 256, "\(line)")
            }
        }
    }

    @Test func noNumberButZeroIsShownAsZero() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...8 {
                try cohort.add("0\(person)_1_rest", 60 + Double(person))
                try cohort.add("0\(person)_1_stress", 90 + Double(person) + 0.1 * Double(person % 3))
            }
            try cohort.compute()
            let smallest = try cohort.rows("comparisons").compactMap { Double($0["p"] ?? "") }.min() ?? 1
            try #require(smallest < 1e-9)
            let text = try Self.export(cohort.batch, in: folder)
            let syntax = text("comparisons.sps")
            let shown = syntax.components(separatedBy: "FORMATS\n").last?.components(separatedBy: ".\n").first ?? ""
            for name in ["p", "q"] { #expect(shown.contains("  \(name) (E16.8)"), "\(shown)") }
            // Of all others every decimal that the table has is shown.
            for name in ["comparisons", "indexes_wide", "outliers"] {
                let table = try TextTable(reading: cohort.batch.root.appendingPathComponent("group/\(name).tsv"))
                let syntax = text("\(name).sps")
                for (variable, format) in Self.formats(syntax) where format.hasPrefix("F") {
                    guard table.has(variable), !syntax.contains("  \(variable) (E16.8)") else { continue }
                    let decimals = Int(format.split(separator: ".").last ?? "") ?? -1
                    for cell in try table.texts(variable).compactMap({ $0 }) {
                        let own = cell.split(separator: ".").dropFirst().first?.count ?? 0
                        #expect(own <= decimals && !cell.contains("e"), "\(name) \(variable) \(format): \(cell)")
                    }
                }
            }
        }
    }

    @Test func keysAreEquallyWideInAllTablesAndNoWiderThanTheirTexts() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for (person, rate) in [("1", 60.0), ("22", 66), ("abcdefg", 71)] {
                try cohort.add("\(person)_1_rest", rate)
                try cohort.add("\(person)_1_work", rate + 5)
            }
            try cohort.compute()
            // The one with the longest label has no results, so that it is in two of the tables alone.
            try cohort.write("no intervals\n", to: "abcdefghij_1_rest.rr")
            for plan in try cohort.plan().work() { _ = try UnitRun(cohort.batch).perform(plan.unit.stem) }
            _ = try cohort.gather()
            let text = try Self.export(cohort.batch, in: folder)
            for name in ["indexes_long", "indexes_wide", "condition_means", "missingness", "outliers", "failures"] {
                let formats = Self.formats(text("\(name).sps"))
                #expect(formats["participant"] == "A10" && formats["session"] == "A1", "\(name) \(formats)")
                #expect(formats["task"] == "A4" && formats["acquisition"] == "A1", "\(name)")
            }
        }
    }

    @Test func codesAreExplainedAndEveryVariableHasALevel() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...3 { try cohort.add("0\(person)_1_rest", 60 + Double(person)) }
            try cohort.compute()
            let syntax = try Self.export(cohort.batch, in: folder)("outliers.sps")
            #expect(syntax.contains("VALUE LABELS\n  outlier\n  0 \"z is not below -3.5\"\n  1 \"z is below -3.5\".\n"))
            let levels = syntax.components(separatedBy: "VARIABLE LEVEL\n").last ?? ""
            let (scale, nominal) = (
                levels.components(separatedBy: " (SCALE)").first ?? "",
                levels.components(separatedBy: "/").last ?? ""
            )
            for name in ["quality", "coverage", "z"] { #expect(scale.contains("  \(name)"), "\(levels)") }
            for name in ["participant", "run", "outlier", "remarks"] { #expect(nominal.contains(name), "\(levels)") }
            #expect(nominal.hasSuffix(" (NOMINAL).\n"))
        }
    }

    @Test func theSyntaxTellsPSPPWhatItSays() throws {
        let pspp = "/usr/bin/pspp"
        guard FileManager.default.isExecutableFile(atPath: pspp) else {
            return print("skipped: pspp, which runs SPSS syntax, is not installed")
        }
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...4 {
                try cohort.add("0\(person)_1_rest", 60 + Double(person))
                try cohort.add("0\(person)_1_stress", 90 + Double(person) + 0.1 * Double(person % 3))
            }
            try cohort.compute()
            let text = try Self.export(cohort.batch, in: folder)
            let script = folder.appendingPathComponent("spss/show.sps")
            let command = text("comparisons.sps") + "LIST /VARIABLES=p.\n"
            try Data(command.utf8).write(to: script)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: pspp)
            process.arguments = ["-b", "-o", "-", script.path]
            process.currentDirectoryURL = script.deletingLastPathComponent()
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(output.contains("E-0") && !output.lowercased().contains("error"), "\(output)")
        }
    }
}
