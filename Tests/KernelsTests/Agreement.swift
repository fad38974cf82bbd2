import Foundation
import TestSupport
import Testing

/// Demands that two arrays agree within `tolerance` times the largest absolute value of `expected` (at least 1e-300).
func expectClose(
    _ found: [Double], _ expected: [Double], _ tolerance: Double, _ what: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(found.count == expected.count, "\(what): length", sourceLocation: sourceLocation)
    let scale = max(expected.reduce(0) { max($0, abs($1)) }, 1e-300)
    var (worst, place) = (0.0, 0)
    for (index, (a, b)) in zip(found, expected).enumerated() {
        if a.isNaN != b.isNaN {
            (worst, place) = (.infinity, index)
        } else if !(abs(a - b) <= worst), !a.isNaN {
            (worst, place) = (abs(a - b), index)
        }
    }
    #expect(
        worst <= tolerance * scale,
        "\(what): at \(place) of \(found.count) the difference is \(worst / scale) of the largest value",
        sourceLocation: sourceLocation)
}

/// The reference results in `name`.
func oracle<T: Decodable>(_ name: String, as type: T.Type = T.self) throws -> T {
    try JSONDecoder().decode(T.self, from: Data(contentsOf: OracleData.url(name)))
}

/// `count` values, normal by the sum of twelve uniform ones.
func noise(_ count: Int, seed: UInt64 = 1) -> [Double] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { _ in (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) } }
}

/// Cuts 0..<count into chunks of random sizes.
func randomCuts(_ count: Int, seed: UInt64) -> [Range<Int>] {
    var generator = SplitMix64(seed: seed)
    var cuts: [Range<Int>] = []
    var first = 0
    while first < count {
        let largest = 1 << Int.random(in: 0...11, using: &generator)
        let size = min(count - first, Int.random(in: 1...largest, using: &generator))
        cuts.append(first..<first + size)
        first += size
    }
    return cuts
}
