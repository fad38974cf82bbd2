import Foundation
import TestSupport

/// What scipy and statsmodels found (`Tests/Oracles/group_statistics.py`).
struct Reference: Decodable, Sendable {
    struct T: Decodable, Sendable { let df, t, p: Double }
    struct F: Decodable, Sendable { let n, m, f, p, q: Double }
    struct Quantile: Decodable, Sendable { let p, z: Double }
    struct Compared: Decodable, Sendable {
        let first, second: [Double]
        let t, df, p, low, high, rank, g: Double
        let gLow, gHigh: Double?
    }
    struct Ranked: Decodable, Sendable {
        let first, second: [Double]
        let isPaired: Bool
        let p: Double
    }
    struct Adjusted: Decodable, Sendable { let p, q: [Double] }
    struct Mixed: Decodable, Sendable {
        let outcome: [Double], predictors: [[Double]], group: [String]
        let coefficients, errors: [Double]
        let between, within, criterion: Double
    }
    struct Agreement: Decodable, Sendable {
        let table: [[Double]]
        let oneWay, agreement, consistency: Double
    }

    let t: [T], f: [F], normal: [Quantile]
    let paired: [Compared], independent: [Compared]
    let ranks: [Ranked]
    let fdr: [Adjusted], mixed: [Mixed], icc: [Agreement]

    static let name = "group_statistics.json"

    static func load() throws -> Reference {
        try JSONDecoder().decode(Reference.self, from: Data(contentsOf: OracleData.url(name)))
    }
}

/// Whether two values differ by at most `tolerance` of the larger.
func agree(_ a: Double, _ b: Double, _ tolerance: Double) -> Bool {
    abs(a - b) <= tolerance * max(abs(a), abs(b))
}
