import Foundation

/// Looks at the samples of one step at their full rate: presence, plateaus, fast noise, mains.
struct SampleScan: Sendable {
    private let sampleRate: Double
    /// Spacing of the second difference, about 4 ms.
    private let spacing: Int
    private let binLength: Int
    private let plateauLength: Int
    private let longPlateau: Int
    private let flatLength: Int
    private let stillLength: Int
    private let mainsTables: [(cosine: [Float], sine: [Float])]
    private var last: Float = 0
    private var entry: Float = 0
    private var runLength = 0
    private var bins: [Float] = []

    /// Samples before the step that `scan` needs.
    var history: Int { 2 * spacing }

    init(sampleRate: Double, longestStep: Int) {
        self.sampleRate = sampleRate
        spacing = max(1, Int((0.004 * sampleRate).rounded(.down)))
        binLength = max(4, Int((0.04 * sampleRate).rounded()))
        plateauLength = max(3, Int((0.012 * sampleRate).rounded(.up)))
        longPlateau = max(plateauLength, Int(0.2 * sampleRate))
        flatLength = max(8, Int(sampleRate))
        stillLength = max(4, Int(0.1 * sampleRate))
        mainsTables = [50.0, 60].filter { sampleRate > 2.2 * $0 }.map { frequency in
            let turns = (0..<longestStep).map { 2 * .pi * frequency * Double($0) / sampleRate }
            return (turns.map { Float(cos($0)) }, turns.map { Float(sin($0)) })
        }
    }

    mutating func reset() {
        runLength = 0
        entry = 0
        last = .nan
    }

    /// Looks at `count` samples, those before `first` being history; missing ones are held and marked in `present`.
    mutating func scan(_ samples: UnsafePointer<Float>, count: Int, present: Int, into cell: inout SignalCell) {
        cell.present += present
        findPlateaus(samples, count, into: &cell)
        cell.fast = fastPower(samples, count)
        for table in mainsTables { cell.mains = max(cell.mains, tonePower(samples, count, table)) }
    }

    private mutating func findPlateaus(
        _ samples: UnsafePointer<Float>, _ count: Int, into cell: inout SignalCell
    ) {
        var lowest = Float.infinity
        var highest = -Float.infinity
        for index in 0..<count {
            let value = samples[index]
            lowest = min(lowest, value)
            highest = max(highest, value)
            if value == last {
                runLength += 1
                if runLength >= stillLength { cell.still += runLength == stillLength ? stillLength : 1 }
                if runLength >= flatLength { cell.flat += runLength == flatLength ? flatLength : 1 }
            } else {
                if runLength >= plateauLength { record(into: &cell) }
                entry = abs(value - last)
                last = value
                runLength = 1
            }
        }
        if runLength >= longPlateau { record(into: &cell) }
        cell.lowest = min(cell.lowest, lowest)
        cell.highest = max(cell.highest, highest)
    }

    private func record(into cell: inout SignalCell) {
        let steepness = runLength >= longPlateau ? Float.infinity : entry * Float(sampleRate)
        let plateau = Plateau(value: last, samples: runLength, steepness: steepness.isNaN ? 0 : steepness)
        cell.top.merge(plateau) { $0 > $1 }
        cell.bottom.merge(plateau) { $0 < $1 }
    }

    private mutating func fastPower(_ samples: UnsafePointer<Float>, _ count: Int) -> Float {
        bins.removeAll(keepingCapacity: true)
        var start = 0
        while start + binLength <= count {
            bins.append(differencePower(samples + start, binLength) / Float(binLength))
            start += binLength
        }
        return bins.middle()
    }

    private func differencePower(_ samples: UnsafePointer<Float>, _ count: Int) -> Float {
        let middle = UnsafeRawPointer(samples - spacing)
        let oldest = UnsafeRawPointer(samples - 2 * spacing)
        let newest = UnsafeRawPointer(samples)
        var sums = SIMD8<Float>.zero
        var index = 0
        while index + 8 <= count {
            let offset = index * 4
            let difference =
                newest.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                + oldest.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                - 2 * middle.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
            sums += difference * difference
            index += 8
        }
        var sum = sums.sum()
        while index < count {
            let difference = samples[index] - 2 * samples[index - spacing] + samples[index - 2 * spacing]
            sum += difference * difference
            index += 1
        }
        return sum
    }

    private func tonePower(
        _ samples: UnsafePointer<Float>, _ count: Int, _ table: (cosine: [Float], sine: [Float])
    ) -> Float {
        guard count > 32, count <= table.cosine.count else { return 0 }
        let level = samples[0]
        var cosines = SIMD8<Float>.zero
        var sines = SIMD8<Float>.zero
        let whole = count / 8 * 8
        table.cosine.withUnsafeBytes { cosine in
            table.sine.withUnsafeBytes { sine in
                let source = UnsafeRawPointer(samples)
                for offset in stride(from: 0, to: whole * 4, by: 32) {
                    let value = source.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self) - level
                    cosines += value * cosine.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                    sines += value * sine.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                }
            }
        }
        let c = cosines.sum() / Float(whole)
        let s = sines.sum() / Float(whole)
        return 2 * (c * c + s * s)
    }
}

extension [Float] {
    /// The middle value, the lower one of two; 0 for none. Sorts the array.
    mutating func middle() -> Float {
        withUnsafeMutableBufferPointer { values in
            guard !values.isEmpty else { return 0 }
            // Insertion sort: a few dozen values.
            for place in 1..<Swift.max(1, values.count) {
                let value = values[place]
                var hole = place
                while hole > 0, values[hole - 1] > value {
                    values[hole] = values[hole - 1]
                    hole -= 1
                }
                values[hole] = value
            }
            return values[(values.count - 1) / 2]
        }
    }
}
