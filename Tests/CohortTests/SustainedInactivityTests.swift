import Cohort
import Foundation
import Kernels
import TestSupport
import Testing

/// Sitting still by day is inactivity, not sleep, and is not compared by default.
struct SustainedInactivityTests {
    /// A wrist at 4 Hz for 20 minutes that turns every minute, or not at all in the second half.
    private static func wrist(rests: Bool, seed: UInt64) -> String {
        var random = RandomSource(seed: seed, "wrist")
        let rows = (0..<4_800).map { row -> String in
            let turns = !rests || row < 2_400 - Int(seed) * 200
            let isUp = turns && row / 240 % 2 == 0
            let (x, z) = isUp ? (0.7, 0.7) : (0.1, 1.0)
            return "\(Double(row) / 4),\(x + 0.02 * random.gaussian()),0,\(z + 0.02 * random.gaussian())"
        }
        return (["time,acc_x [g],acc_y [g],acc_z [g]"] + rows).joined(separator: "\n") + "\n"
    }

    @Test func inactivityByDayIsComparedOnlyWhereItIsNamed() throws {
        try withTemporaryFolder { folder in
            var cohort = try IntervalCohort(in: folder)
            cohort.recordings = ["{subject}_{session}.csv"]
            for person in UInt64(1)...3 {
                try cohort.write(Self.wrist(rests: false, seed: person), to: "0\(person)_a.csv")
                try cohort.write(Self.wrist(rests: true, seed: person), to: "0\(person)_b.csv")
            }
            try cohort.compute()
            let wide = try #require(try cohort.rows("indexes_wide", index: nil).first)
            #expect(wide["acceleration_sustainedInactivity"] != nil && wide["acceleration_asleep"] == nil)
            #expect(try !cohort.rows("comparisons", index: nil).isEmpty)
            #expect(try cohort.rows("comparisons", index: "sustainedInactivity").isEmpty)
            #expect(try cohort.rows("reliability", index: "sustainedInactivity").isEmpty)
            cohort.design.include = ["sustainedInactivity"]
            _ = try cohort.gather()
            let row = try #require(try cohort.rows("comparisons", index: "sustainedInactivity").first)
            #expect((Double(row["difference"] ?? "") ?? 0) > 0.2)
        }
    }

    @Test(arguments: ["[sustainedInactivity]", "[meanHR]", "sustainedInactivity"])
    func includeNamesWhatIsNotComparedByDefault(value: String) throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("study.yaml")
            try Data("comparisons: { include: \(value) }\n".utf8).write(to: file)
            if value == "[sustainedInactivity]" {
                #expect(try GroupDesign.read(file).include == ["sustainedInactivity"])
            } else {
                #expect(throws: CohortError.self) { try GroupDesign.read(file) }
            }
        }
    }
}
