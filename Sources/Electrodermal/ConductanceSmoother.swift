import Foundation

/// A symmetric Gaussian mean with a standard deviation of 0.25 s, over what there is of the run. Artefacts count among
/// themselves alone, so that nothing of them reaches skin.
struct ConductanceSmoother: Sendable {
    private let weights: [Double]
    private var values: [Double] = []
    private var artefacts: [Bool] = []
    /// Place, among `values`, of the next sample to be smoothed.
    private var next = 0

    init(sampleRate: Double) {
        let width = 0.25 * sampleRate
        let reach = Swift.max(1, Int((3 * width).rounded()))
        weights = (0...reach).map { exp(-0.5 * Double($0 * $0) / (width * width)) }
    }

    /// Takes a sample; returns the smoothed sample that is now known.
    mutating func take(_ value: Double, isArtefact: Bool) -> Double? {
        values.append(value)
        artefacts.append(isArtefact)
        guard values.count - next >= weights.count else { return nil }
        return advance()
    }

    /// The last smoothed samples.
    mutating func finish() -> [Double] {
        var rest: [Double] = []
        while next < values.count { rest.append(advance()) }
        (values, artefacts, next) = ([], [], 0)
        return rest
    }

    private mutating func advance() -> Double {
        var (sum, weight) = (weights[0] * values[next], weights[0])
        let kind = artefacts[next]
        for distance in 1..<weights.count {
            if next >= distance, artefacts[next - distance] == kind {
                sum += weights[distance] * values[next - distance]
                weight += weights[distance]
            }
            if next + distance < values.count, artefacts[next + distance] == kind {
                sum += weights[distance] * values[next + distance]
                weight += weights[distance]
            }
        }
        next += 1
        if next > 4_096 {
            let dropped = next - weights.count
            values.removeFirst(dropped)
            artefacts.removeFirst(dropped)
            next -= dropped
        }
        return sum / weight
    }
}
