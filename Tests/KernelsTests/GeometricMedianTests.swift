import Foundation
import Kernels
import Testing

@Suite struct GeometricMedianTests {
    /// In one dimension it is the median, in a plane's acute triangle the point that sees all sides under 120°.
    @Test func itIsTheKnownPointOfSimpleSets() {
        #expect(abs(GeometricMedian.of([3, 1, 2, 100, 2.5], size: 1)[0] - 2.5) < 1e-3)
        let corners = [0.0, 0, 1, 0, 0.5, 3.0.squareRoot() / 2]
        let point = GeometricMedian.of(corners, size: 2)
        #expect(abs(point[0] - 0.5) < 1e-5 && abs(point[1] - 3.0.squareRoot() / 6) < 1e-5)
    }

    /// At the minimum the unit vectors to all points sum up to nothing.
    @Test(arguments: [3, 8, 19])
    func unitVectorsFromItCancel(size: Int) {
        var random = RandomSource(seed: 4)
        let count = 400
        let points = (0..<count * size).map { _ in random.gaussian() + random.gaussian() * random.gaussian() }
        let middle = GeometricMedian.of(points, size: size)
        var sum = [Double](repeating: 0, count: size)
        for first in stride(from: 0, to: points.count, by: size) {
            let away = (0..<size).map { points[first + $0] - middle[$0] }
            let distance = away.reduce(0) { $0 + $1 * $1 }.squareRoot()
            for place in 0..<size { sum[place] += away[place] / distance }
        }
        #expect(sum.allSatisfy { abs($0) < 1e-3 * Double(count) })
    }

    @Test func aThirdOfBadPointsDoesNotMoveItFar() {
        var random = RandomSource(seed: 5)
        let points = (0..<300).flatMap { index in (0..<4).map { _ in random.gaussian() + (index % 3 == 0 ? 1e6 : 0) } }
        #expect(GeometricMedian.of(points, size: 4).allSatisfy { abs($0) < 2 })
    }

    @Test func withoutPointsItIsZero() {
        #expect(GeometricMedian.of([], size: 3) == [0, 0, 0])
        #expect(GeometricMedian.of([5, 6], size: 2) == [5, 6])
    }
}
