import Electrochemistry
import Formats
import Foundation
import Pipeline
import Signals
import TestSupport
import Testing

/// A log of a script that measures more than once, or more than one current.
struct MeasurementsOfALogTests {
    /// A variable with a value in millionths of its unit (`u`) or in millionths of those (`p`).
    private static func variable(_ code: String, _ value: Double, _ prefix: Character = "u") -> String {
        let scaled = value * (prefix == "p" ? 1e12 : 1e6)
        return code + String(format: "%07X", Int(scaled.rounded()) + 0x800_0000) + String(prefix)
    }

    /// 100 points, 0.1 s apart.
    private static func held(_ potential: Double, _ current: Double, from start: Double = 0) -> [String] {
        let packages = (0..<100).map { k in
            [
                variable("eb", start + Double(k) / 10), variable("da", potential), variable("ba", current, "p"),
            ].joined(separator: ";")
        }
        return ["M0007"] + packages.map { "P" + $0 } + ["*"]
    }

    /// 160 points from -0.2 V to 0.6 V, 0.05 s apart, with a peak of 5 µA at 0.3 V.
    private static func swept(from start: Double = 0) -> [String] {
        let packages = (0..<160).map { k -> String in
            let potential = -0.2 + 0.8 * Double(k) / 159
            let current = 2e-6 * potential + 5e-6 * exp(-pow((potential - 0.3) / 0.04, 2) / 2)
            return [
                variable("eb", start + Double(k) / 20), variable("da", potential), variable("ba", current, "p"),
            ].joined(separator: ";")
        }
        return ["M0000"] + packages.map { "P" + $0 } + ["*"]
    }

    /// 40 frequencies of 100 Ω in series with `transfer` beside 1 µF.
    private static func spectrum(_ transfer: Double) -> [String] {
        let packages = (0..<40).map { k -> String in
            let frequency = pow(10, 5 - 6 * Double(k) / 39)
            let turn = 2 * Double.pi * frequency * transfer * 1e-6
            let share = transfer / (1 + turn * turn)
            func number(_ value: Double) -> String {
                String(format: "%07X", Int((value * 1e3).rounded()) + 0x800_0000) + "m"
            }
            return "Pdc\(number(frequency));cc\(number(100 + share));cd\(number(-turn * share))"
        }
        return ["M000D"] + packages + ["*"]
    }

    private func result(_ lines: [String]) throws -> ElectrochemicalResult {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("log.txt")
            try Data((["e"] + lines + [""]).joined(separator: "\n").utf8).write(to: url)
            let analysis = try RecordingAnalysis(MethodSCRIPTLog(url), parameters: Parameters(), file: "log.txt")
            return try #require(analysis.electrochemistry.first)
        }
    }

    @Test(arguments: [0, 10.0])
    func `each potential that was held is a step, whether or not times begin anew`(start: Double) throws {
        let result = try result(Self.held(0.1, 1e-6) + Self.held(0.5, 3e-6, from: start))
        #expect(result.points.count == 200 && Set(result.points.map(\.onset)).count == 200)
        try #require(result.steps.count == 2)
        #expect(result.steps.map(\.potential) == [0.1, 0.5] && result.steps.map(\.count) == [100, 100])
        #expect(result.steps.allSatisfy { abs(($0.duration ?? 0) - 9.9) < 1e-9 })
        #expect(abs(result.steps[1].onset - 10) < 1e-9 && abs((result.steps[1].change ?? 0) - 0.4) < 1e-9)
        #expect(zip(result.steps, [1e-6, 3e-6]).allSatisfy { abs(($0.baseline ?? 0) - $1) < 1e-12 })
    }

    @Test func `the same potential held twice is two steps`() throws {
        let steps = try result(Self.held(0.1, 1e-6) + Self.held(0.1, 2e-6)).steps
        #expect(steps.map(\.count) == [100, 100] && steps.last?.baseline.map { abs($0 - 2e-6) < 1e-12 } == true)
    }

    @Test(arguments: [0, 8.0])
    func `each sweep keeps its peak`(start: Double) throws {
        let result = try result(Self.swept() + Self.swept(from: start))
        #expect(result.points.count == 320 && result.sweeps.count == 2 && result.steps.isEmpty)
        for sweep in result.sweeps {
            #expect(sweep.points.count == 160 && sweep.peaks.count == 1)
            #expect(abs((sweep.peaks.first?.potential ?? 0) - 0.3) < 0.01)
        }
    }

    @Test(arguments: [0, 10.0])
    func `a step and a sweep of one script are both told`(start: Double) throws {
        let result = try result(Self.held(0.1, 1e-6) + Self.swept(from: start))
        #expect(result.steps.map(\.count) == [100])
        #expect(result.sweeps.count == 1 && result.sweeps.first?.peaks.count == 1)
        #expect(result.sweeps.first?.points.count == 160)
        #expect(result.tables.map(\.suffix).contains("desc-potentialsteps_events"))
        #expect(result.tables.map(\.suffix).contains("desc-sweeppeaks_events"))
    }

    @Test func `each spectrum has its own rows and circle`() throws {
        let result = try result(Self.spectrum(1_000) + Self.spectrum(5_000))
        try #require(result.spectra.count == 2)
        for (spectrum, transfer) in zip(result.spectra, [1_000.0, 5_000]) {
            let circle = try #require(spectrum.circle)
            #expect(spectrum.points.count == 40 && abs(circle.transfer / transfer - 1) < 0.01)
            #expect(abs(circle.solution - 100) < 5)
        }
        let table = try #require(result.tables.first { $0.suffix == "desc-impedance_physio" }?.table)
        #expect(table.columns.last?.name == "spectrum")
        let numbers = (0..<80).map { Cell.integer($0 / 40 + 1) }
        #expect(table.rows.compactMap(\.last) == numbers)
        let single = try self.result(Self.spectrum(1_000)).tables
        #expect(single.first { $0.suffix == "desc-impedance_physio" }?.table.columns.last?.name == "highSpeed")
    }

    @Test func `measurements of single points that follow one another are one`() throws {
        let points = (0..<20).map { ElectrochemicalPoint(onset: Double($0), potential: 0.1, current: 1e-6) }
        let singly = ElectrochemicalPoint.measurements(points, beginningAt: points.map(\.onset))
        #expect(singly.map(\.count) == [20])
        #expect(ElectrochemicalPoint.measurements(points, beginningAt: [15, 0, 5]).map(\.count) == [5, 10, 5])
        #expect(ElectrochemicalPoint.measurements(points, beginningAt: []).map(\.count) == [20])
        #expect(ElectrochemicalPoint.measurements([], beginningAt: [1]).isEmpty)
    }

    @Test func `the net current of a square wave is its first, not its reverse`() throws {
        let packages = (0..<160).map { k -> String in
            let potential = -0.4 + 0.005 * Double(k)
            let net = 3e-6 * exp(-pow((potential - 0.05) / 0.05, 2) / 2)
            return "P"
                + [
                    Self.variable("da", potential), Self.variable("ba", net + 1e-7, "p"),
                    Self.variable("ba", net / 2, "p"), Self.variable("ba", -net / 2, "p"),
                ].joined(separator: ";")
        }
        let result = try result(["M0002"] + packages + ["*"])
        let peaks = result.sweeps.flatMap(\.peaks)
        try #require(peaks.count == 1)
        #expect(abs(peaks[0].current - 3.1e-6) < 1e-9 && abs(peaks[0].height - 3e-6) < 0.05e-6)
        #expect(abs(peaks[0].potential - 0.05) < 1e-6 && result.streams.count == 2)
    }
}
