import CVectors

/// Tells the moments of an ECG that are drowned in noise, between the beats as well as at them, whatever the rest of the
/// window is like.
///
/// Between beats an ECG is quiet in the band in which its beats stand out: most of the time it stays far below a quarter of a
/// beat's height, even in the runs of wide ventricular beats of MIT-BIH. Noise that looks like beats does not.
struct NoiseWatch: Sendable {
    /// How long, in seconds, a piece is of which it is told whether it is quiet, and how many of them lie on each side of
    /// one that is judged: 0.84 s in all.
    private static let bin = 0.04
    private static let side = 10
    /// Of the beats' middle height, what quiet pieces stay below.
    private static let loudest: Float = 0.25
    /// The square of how much taller than the others a beat is that may be loud beyond its own waves.
    private static let tall: Float = 9
    /// How many beats tell the usual height.
    private static let most = 31

    private let length: Int
    /// Mean power of each piece, from piece `first` on.
    private var powers: [Float] = []
    private var first = 0
    private var sum: Float = 0
    private var summed = 0
    /// The next piece to be judged.
    private var next = 0
    /// The beats near what is not judged yet, by their pieces, whether they are beyond doubt, and whether both detectors found
    /// them.
    private var beats: [(place: Int, height: Float, isSure: Bool, isShared: Bool)] = []
    private var nextBeat = 0
    private var heights: [Float] = []
    /// Power from which on a piece is loud; infinite where no beat is known.
    private var loud = Float.infinity

    init(rate: Double) {
        length = max(2, Int((Self.bin * rate).rounded()))
    }

    /// The power of the next samples.
    mutating func take(_ samples: ArraySlice<Float>) { samples.withUnsafeBufferPointer { take($0) } }

    private mutating func take(_ samples: UnsafeBufferPointer<Float>) {
        var place = 0
        while place < samples.count, summed > 0 {
            take(samples[place])
            place += 1
        }
        guard let base = samples.baseAddress else { return }
        let (parts, old) = ((samples.count - place) / length, powers.count)
        powers.append(contentsOf: repeatElement(0, count: parts))
        powers.withUnsafeMutableBufferPointer { powers in
            guard parts > 0, let target = powers.baseAddress.map({ $0 + old }) else { return }
            marey_parts(base + place, length, parts, target)
            for part in 0..<parts { target[part] /= Float(length) }
        }
        for power in samples[(place + parts * length)...] { take(power) }
    }

    private mutating func take(_ power: Float) {
        sum += power
        summed += 1
        guard summed == length else { return }
        powers.append(sum / Float(length))
        (sum, summed) = (0, 0)
    }

    /// A beat, at a sample of the run: known before anything near it is judged.
    mutating func take(beatAt place: Int, height: Float, isSure: Bool, isShared: Bool) {
        beats.append((place / length, height, isSure, isShared))
    }

    /// The samples, counted in the run, of the noisy pieces that became known, or of all that are left.
    mutating func noisy(all: Bool = false) -> [Range<Int>] {
        var found: [Range<Int>] = []
        let end = first + powers.count - (all ? 0 : Self.side)
        while next < end {
            hear()
            // Until the next beat nothing changes of what is loud.
            let last = nextBeat < beats.count ? min(end, beats[nextBeat].place) : end
            let (start, finish) = (around(next), around(last - 1))
            if 2 * loudPieces(start.lowerBound..<finish.upperBound, loud) > min(start.count, finish.count) {
                for place in next..<last where isNoisy(place) { append(place, to: &found) }
            }
            next = last
        }
        forget()
        return found
    }

    private func append(_ place: Int, to found: inout [Range<Int>]) {
        if let last = found.last, last.upperBound == place * length {
            found[found.count - 1] = last.lowerBound..<(place + 1) * length
        } else {
            found.append(place * length..<(place + 1) * length)
        }
    }

    /// The pieces that tell whether this one is noisy.
    private func around(_ place: Int) -> Range<Int> {
        max(first, place - Self.side)..<min(first + powers.count, place + Self.side + 1)
    }

    private func loudPieces(_ places: Range<Int>, _ loud: Float) -> Int {
        powers[places.lowerBound - first..<places.upperBound - first].withUnsafeBufferPointer { powers in
            powers.baseAddress.map { marey_count_above($0, powers.count, loud) } ?? 0
        }
    }

    private func isNoisy(_ place: Int) -> Bool {
        let around = around(place)
        return 2 * loudPieces(around, loud) > around.count && !holdsSureBeats(around) && !holdsTallBeat(around)
    }

    /// A single beat far taller than the others whose own waves are what is loud, as a ventricular one may be.
    private func holdsTallBeat(_ around: Range<Int>) -> Bool {
        let near = beats.filter { around.contains($0.place) }
        guard near.count == 1, near[0].isShared else { return false }
        let loudBeside = (near[0].height * Self.loudest) * (near[0].height * Self.loudest)
        return loudBeside > Self.tall * loud && 2 * loudPieces(around, loudBeside) <= around.count
    }

    /// Takes the beats up to the piece at hand for what beats are like.
    private mutating func hear() {
        let known = nextBeat
        while nextBeat < beats.count, beats[nextBeat].place <= next {
            if heights.count == Self.most { heights.removeFirst() }
            heights.append(beats[nextBeat].height)
            nextBeat += 1
        }
        guard nextBeat > known else { return }
        let usual = MiddleValue.of(heights.count) { heights[$0] } * Self.loudest
        loud = usual * usual
    }

    /// Beats that follow each other so fast that little else is left, if all of them look like those before.
    private func holdsSureBeats(_ around: Range<Int>) -> Bool {
        let near = beats.filter { around.contains($0.place) }
        return near.count > 1 && near.allSatisfy(\.isSure)
    }

    private mutating func forget() {
        let oldest = next - Self.side
        if oldest > first {
            powers.removeFirst(min(powers.count, oldest - first))
            first = oldest
        }
        let old = beats[..<nextBeat].firstIndex { $0.place >= oldest } ?? nextBeat
        beats.removeFirst(old)
        nextBeat -= old
    }
}
