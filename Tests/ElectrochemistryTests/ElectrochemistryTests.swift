import Electrochemistry
import Formats
import Foundation
import Kernels
import Signals
import TestSupport
import Testing

@Suite struct ElectrochemistryTests {
    @Test func `steps of potential have baseline, peak and charge`() throws {
        // Cottrell-like decay to a baseline after each step.
        let points = (0..<300).map { k -> ElectrochemicalPoint in
            let time = Double(k) * 0.1
            let (potential, since) = time < 10 ? (0.0, time) : time < 20 ? (0.5, time - 10) : (0.0, time - 20)
            let sign = potential > 0 ? 1.0 : -1
            return ElectrochemicalPoint(
                onset: time, potential: potential, current: sign * (1e-6 + 9e-6 * exp(-since / 0.5)))
        }
        let steps = PotentialStep.steps(points)
        try #require(steps.count == 3)
        #expect(steps.map(\.potential) == [0, 0.5, 0] && steps.map(\.change) == [nil, 0.5, -0.5])
        #expect(abs((steps[1].baseline ?? 0) - 1e-6) < 1e-9 && abs((steps[1].peak ?? 0) - 1e-5) < 1e-9)
        // 1 µA over 9.9 s and 9 µA decaying with 0.5 s.
        #expect(abs((steps[1].charge ?? 0) - (9.9e-6 + 4.5e-6)) < 0.1e-6)
    }

    @Test func `overloaded points count but are not used`() throws {
        let points = (0..<50).map { k in
            ElectrochemicalPoint(
                onset: Double(k), potential: 0.1, current: k < 5 ? 1 : 2e-6, status: k < 5 ? .overload : .underload)
        }
        let step = try #require(PotentialStep.steps(points).first)
        #expect(step.count == 50 && step.overloaded == 5 && step.underloaded == 45)
        #expect(step.baseline == 2e-6 && step.peak == 2e-6)
        #expect(PotentialStep.steps([]).isEmpty)
    }

    @Test func `points without times have no scan rate, no duration and no charge`() throws {
        let swept = (0..<100).map { k in
            ElectrochemicalPoint(
                onset: Double(k), potential: Double(k) / 100, current: 1e-6, isTimed: false)
        }
        let sweep = try #require(LinearSweep.sweeps(swept).first)
        #expect(sweep.scanRate == nil)
        let held = swept.map { ElectrochemicalPoint(onset: $0.onset, potential: 0.1, current: 1e-6, isTimed: false) }
        let step = try #require(PotentialStep.steps(held).first)
        #expect(step.duration == nil && step.charge == nil && step.baseline == 1e-6 && step.count == 100)
    }

    @Test(arguments: [[-0.5, -0.45, -0.4, -0.35], [0, 0.1, 0.2, 0.1, 0], [0, 0.004, 0.008, 0.012, 0.016]])
    func `a sweep of few points has no steps`(potentials: [Double]) {
        let points = potentials.enumerated().map {
            ElectrochemicalPoint(onset: Double($0), potential: $1, current: 1e-6 * $1)
        }
        #expect(PotentialStep.steps(points).isEmpty)
        let held = potentials.flatMap { [$0, $0 + 1e-4, $0] }.enumerated().map {
            ElectrochemicalPoint(onset: Double($0), potential: $1, current: 1e-6 * $1)
        }
        #expect(!PotentialStep.steps(held).isEmpty)
    }

    @Test func `points, impedances and peaks tell the range, status and noise they were measured with`() throws {
        func stream(_ name: String, _ kind: StreamKind, range: Signals.Unit, _ values: [[Double]]) -> Signals.Stream {
            let labels = [(name, Unit("Ohm")), ("status", .dimensionless), ("range", range), ("noise", .unknown)]
            let header = StreamHeader(
                name: name, kind: kind, channels: labels.map { Channel(label: $0.0, unit: $0.1) }, sampleRate: 0)
            return Signals.Stream(
                header: header, values: values.enumerated().map { TimedValue(onset: Double($0), values: $1) })
        }
        let frequency = Signals.Stream(
            header: StreamHeader(
                name: "frequency", kind: .other, channels: [Channel(label: "frequency", unit: .hertz)], sampleRate: 0),
            values: [TimedValue(onset: 0, values: [100]), TimedValue(onset: 1, values: [10])])
        let points = ElectrochemicalPoint.points(of: [
            frequency,
            stream("impedanceReal", .impedance, range: Unit("A"), [[9_885, 4, 1e-3, 12], [5, 1, 1e-6, .nan]]),
            stream("impedanceImaginary", .impedance, range: .volts, [[3, 8, 0.5, 7], [1, 0, 0.5, 7]]),
        ])
        let table = try #require(ImpedanceSpectrum(points)).table
        let names = table.columns.map(\.name)
        #expect(names.suffix(5) == ["range", "rangeNumber", "status", "noise", "highSpeed"])
        #expect(Array(table.rows[0].dropLast().suffix(4)) == [.number(1e-3), .missing, .integer(12), .number(12)])
        #expect(Array(table.rows[1].dropLast().suffix(4)) == [.number(1e-6), .missing, .integer(1), .missing])
        let numbered = ElectrochemicalPoint.points(of: [
            stream("current", .current, range: .dimensionless, [[1e-6, 0, 0x88, .nan]])
        ])
        #expect(numbered[0].range == nil && numbered[0].rangeNumber == 0x88)
        let peaks = LinearSweep.sweeps(
            (0...40).map { k in
                let potential = 0.02 * Double(k) - 0.4
                return ElectrochemicalPoint(
                    onset: Double(k), potential: potential, current: 1e-5 * exp(-100 * potential * potential),
                    range: 2e-5,
                    status: k == 20 ? .overloadWarning : [])
            }
        ).flatMap(\.peaks)
        #expect(
            Array(SweepPeak.table(peaks).rows[0].dropLast().suffix(4)) == [
                .number(2e-5), .missing, .integer(8), .missing,
            ])
    }

    @Test func `peaks of a sweep are found on a sloping baseline, both ways`() throws {
        func current(_ potential: Double, _ sign: Double) -> Double {
            1e-6 * potential + sign * 5e-6 * exp(-pow((potential - 0.2) / 0.05, 2))
        }
        let up = (0...200).map { -0.3 + 0.005 * Double($0) }
        let points = (up.map { ($0, 1.0) } + up.reversed().dropFirst().map { ($0, -1.0) }).enumerated().map {
            ElectrochemicalPoint(onset: Double($0) * 0.05, potential: $1.0, current: current($1.0, $1.1))
        }
        let sweeps = LinearSweep.sweeps(points)
        try #require(sweeps.count == 2)
        #expect(abs((sweeps[0].scanRate ?? 0) - 0.1) < 1e-6 && abs((sweeps[1].scanRate ?? 0) + 0.1) < 1e-3)
        for (sweep, sign) in zip(sweeps, [1.0, -1]) {
            try #require(sweep.peaks.count == 1)
            #expect(abs(sweep.peaks[0].potential - 0.2) < 0.011)
            #expect(abs(sweep.peaks[0].height - sign * 5e-6) < 0.3e-6)
        }
    }

    /// A sweep of 0.8 V up with a Gaussian peak of 10 µA on a sloping line.
    private func peaked(
        step: Double = 0.005, width: Double, measured: (Int, Double) -> Double = { $1 }
    ) -> [ElectrochemicalPoint] {
        (0...Int((0.8 / step).rounded())).map { k in
            let potential = -0.4 + step * Double(k)
            let peak = 10e-6 * exp(-0.5 * pow(potential / width, 2))
            let current = 1e-6 + 2e-6 * (potential + 0.4) + peak
            return ElectrochemicalPoint(
                onset: Double(k) * 0.05, potential: measured(k, potential), current: current)
        }
    }

    @Test(arguments: [0.015, 0.025, 0.05])
    func `a peak is as high as it was measured, however narrow`(width: Double) throws {
        let sweeps = LinearSweep.sweeps(peaked(width: width))
        try #require(sweeps.count == 1 && sweeps[0].peaks.count == 1)
        #expect(abs(sweeps[0].peaks[0].height - 10e-6) < 0.05e-6, "\(sweeps[0].peaks[0].height)")
        #expect(sweeps[0].points.count == 161 && abs(sweeps[0].peaks[0].potential) < 1e-9)
    }

    @Test(arguments: 1...5)
    func `a potential measured with noise, or several times, is one sweep`(seed: Int) throws {
        var random = RandomSource(seed: UInt64(seed), "potential")
        let noise = (0...800).map { _ in 0.0015 * random.gaussian() }
        let noisy = peaked(step: 0.001, width: 0.05) { $1 + noise[$0] }
        // The potential of every so many points is that of the first of them.
        let repeated = peaked(step: 0.001, width: 0.05) { k, potential in potential - 0.001 * Double(k % seed) }
        for points in [noisy, repeated] {
            let sweeps = LinearSweep.sweeps(points)
            try #require(sweeps.count == 1)
            #expect(abs(sweeps[0].start + 0.4) < 0.015 && abs(sweeps[0].end - 0.4) < 0.015)
            #expect(abs((sweeps[0].scanRate ?? 0) - 0.02) < 0.001)
            try #require(sweeps[0].peaks.count == 1)
            #expect(abs(sweeps[0].peaks[0].potential) < 0.012)
            #expect(abs(sweeps[0].peaks[0].height - 10e-6) < 0.3e-6)
        }
    }

    @Test(arguments: [1, 4, 20])
    func `potentials that stay are steps, not sweeps`(levels: Int) throws {
        var random = RandomSource(seed: 3, "potential")
        let points = (0..<40 * (levels + 1)).map { k -> ElectrochemicalPoint in
            let level = 0.1 * Double(k / 40)
            return ElectrochemicalPoint(
                onset: Double(k), potential: level + 0.0002 * random.gaussian(), current: 1e-6)
        }
        #expect(LinearSweep.sweeps(points).isEmpty)
        #expect(PotentialStep.steps(points).count == levels + 1)
    }

    @Test func `rest before and after a sweep is not part of it`() throws {
        let sweep = peaked(width: 0.05)
        let rest = (1...60).map { ElectrochemicalPoint(onset: Double($0) * 0.05, potential: -0.4, current: 1e-6) }
        let points =
            rest
            + sweep.map { point in
                ElectrochemicalPoint(onset: point.onset + 3.05, potential: point.potential, current: point.current)
            }
        let sweeps = LinearSweep.sweeps(points)
        try #require(sweeps.count == 1)
        #expect(sweeps[0].points.first?.onset == points[60].onset && sweeps[0].points.count == 161)
    }

    @Test func `a Randles cell's semicircle gives its resistances`() throws {
        let (solution, transfer, capacity) = (100.0, 1_000.0, 1e-6)
        let points = (0...40).map { k -> ElectrochemicalPoint in
            let frequency = pow(10, 5 - Double(k) / 10)
            let angle = 2 * Double.pi * frequency * transfer * capacity
            let divisor = 1 + angle * angle
            return ElectrochemicalPoint(
                onset: Double(k), frequency: frequency, real: solution + transfer / divisor,
                imaginary: -transfer * angle / divisor, status: k == 3 ? .overload : [])
        }
        let spectrum = try #require(ImpedanceSpectrum(points))
        #expect(spectrum.points.count == 40 && spectrum.overloaded == 1)
        let circle = try #require(spectrum.circle)
        #expect(abs(circle.solution - solution) < 1 && abs(circle.transfer - transfer) < 2 && circle.misfit < 1e-6)
        #expect(abs(circle.apex / 159.15 - 1) < 0.15)
        #expect(ImpedanceSpectrum([]) == nil)
        #expect(ImpedanceSpectrum([ElectrochemicalPoint(onset: 0, frequency: 1, real: 5, imaginary: 0)])?.circle == nil)
    }

    @Test(arguments: [
        ("current", false), ("current_2", true), ("es4-current_3", true), ("es4-current-2", false),
        ("current_1", false),
    ])
    func `of a quantity sent more than once the first counts`(name: String, isRepeated: Bool) {
        func stream(_ name: String, _ values: [Double]) -> Signals.Stream {
            let channel = Channel(label: "current", unit: Unit("A"))
            return Signals.Stream(
                header: StreamHeader(name: name, kind: .current, channels: [channel], sampleRate: 0),
                values: values.enumerated().map { TimedValue(onset: Double($0), values: [$1]) })
        }
        let other = stream(name, [5e-6, 5e-6])
        #expect(ElectrochemicalPoint.isRepeated(other.header) == isRepeated)
        // Nor does it stand in where the first is missing.
        let points = ElectrochemicalPoint.points(of: [stream("current", [1e-6, .nan]), other])
        #expect(points.map(\.current) == (isRepeated ? [1e-6] : [5e-6, 5e-6]))
    }

    @Test func `values of one stream at one moment are points of their own`() {
        func stream(_ name: String, _ unit: Signals.Unit, _ kind: StreamKind, _ values: [Double]) -> Signals.Stream {
            Signals.Stream(
                header: StreamHeader(
                    name: name, kind: kind, channels: [Channel(label: name, unit: unit)], sampleRate: 0),
                values: values.map { TimedValue(onset: 2, values: [$0]) })
        }
        let points = ElectrochemicalPoint.points(of: [
            stream("appliedPotential", .volts, .potential, [0.1, 0.2, 0.3]),
            stream("current", Unit("A"), .current, [1e-6, .nan, 3e-6]),
        ])
        #expect(points.map(\.potential) == [0.1, 0.2, 0.3] && points.map(\.current) == [1e-6, nil, 3e-6])
    }

    @Test func `impedance by size and phase is the same as by parts`() {
        func stream(_ label: String, _ unit: String, _ kind: StreamKind, _ value: Double) -> Signals.Stream {
            Signals.Stream(
                header: StreamHeader(
                    name: label, kind: kind, channels: [Channel(label: label, unit: Unit(unit))], sampleRate: 0),
                values: [TimedValue(onset: 2, values: [value])])
        }
        let points = ElectrochemicalPoint.points(of: [
            stream("frequency", "Hz", .other, 1_000), stream("impedance", "Ohm", .impedance, 200),
            stream("phase", "deg", .impedance, -60),
        ])
        #expect(points.count == 1 && points[0].frequency == 1_000)
        #expect(abs((points[0].real ?? 0) - 100) < 1e-9 && abs((points[0].imaginary ?? 0) + 173.205) < 1e-3)
    }

    @Test(.enabled(if: RealData.has("methodscript/lsv_10k_dummy_cell.txt"), "no recording"))
    func `a sweep over a resistor is a line without peaks`() throws {
        let url = RealData.url("methodscript/lsv_10k_dummy_cell.txt")
        let recording = try Recording(reading: MethodSCRIPTLog(url))
        let points = ElectrochemicalPoint.points(of: recording.streams)
        let usable = points.filter { $0.potential != nil && $0.current != nil }
        try #require(usable.count >= 4)
        for point in usable {
            guard let potential = point.potential, let current = point.current, abs(potential) > 0.2 else { continue }
            #expect(abs(potential / current - 10_000) < 1_500)
        }
        #expect(LinearSweep.sweeps(points).allSatisfy { $0.peaks.isEmpty })
        #expect(PotentialStep.steps(points).isEmpty)
    }
}
