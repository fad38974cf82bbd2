import Electrochemistry
import Foundation
import Signals
import Testing

/// A potential that was held while no points came: the cable was out, or the range exceeded.
struct GapsInStepsTests {
    /// Points 0.05 s apart from each start, as many as told, of one potential and their own current.
    private static func held(
        _ runs: [(start: Double, count: Int, current: Double)], status: ElectrochemicalPoint.Status = []
    ) -> [ElectrochemicalPoint] {
        runs.flatMap { run in
            (0..<run.count).map { k in
                ElectrochemicalPoint(
                    onset: run.start + Double(k) / 20, potential: 0.5, current: run.current, status: status)
            }
        }
    }

    @Test func `a gap ends a step, and no charge is made up for it`() throws {
        let steps = PotentialStep.steps(Self.held([(0, 100, 1e-6), (12.55, 149, 3e-6)]))
        try #require(steps.count == 2)
        #expect(steps.map(\.count) == [100, 149])
        #expect(abs((steps[0].duration ?? 0) - 4.95) < 1e-9 && abs((steps[1].duration ?? 0) - 7.4) < 1e-9)
        #expect(abs((steps[0].charge ?? 0) - 4.95e-6) < 1e-12 && abs((steps[1].charge ?? 0) - 22.2e-6) < 1e-12)
        #expect(steps[0].baseline == 1e-6 && steps[1].baseline == 3e-6 && steps[0].peak == 1e-6)
        #expect(steps[0].gap == nil && abs((steps[1].gap ?? 0) - 7.6) < 1e-9)
        #expect(steps[0].change == nil && steps[1].change == 0)
    }

    @Test func `the table tells the gap before a step, and its definitions what that does to the charge`() throws {
        let table = PotentialStep.table(PotentialStep.steps(Self.held([(0, 100, 1e-6), (12.55, 149, 3e-6)])))
        let place = try #require(table.columns.firstIndex { $0.name == "gap" })
        try #require(table.rows.count == 2)
        #expect(table.rows[0][place] == .missing)
        guard case .onset(let gap) = table.rows[1][place] else {
            Issue.record("no gap")
            return
        }
        #expect(abs(gap - 7.6) < 1e-9)
        let charge = try #require(table.columns.first { $0.name == "charge" })
        #expect(charge.definition.contains("gap"))
    }

    @Test func `a gap may come right after another, near the end, and in a potential that goes on changed`() {
        let twice = PotentialStep.steps(Self.held([(0, 40, 1e-6), (7, 2, 2e-6), (12, 40, 3e-6)]))
        #expect(twice.map(\.count) == [40, 40] && twice.map(\.baseline) == [1e-6, 3e-6])
        // Two points that are left are no step, and no part of one.
        let late = PotentialStep.steps(Self.held([(0, 40, 1e-6), (7, 2, 2e-6)]))
        #expect(late.map(\.count) == [40] && late.first?.peak == 1e-6)
        let changed = Self.held([(12, 40, 3e-6)]).map {
            ElectrochemicalPoint(onset: $0.onset, potential: 0.8, current: $0.current)
        }
        let steps = PotentialStep.steps(Self.held([(0, 40, 1e-6)]) + changed)
        #expect(steps.map(\.potential) == [0.5, 0.8] && steps.map(\.count) == [40, 40])
        #expect(abs((steps.last?.change ?? 0) - 0.3) < 1e-12 && steps.last?.gap != nil)
    }

    /// How points may lie apart without a gap.
    enum Spacing: String, CaseIterable, Sendable {
        case threePointsLost, slowerSampling, fasterSampling, everSlowerSampling, twoPointsThenWait, burstsOfLink
        case severalPointsOfOneMoment, slowly

        /// Times between points.
        var intervals: [Double] {
            switch self {
            case .threePointsLost: (0..<60).map { $0 == 30 ? 0.2 : 0.05 }
            case .slowerSampling: (0..<70).map { $0 < 50 ? 0.1 : 1 }
            case .fasterSampling: (0..<70).map { $0 < 20 ? 1 : 0.1 }
            case .everSlowerSampling: (0..<30).map { 0.05 * pow(1.2, Double($0)) }
            case .twoPointsThenWait: (0..<21).map { $0 % 2 == 0 ? 0.05 : 10 }
            case .burstsOfLink: (0..<100).map { $0 % 5 == 4 ? 0.05 : 0.0005 }
            case .severalPointsOfOneMoment: (0..<100).map { $0 % 5 == 4 ? 0.05 : 0 }
            case .slowly: [Double](repeating: 30, count: 10)
            }
        }
    }

    @Test(arguments: Spacing.allCases)
    func `what is usual is no gap`(spacing: Spacing) {
        var onsets = [0.0]
        for interval in spacing.intervals { onsets.append((onsets.last ?? 0) + interval) }
        let steps = PotentialStep.steps(
            onsets.map { ElectrochemicalPoint(onset: $0, potential: 0.1, current: 1e-6) })
        #expect(steps.map(\.count) == [onsets.count])
        let length = onsets.last ?? 0
        #expect(abs((steps.first?.charge ?? 0) - 1e-6 * length) < 1e-12 * max(1, length))
    }

    @Test func `no charge is made up for a stretch that was overloaded`() throws {
        let points =
            Self.held([(0, 100, 2e-6)]) + Self.held([(5, 60, 1)], status: .overload) + Self.held([(8, 40, 2e-6)])
        let step = try #require(PotentialStep.steps(points).first)
        #expect(step.count == 200 && step.overloaded == 60 && step.gap == nil)
        // 4.95 s before, 1.95 s after.
        #expect(abs((step.charge ?? 0) - 13.8e-6) < 1e-12)
    }

    @Test func `numbers of packages have no gaps`() {
        let points = Self.held([(0, 20, 1e-6), (50, 20, 1e-6)]).map {
            ElectrochemicalPoint(onset: $0.onset * 20, potential: 0.5, current: 1e-6, isTimed: false)
        }
        #expect(PotentialStep.steps(points).map(\.count) == [40])
        #expect(ElectrochemicalPoint.stretches(of: points).count == 1)
    }

    @Test func `points are cut where some are missing`() {
        let points = Self.held([(0, 40, 1e-6), (7, 30, 2e-6)])
        #expect(ElectrochemicalPoint.stretches(of: points).map(\.count) == [40, 30])
        #expect(ElectrochemicalPoint.stretches(of: []).isEmpty)
        #expect(ElectrochemicalPoint.stretches(of: Array(points.prefix(2))).map(\.count) == [2])
    }

    @Test(arguments: [
        ("es4-current", "es4"), ("es4-current_3", "es4"), ("es4-current-2", "es4"), ("left-es4-current", "left-es4"),
        ("current", ""), ("current_2", ""), ("es4-current2", ""), ("acurrent", ""), ("-current", ""), ("cell", ""),
    ])
    func `a stream's name tells its device where it ends in what is measured`(name: String, device: String) {
        let channel = Channel(label: "current", unit: Unit("A"))
        let header = StreamHeader(name: name, kind: .current, channels: [channel], sampleRate: 0)
        #expect(ElectrochemicalPoint.device(of: header) == device)
    }
}
