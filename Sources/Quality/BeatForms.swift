/// The forms of the beats of the last window, and how alike they are.
struct BeatForms: Sendable {
    /// One beat as seen by the assessor.
    struct Entry: Sendable {
        /// Seconds from the recording's start.
        var onset: Double
        /// The step it lies in.
        var cell: Int
        /// Whether no interval may be counted from the beat before it.
        var followsBreak: Bool
        /// How far the signal in which beats stand out goes near it.
        var height: Float
        /// From its lowest to its highest point.
        var size: Float
        /// Whether the second detector found it too.
        var isShared: Bool
        /// Which of the beats before it it resembles: bit 0 is the one just before.
        var alike: UInt32
    }

    private(set) var entries: [Entry] = []
    /// Lengths in samples: of a form, and of the part of it before the peak.
    let before: Int
    let length: Int
    private let alike: Float
    /// Forms of the last 32 beats, without their means, and their energies; a ring.
    private var forms: [Float]
    private var energies = [Float](repeating: 0, count: 32)
    private var total = 0

    init(_ profile: SignalProfile, rate: Double) {
        before = max(2, Int((profile.before * rate).rounded()))
        // A whole number of vectors.
        length = (before + max(2, Int((profile.after * rate).rounded())) + 7) / 8 * 8
        alike = profile.alike
        forms = [Float](repeating: 0, count: 32 * length)
    }

    mutating func removeAll(before cell: Int) {
        guard let first = entries.first, first.cell < cell else { return }
        entries.removeAll { $0.cell < cell }
    }

    /// A run ended: forms may still be compared, positions not.
    mutating func add(_ entry: Entry, around place: Int, in smooth: [Float]) {
        var entry = entry
        let start = place - before
        guard start >= 1, start + length + 1 <= smooth.count else {
            entry.alike = 0
            entries.append(entry)
            note(nil)
            return
        }
        smooth.withUnsafeBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            compare(base + start, &entry)
            entry.size = range(base + start)
        }
        entries.append(entry)
    }

    private func range(_ samples: UnsafePointer<Float>) -> Float {
        var lowest = samples[0]
        var highest = samples[0]
        for index in 1..<length {
            lowest = min(lowest, samples[index])
            highest = max(highest, samples[index])
        }
        return highest - lowest
    }

    /// Compares with the beats before, shifted by up to a sample either way.
    private mutating func compare(_ samples: UnsafePointer<Float>, _ entry: inout Entry) {
        let slot = total % 32
        for shift in -1...1 {
            let (mean, energy) = moments(samples + shift)
            for back in 0..<min(31, total, entries.count) {
                let other = (total - 1 - back) % 32
                let product = dot(samples + shift, mean, other)
                let scale = max(energy, energies[other])
                if scale > 0, product > alike * scale { entry.alike |= 1 << UInt32(back) }
            }
        }
        let (mean, energy) = moments(samples)
        for index in 0..<length { forms[slot * length + index] = samples[index] - mean }
        note(energy)
    }

    private mutating func note(_ energy: Float?) {
        energies[total % 32] = energy ?? .infinity
        total += 1
    }

    private func moments(_ samples: UnsafePointer<Float>) -> (mean: Float, energy: Float) {
        let origin = samples[0]
        var sums = SIMD8<Float>.zero
        var squares = SIMD8<Float>.zero
        let bytes = UnsafeRawPointer(samples)
        for offset in stride(from: 0, to: length * 4, by: 32) {
            let values = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self) - origin
            sums += values
            squares += values * values
        }
        let mean = sums.sum() / Float(length)
        return (mean + origin, max(0, squares.sum() - mean * mean * Float(length)))
    }

    private func dot(_ samples: UnsafePointer<Float>, _ mean: Float, _ slot: Int) -> Float {
        var sums = SIMD8<Float>.zero
        let bytes = UnsafeRawPointer(samples)
        forms.withUnsafeBytes { forms in
            let base = slot * length * 4
            for offset in stride(from: 0, to: length * 4, by: 32) {
                sums +=
                    (bytes.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self) - mean)
                    * forms.loadUnaligned(fromByteOffset: base + offset, as: SIMD8<Float>.self)
            }
        }
        return sums.sum()
    }

    /// For each beat, how many of the others resemble it.
    func resemblances() -> [Int] {
        var counts = [Int](repeating: 0, count: entries.count)
        for index in entries.indices {
            var mask = entries[index].alike
            while mask != 0 {
                let other = index - 1 - mask.trailingZeroBitCount
                mask &= mask - 1
                if other < 0 { break }
                counts[index] += 1
                counts[other] += 1
            }
        }
        return counts
    }
}
