import Cohort
import Foundation
import TestSupport
import Testing

/// What a sensor tells that is off, or a window that is cut short, does not come into a group's numbers.
struct SensorOffTests {
    /// Skin conductance at 4 Hz over 400 s: 5 µS and a response every 8 s, but nothing from 120 s to 180 s.
    private static var table: String {
        let rows = (0..<1_600).map { row -> String in
            let time = Double(row) / 4
            if time >= 120, time < 180 { return "\(time),0" }
            let since = time.truncatingRemainder(dividingBy: 8)
            return "\(time),\(5 + exp(-since / 3) - exp(-since / 0.75))"
        }
        return (["time,EDA [uS]"] + rows).joined(separator: "\n") + "\n"
    }

    private static func cohort(in folder: URL) throws -> IntervalCohort {
        var cohort = try IntervalCohort(in: folder)
        cohort.recordings = ["{subject}.csv"]
        try cohort.write(table, to: "01.csv")
        try cohort.compute()
        return cohort
    }

    @Test func samplesOfASensorThatIsOffCountForNothingAndTheCoverageSaysSo() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            let wide = try #require(try cohort.rows("indexes_wide", index: nil).first)
            for name in ["eda_raw", "eda_conductance", "eda_tonic"] {
                let mean = try #require(Double(wide[name] ?? ""), "\(name)")
                #expect(mean > 4.9 && mean < 5.6, "\(name) \(mean)")
            }
            let artefacts = try #require(Double(wide["eda_artefact"] ?? ""))
            #expect(artefacts >= 0.15 && artefacts < 0.3)
            for index in ["raw", "conductance"] {
                let row = try #require(try cohort.rows("indexes_long", index: index).first)
                let coverage = try #require(Double(row["coverage"] ?? ""))
                #expect(abs(coverage - (1 - artefacts)) < 1e-6, "\(index) \(coverage)")
                #expect(row["n"] == "\(Int((coverage * 1_600).rounded()))")
            }
        }
    }

    /// A walk of five minutes, 1.8 steps a second, at 25 Hz; from `end` on the sensor is at its limits.
    private static func walk(until end: Double) -> String {
        let rows = (0..<7_500).map { row -> String in
            let time = Double(row) / 25
            let limit = sin(2 * .pi * 0.9 * time) > 0 ? "8" : "-8"
            if time >= end { return "\(time),\(limit),\(limit),\(limit)" }
            let swing = 1 + 0.3 * sin(2 * .pi * 1.8 * time)
            return "\(time),\(0.02 * sin(5 * time)),\(0.02 * cos(7 * time)),\(swing)"
        }
        return (["time,acc_x [g],acc_y [g],acc_z [g]"] + rows).joined(separator: "\n") + "\n"
    }

    @Test func epochsThatAreDroppedAddNothingToTheMeanOfTheOthers() throws {
        try withTemporaryFolder { folder in
            var cohort = try IntervalCohort(in: folder)
            cohort.recordings = ["{subject}.csv"]
            try cohort.write(Self.walk(until: 300), to: "01.csv")
            try cohort.write(Self.walk(until: 150), to: "02.csv")
            try cohort.compute()
            let wide = try cohort.rows("indexes_wide", index: nil)
            try #require(wide.count == 2)
            for name in ["acceleration_counts", "acceleration_steps"] {
                let whole = try #require(Double(wide[0][name] ?? ""), "\(name)")
                let half = try #require(Double(wide[1][name] ?? ""), "\(name)")
                #expect(whole > 0 && abs(half - whole) < 0.05 * whole, "\(name): \(whole) \(half)")
            }
            // That half is missing is told all the same.
            let told = try cohort.rows("missingness", index: nil).filter { $0["signal"] == "acceleration" }
            let coverage = told.compactMap { Double($0["coverage"] ?? "") }
            try #require(coverage.count == 2)
            #expect(coverage[0] > 0.99 && coverage[1] < 0.55, "\(coverage)")
        }
    }

    @Test func countsOfWindowsThatAreCoveredInPartCountForThatPart() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            let windows = try cohort.rows("indexes_long", index: "nSCR").compactMap { row -> (Double, Double)? in
                guard let count = Double(row["value"] ?? ""), let share = Double(row["coverage"] ?? "") else {
                    return nil
                }
                return (count, share)
            }
            #expect(windows.contains { $0.1 < 0.7 } && windows.count { $0.1 > 0.99 } >= 3, "\(windows)")
            let wide = try #require(try cohort.rows("indexes_wide", index: nil).first)
            let told = try #require(Double(wide["eda_nSCR"] ?? ""))
            let (count, share) = windows.reduce((0.0, 0.0)) { ($0.0 + $1.0, $0.1 + $1.1) }
            #expect(abs(told - count / share) < 1e-6)
            #expect(told > count / Double(windows.count) + 0.2)
            let whole = windows.filter { $0.1 > 0.99 }.map(\.0)
            #expect(abs(told - whole.reduce(0, +) / Double(whole.count)) < 1, "\(windows)")
        }
    }
}
