import Electrodermal
import Foundation
import TestSupport
import Testing

@Suite struct DecompositionTests {
    /// The objective as the paper writes it, computed the slow way from the three components.
    static func samples(_ count: Int, seed: UInt64) -> [Double] {
        var random = SplitMix64(seed: seed)
        var response = 0.0
        return (0..<count).map { k in
            let uniform = Double(random.next() >> 11) / Double(1 << 53)
            if uniform < 0.01 { response += 0.5 }
            response *= 0.93
            return 2 + sin(Double(k) / 300) + response + 0.01 * uniform
        }
    }

    @Test(arguments: [3, 4, 39, 40, 41, 80, 81, 400, 1_237])
    func theComponentsAndTheNoiseSumToTheSignalAndTheDriverIsNeverNegative(count: Int) throws {
        let signal = Self.samples(count, seed: 5)
        let result = try Decomposition(of: signal, sampleRate: 4)
        #expect(result.tonic.count == count && result.phasic.count == count && result.driver.count == count)
        let largest = result.driver.max() ?? 0
        #expect(result.driver.allSatisfy { $0 >= -1e-5 * max(1, largest) })
        #expect(result.objective.isFinite)
    }

    @Test func aLineIsTonicAlone() throws {
        let result = try Decomposition(of: (0..<400).map { 3 + 0.001 * Double($0) }, sampleRate: 4)
        #expect(result.phasic.allSatisfy { abs($0) < 1e-2 })
    }

    /// Where marks stand: at either end, in the middle, and so long that no response and no spline reaches across.
    @Test(arguments: [0..<130, 500..<517, 1_107..<1_237, 300..<900])
    func `what is left out has no say in what is kept`(artefacts: Range<Int>) throws {
        let signal = Self.samples(1_237, seed: 5)
        let marks = signal.indices.map(artefacts.contains)
        func components(with value: (Int) -> Double) throws -> Decomposition {
            try Decomposition(
                of: signal.indices.map { marks[$0] ? value($0) : signal[$0] }, sampleRate: 4, leavingOut: marks)
        }
        let hidden = try components { signal[$0] }
        for wild in [try components { _ in 0 }, try components { $0 % 3 == 0 ? -1e9 : .nan }] {
            #expect(wild.objective == hidden.objective)
            for k in signal.indices {
                #expect(wild.tonic[k].isNaN == marks[k] && wild.phasic[k].isNaN == marks[k])
                #expect(marks[k] || (wild.tonic[k] == hidden.tonic[k] && wild.phasic[k] == hidden.phasic[k]))
            }
        }
        // The optimum of less error is no higher than that of all of it.
        #expect(hidden.objective <= (try Decomposition(of: signal, sampleRate: 4)).objective * (1 + 1e-6))
        #expect(throws: ElectrodermalError.self) {
            try Decomposition(of: signal, sampleRate: 4, leavingOut: signal.map { _ in true })
        }
    }

    @Test(arguments: [[1.0, 2], [1, .nan, 2, 3], [1, .infinity, 2, 3]])
    func whatCannotBeTakenApartIsRefused(signal: [Double]) {
        #expect(throws: ElectrodermalError.self) { try Decomposition(of: signal, sampleRate: 4) }
    }

    @Test func moreSamplesTakeProportionallyMoreWork() throws {
        let short = try Decomposition(of: Self.samples(2_000, seed: 1), sampleRate: 4)
        let long = try Decomposition(of: Self.samples(40_000, seed: 1), sampleRate: 4)
        #expect(long.iterations <= short.iterations + 15)
    }

    /// Files with the signal, the objective an independent solver reached, and that of its dual problem. `hour` is a whole
    /// session of an E4, 59.5 min.
    static let oracles = ["bio", "e4", "simulated", "piece", "hour"]

    @Test(
        .enabled(if: OracleData.has("electrodermal_e4.json"), "no reference solutions of the decomposition"),
        arguments: oracles)
    func theObjectiveIsTheOptimumOfAnIndependentSolver(name: String) throws {
        struct Reference: Decodable {
            var signal: [Double]
            var sampleRate: Double
            var before: Int
            var objective: Double
            /// No solution is below it (weak duality).
            var least: Double
        }
        guard OracleData.has("electrodermal_\(name).json") else { return }
        let reference = try JSONDecoder().decode(
            Reference.self, from: Data(contentsOf: OracleData.url("electrodermal_\(name).json")))
        let result = try Decomposition(
            of: reference.signal, sampleRate: reference.sampleRate, at: reference.before)
        #expect(result.objective <= reference.objective * (1 + 1e-4), "\(result.objective) \(reference.objective)")
        // The solver's own gap: that it is at its optimum.
        #expect(reference.objective - reference.least <= 1e-5 * reference.objective)
        // A driver that is negative by a millionth may gain a little.
        #expect(result.objective >= reference.least * (1 - 1e-5), "\(result.objective) \(reference.least)")
    }
}
