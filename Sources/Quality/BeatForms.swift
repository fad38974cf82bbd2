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
        /// True where a plateau at the end of the range times it.
        var isCut = false
        /// Which of the beats before it it resembles: bit 0 is the one just before.
        var alike: UInt32 = 0
        /// Which of the twelve beats before it have its shape, whatever their size; only of upright beats.
        var shape: UInt32 = 0
        /// How many of the beats after it resemble it.
        var alikeLater = 0

        /// How many of the other beats it resembles, where `place` beats come before it.
        func resembled(at place: Int) -> Int {
            let known = place < 32 ? alike & ((1 << UInt32(place)) - 1) : alike
            return known.nonzeroBitCount + alikeLater
        }
    }

    private(set) var entries: [Entry] = []
    /// Lengths in samples: of a form, and of the part of it before the peak.
    let before: Int
    let length: Int
    private let vectors: Int
    private let alike: Float
    private let comparesShapes: Bool
    /// From this correlation on two beats have the same shape.
    private static let shapeLikeness: Float = 0.8
    /// Forms of the last 32 beats, without their means, and their energies; a ring.
    private var forms: [Float]
    private var energies = [Float](repeating: 0, count: 32)
    private var total = 0

    init(_ profile: SignalProfile, rate: Double) {
        before = max(2, Int((profile.before * rate).rounded()))
        // A whole number of vectors.
        length = (before + max(2, Int((profile.after * rate).rounded())) + 7) / 8 * 8
        vectors = length / 8
        alike = profile.alike
        comparesShapes = profile.isUpright
        forms = [Float](repeating: 0, count: 32 * length)
    }

    mutating func removeAll(before cell: Int) {
        guard let first = entries.first, first.cell < cell else { return }
        entries.removeFirst(entries.firstIndex { $0.cell >= cell } ?? entries.count)
    }

    /// A run ended: forms may still be compared, positions not.
    mutating func add(_ entry: Entry, around place: Int, in smooth: [Float]) {
        var entry = entry
        let start = place - before
        guard start >= 1, start + length + 1 <= smooth.count else {
            entries.append(entry)
            note(nil)
            return
        }
        smooth.withUnsafeBytes { samples in
            guard let base = samples.baseAddress else { return }
            compare(base + start * 4, &entry)
            entry.size = range(base + start * 4)
        }
        entries.withUnsafeMutableBufferPointer { entries in
            var mask = entry.alike
            while mask != 0 {
                entries[entries.count &- 1 &- mask.trailingZeroBitCount].alikeLater &+= 1
                mask &= mask &- 1
            }
        }
        entries.append(entry)
    }

    /// Whether the latest beat was found by both detectors and resembles a quarter of those before it, two at the least.
    var isLatestSure: Bool {
        guard let latest = entries.last, latest.isShared else { return false }
        return latest.alike.nonzeroBitCount >= max(2, min(31, entries.count - 1) / 4)
    }

    private func range(_ samples: UnsafeRawPointer) -> Float {
        var lowest = samples.loadUnaligned(as: SIMD8<Float>.self)
        var highest = lowest
        for vector in 1..<vectors {
            let values = samples.loadUnaligned(fromByteOffset: vector &* 32, as: SIMD8<Float>.self)
            lowest = lowest.lower(values)
            highest = highest.higher(values)
        }
        return highest.highestLane - lowest.lowestLane
    }

    /// Compares with the beats before, shifted by up to a sample either way.
    private mutating func compare(_ samples: UnsafeRawPointer, _ entry: inout Entry) {
        let count = min(31, total, entries.count)
        let everyone: UInt32 = (1 << UInt32(count)) - 1
        let (mean, energy) = moments(samples)
        resemble(samples, energy, count, &entry.alike)
        for shift in stride(from: -4, through: 4, by: 8) where entry.alike != everyone {
            resemble(samples + shift, moments(samples + shift).energy, count, &entry.alike)
        }
        if comparesShapes { entry.shape = shapes(samples, energy, min(count, 12)) }
        let slot = total % 32 * length * 4
        forms.withUnsafeMutableBytes { forms in
            for vector in 0..<vectors {
                let values = samples.loadUnaligned(fromByteOffset: vector &* 32, as: SIMD8<Float>.self) - mean
                forms.storeBytes(of: values, toByteOffset: slot &+ vector &* 32, as: SIMD8<Float>.self)
            }
        }
        note(energy)
    }

    /// The bits of those of the `count` beats before that correlate with this form.
    private func shapes(_ samples: UnsafeRawPointer, _ energy: Float, _ count: Int) -> UInt32 {
        var found: UInt32 = 0
        forms.withUnsafeBytes { forms in
            for back in 0..<count {
                let other = (total &- 1 &- back) & 31
                let scale = (energy * energies[other]).squareRoot()
                guard scale < .infinity else { continue }
                if dot(samples, forms, other &* length &* 4) > Self.shapeLikeness * scale {
                    found |= 1 &<< UInt32(truncatingIfNeeded: back)
                }
            }
        }
        return found
    }

    /// Sets the bits of those of the `count` beats before that this form resembles.
    private func resemble(
        _ samples: UnsafeRawPointer, _ energy: Float, _ count: Int, _ alikeOnes: inout UInt32
    ) {
        var found = alikeOnes
        forms.withUnsafeBytes { forms in
            energies.withUnsafeBufferPointer { energies in
                for back in 0..<count where found & (1 &<< UInt32(truncatingIfNeeded: back)) == 0 {
                    let other = (total &- 1 &- back) & 31
                    let scale = max(energy, energies[other])
                    // No product is larger than the energies' geometric mean.
                    guard scale < .infinity, min(energy, energies[other]) > alike * alike * scale else { continue }
                    let product = dot(samples, forms, other &* length &* 4)
                    if product > alike * scale { found |= 1 &<< UInt32(truncatingIfNeeded: back) }
                }
            }
        }
        alikeOnes = found
    }

    private mutating func note(_ energy: Float?) {
        energies[total % 32] = energy ?? .infinity
        total += 1
    }

    private func moments(_ samples: UnsafeRawPointer) -> (mean: Float, energy: Float) {
        let origin = samples.loadUnaligned(as: Float.self)
        var sums = SIMD8<Float>.zero
        var squares = SIMD8<Float>.zero
        for vector in 0..<vectors {
            let values = samples.loadUnaligned(fromByteOffset: vector &* 32, as: SIMD8<Float>.self) - origin
            sums += values
            squares += values * values
        }
        let mean = sums.laneSum / Float(length)
        return (mean + origin, max(0, squares.laneSum - mean * mean * Float(length)))
    }

    /// The form at `start` has no mean, so that of the samples does not count.
    @inline(__always)
    private func dot(_ samples: UnsafeRawPointer, _ forms: UnsafeRawBufferPointer, _ start: Int) -> Float {
        var sums = SIMD8<Float>.zero
        for vector in 0..<vectors {
            let values = samples.loadUnaligned(fromByteOffset: vector &* 32, as: SIMD8<Float>.self)
            sums += values * forms.loadUnaligned(fromByteOffset: start &+ vector &* 32, as: SIMD8<Float>.self)
        }
        return sums.laneSum
    }
}
