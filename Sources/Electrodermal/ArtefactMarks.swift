import Signals

/// Marks samples that cannot be skin conductance, and those around them.
struct ArtefactMarks: Sendable {
    private let parameters: ArtefactParameters
    private let rate: Double
    private let margin: Int
    private var previous: Double?
    private var count = 0
    /// The place of the last artefact.
    private var last: Int?

    init(_ parameters: ArtefactParameters, sampleRate: Double) {
        self.parameters = parameters
        rate = sampleRate
        margin = Int((parameters.margin * sampleRate).rounded())
    }

    /// Takes a sample; returns the mark of the sample `margin` samples before, once there is one.
    mutating func take(_ value: Double) -> Bool? {
        if isArtefact(value) { last = count }
        count += 1
        previous = value
        return count > margin ? mark(count - 1 - margin) : nil
    }

    /// The marks of the last samples.
    mutating func finish() -> [Bool] {
        (max(0, count - margin)..<count).map(mark)
    }

    /// Whether an artefact lies within the margin of a sample, when no later one can.
    private func mark(_ place: Int) -> Bool { last.map { $0 >= place - margin } ?? false }

    private func isArtefact(_ value: Double) -> Bool {
        guard value >= parameters.lowest, value <= parameters.highest else { return true }
        guard let previous else { return false }
        let change = (value - previous) * rate
        return abs(change) > parameters.fastestChange || -change > parameters.fastestFall * Swift.max(previous, 0.1)
    }
}
