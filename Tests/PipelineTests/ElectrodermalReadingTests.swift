import Electrodermal
import Formats
import Foundation
import Pipeline
import Signals
import TestSupport
import Testing

@Suite struct ElectrodermalReadingTests {
    /// A minute of a sensor's raw voltage and of the conductance of two hands, left at 2 µS and right at 5 µS.
    private func reading<Result>(_ body: (URL) throws -> Result) throws -> Result {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("hands.csv")
            let rows = (0..<240).map { "\(Double($0) / 4),900,2,5" }
            try Data((["time,EDA raw [mV],EDA left [uS],EDA right [uS]"] + rows).joined(separator: "\n").utf8)
                .write(to: url)
            return try body(url)
        }
    }

    @Test func `of two channels of skin conductance the first is used, and the other is told of`() throws {
        try reading { url in
            let result = try BodyReading.electrodermal(of: url)
            #expect(result.samples.allSatisfy { abs($0.raw - 2) < 1e-6 } && result.samples.count == 240)
            try #require(result.notes.count == 1)
            #expect(result.notes[0].contains("only channel EDA left was used, not EDA right"))
            let analysis = try RecordingAnalysis(Delimited(url), parameters: Parameters(), file: "hands.csv")
            #expect(analysis.remarks.contains { $0.contains("only channel EDA left was used, not EDA right") })
            #expect(analysis.notComputed.contains { $0.what == "channels EDA right of eda" })
        }
    }

    @Test(arguments: ["EDA right", "2"])
    func `the channel that is asked for is used`(wish: String) throws {
        try reading { url in
            let result = try BodyReading.electrodermal(of: url, SourceRequest(channel: wish))
            #expect(result.samples.allSatisfy { abs($0.raw - 5) < 1e-6 } && result.notes.isEmpty)
        }
    }

    @Test(arguments: [("EDA raw", "it has the unit mV"), ("both", "has no channel both")])
    func `a channel that cannot be used is refused with the reason`(wish: String, reason: String) throws {
        _ = try reading { url in
            #expect {
                try BodyReading.electrodermal(of: url, SourceRequest(channel: wish))
            } throws: { "\($0)".contains(reason) && "\($0)".contains("hands.csv") }
        }
    }

    @Test(
        .enabled(if: RealData.has("e4_stress_predict/S34.zip") && RealData.has("e4_stress_predict/S01")),
        arguments: ["S34.zip", "S01"])
    func `where a wristband sits loosely no level is below zero`(name: String) throws {
        let result = try BodyReading.electrodermal(of: RealData.url("e4_stress_predict/\(name)"))
        let skin = result.samples.filter { !$0.isArtefact && $0.tonic.isFinite }
        #expect(skin.count > 1_000 && skin.count < result.samples.count)
        #expect(skin.allSatisfy { $0.tonic > 0 }, "\(skin.map(\.tonic).min() ?? 0)")
        #expect(result.windows.allSatisfy { ($0.meanLevel ?? 1) > 0 })
    }

    @Test func `the table of samples cites what took them apart`() {
        func components(_ separation: ElectrodermalParameters.Separation) -> [Column] {
            var parameters = ElectrodermalParameters()
            parameters.separation = separation
            return ElectrodermalRows([], parameters: parameters).columns.filter {
                ["tonic", "phasic"].contains($0.name)
            }
        }
        #expect(components(.convex).allSatisfy { $0.reference?.contains("cvxEDA") == true })
        for separation in [ElectrodermalParameters.Separation.highPass, .median] {
            #expect(components(separation).count == 2 && components(separation).allSatisfy { $0.reference == nil })
        }
        #expect(components(.highPass).allSatisfy { $0.definition.contains("low-pass filter at 0.05 Hz") })
        #expect(components(.median).allSatisfy { $0.definition.contains("running median of 8.0 s") })
    }

    @Test func `skin resistance is named, with what makes conductance of it`() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("ohm.csv")
            let rows = (0..<240).map { "\(Double($0) / 4),\(200 + $0 % 7)" }
            try Data((["time [s],GSR [kOhm]"] + rows).joined(separator: "\n").utf8).write(to: url)
            #expect {
                try BodyReading.electrodermal(of: url)
            } throws: {
                "\($0)".contains(
                    "no eda stream; GSR is in kOhm, a resistance: conductance in µS is 1,000 divided by kOhm")
            }
        }
    }
}
