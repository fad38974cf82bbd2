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

    @Test(arguments: [[1.0, 2], [1, .nan, 2, 3], [1, .infinity, 2, 3]])
    func whatCannotBeTakenApartIsRefused(signal: [Double]) {
        #expect(throws: ElectrodermalError.self) { try Decomposition(of: signal, sampleRate: 4) }
    }

    @Test func moreSamplesTakeProportionallyMoreWork() throws {
        let short = try Decomposition(of: Self.samples(2_000, seed: 1), sampleRate: 4)
        let long = try Decomposition(of: Self.samples(40_000, seed: 1), sampleRate: 4)
        #expect(long.iterations <= short.iterations + 15)
    }

    /// Files with the signal and the objective an independent solver reached.
    static let oracles = ["bio", "e4", "simulated"]

    @Test(
        .enabled(if: OracleData.has("electrodermal_e4.json"), "no reference solutions of the decomposition"),
        arguments: oracles)
    func theObjectiveIsTheOptimumOfAnIndependentSolver(name: String) throws {
        struct Reference: Decodable {
            var signal: [Double]
            var sampleRate: Double
            var objective: Double
        }
        guard OracleData.has("electrodermal_\(name).json") else { return }
        let reference = try JSONDecoder().decode(
            Reference.self, from: Data(contentsOf: OracleData.url("electrodermal_\(name).json")))
        let result = try Decomposition(of: reference.signal, sampleRate: reference.sampleRate)
        #expect(result.objective <= reference.objective * (1 + 1e-4), "\(result.objective) \(reference.objective)")
        #expect(result.objective >= reference.objective * (1 - 1e-3))
    }
}
