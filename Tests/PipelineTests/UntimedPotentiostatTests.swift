import Formats
import Foundation
import Pipeline
import Signals
import TestSupport
import Testing

/// A log of an instrument whose script sends times, or does not.
struct UntimedPotentiostatTests {
    /// Ten seconds each at 0 V, 0.5 V and 0 V, ten points a second: 1 µA, and after the step up 9 µA more that decay
    /// with 0.5 s.
    private func tables(isTimed: Bool) throws -> [String: Table] {
        func number(_ value: Double, _ prefix: String) -> String {
            String(format: "%07X", Int(value.rounded()) + 0x800_0000) + prefix
        }
        let packages = (0..<300).map { k -> String in
            let time = Double(k) / 10
            let isHigh = (10.0..<20).contains(time)
            let current = 1e-6 + (isHigh ? 9e-6 * exp(-(time - 10) / 0.5) : 0)
            let stamp = isTimed ? "eb\(number(time * 1e3, "m"));" : ""
            return "P\(stamp)da\(number(isHigh ? 5e5 : 0, "u"));ba\(number(current * 1e12, "p")),10,288"
        }
        return try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("log.txt")
            try Data((["e", "M0007"] + packages + ["*", ""]).joined(separator: "\n").utf8).write(to: url)
            let analysis = try RecordingAnalysis(MethodSCRIPTLog(url), parameters: Parameters(), file: "log.txt")
            let result = try #require(analysis.electrochemistry.first)
            return Dictionary(uniqueKeysWithValues: result.tables.map { ($0.suffix, $0.table) })
        }
    }

    private func column(_ name: String, of table: Table) throws -> [Cell] {
        let place = try #require(table.columns.firstIndex { $0.name == name })
        return table.rows.map { $0[place] }
    }

    @Test func `with times a step has its charge`() throws {
        let steps = try #require(try tables(isTimed: true)["desc-potentialsteps_events"])
        guard case .number(let charge) = try column("charge", of: steps)[1] else {
            Issue.record("no charge")
            return
        }
        // 1 µA over 9.9 s and 9 µA decaying with 0.5 s.
        #expect(abs(charge - (9.9e-6 + 4.5e-6)) < 0.1e-6)
        #expect(!steps.columns.contains { $0.name == "package" })
    }

    @Test func `numbers of packages are not taken for seconds`() throws {
        let tables = try tables(isTimed: false)
        let steps = try #require(tables["desc-potentialsteps_events"])
        for name in ["onset", "duration", "charge"] {
            #expect(try column(name, of: steps) == [.missing, .missing, .missing], "\(name)")
        }
        #expect(try column("package", of: steps) == [.number(0), .number(100), .number(200)])
        #expect(try column("count", of: steps) == [.integer(100), .integer(100), .integer(100)])
        let points = try #require(tables["desc-electrochemistry_physio"])
        #expect(try column("onset", of: points).allSatisfy { $0 == .missing })
        #expect(try column("package", of: points) == (0..<300).map { .number(Double($0)) })
        #expect(points.columns.last?.unit == .dimensionless)
    }
}
