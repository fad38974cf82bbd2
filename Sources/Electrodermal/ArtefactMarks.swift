import Signals

/// Marks samples that cannot be skin conductance, and those around them.
struct ArtefactMarks: Sendable {
    private let parameters: ArtefactParameters
    private let rate: Double
    private let margin: Int
    private var previous: Double?
    private var count = 0
    /// The sample after the last that is marked by what was seen so far.
    private var markedUntil = 0
    private var marks: [Bool] = []
    private var given = 0

    init(_ parameters: ArtefactParameters, sampleRate: Double) {
        self.parameters = parameters
        rate = sampleRate
        margin = Int((parameters.margin * sampleRate).rounded())
    }

    /// Takes a sample; returns the mark of the sample `margin` samples before, once there is one.
    mutating func take(_ value: Double) -> Bool? {
        if isArtefact(value) {
            for index in marks.indices { marks[index] = true }
            markedUntil = count + margin + 1
        }
        marks.append(count < markedUntil)
        count += 1
        previous = value
        return marks.count > margin ? marks.removeFirst() : nil
    }

    /// The marks of the last samples.
    mutating func finish() -> [Bool] {
        defer { marks = [] }
        return marks
    }

    private func isArtefact(_ value: Double) -> Bool {
        guard value >= parameters.lowest, value <= parameters.highest else { return true }
        guard let previous else { return false }
        let change = (value - previous) * rate
        return abs(change) > parameters.fastestChange || -change > parameters.fastestFall * Swift.max(previous, 0.1)
    }
}
