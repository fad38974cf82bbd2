import CVectors

/// Finds runs of wide complexes, as of ventricular tachycardia.
///
/// Wide complexes lack the edges of narrow ones, so that each alone is too low for a beat. Three and more of one form are
/// beats where they follow each other evenly at 115 to 230 a minute, as large as QRS complexes, with nothing stronger between
/// them. T and P waves of such a rate have a QRS complex between them; waves of atrial flutter are faster and smaller.
struct WideRun {
    /// A candidate near the one at hand: its low-rate sample, its QRS strength, and its size as a wide wave.
    private typealias Top = (index: Int, height: Float, wave: Float)

    /// Candidates that were weighed: a ring.
    private var recent: InlineArray<16, (index: Int, height: Float)> = .init(repeating: (.min / 2, 0))
    private var count = 0
    private let shortest: Int
    private let longest: Int
    private let half: Int
    private let flank: Int
    private let side: Int

    /// The score of a member, and the one below which a candidate needs it.
    static let worth = (member: 2.0, doubtful: 3.0)
    /// The usual height of QRS complexes over the background's from which on runs are looked for; noise alone comes to two.
    static let minimumContrast: Float = 4
    /// Waves of two successive complexes, the lower over the higher.
    private static let minimumEvenness: Float = 0.7
    /// The shorter of two successive intervals over the longer.
    private static let minimumSteadiness = 0.8
    /// The correlation of two successive complexes.
    private static let minimumLikeness: Float = 0.9
    /// The range of a complex over the size of QRS complexes.
    private static let minimumSize: Float = 0.8
    /// A stronger wave between two complexes is a QRS complex from this share of their waves on, and at any size where it is this
    /// many times as strong.
    private static let rival: (wave: Float, height: Float) = (0.6, 2.5)
    /// The maximum shift of two complexes against each other, and of a wave's top from its candidate, in low-rate samples.
    private static let shift = 4

    /// Low-rate samples needed to each side of a candidate nearby.
    private var reach: Int { max(half, side) + Self.shift }

    init(_ frame: ECGFrame) {
        shortest = Int((0.26 * frame.lowRate).rounded(.down))
        longest = Int((0.53 * frame.lowRate).rounded(.up))
        half = Int((0.08 * frame.lowRate).rounded())
        flank = Int((0.1 * frame.lowRate).rounded())
        side = Int((0.12 * frame.lowRate).rounded())
    }

    /// A run of samples begins.
    mutating func restart() {
        recent = .init(repeating: (.min / 2, 0))
        count = 0
    }

    /// A candidate was weighed.
    mutating func note(_ candidate: marey_candidate) {
        recent[count & 15] = (Int(candidate.index), candidate.height)
        count += 1
    }

    /// Returns true where a candidate is one of three complexes of a run.
    /// - Parameters:
    ///   - later: the candidates after it that are known.
    ///   - low: the low-rate signal, known from `first` to before `end`.
    ///   - size: that of QRS complexes, 0 where it is not known.
    func holds(
        _ candidate: marey_candidate, before later: UnsafeBufferPointer<marey_candidate>,
        _ low: UnsafePointer<Float>, from first: Int, until end: Int, size: Float
    ) -> Bool {
        guard size > 0 else { return false }
        let known = first + reach..<max(first + reach, end - reach)
        let index = Int(candidate.index)
        guard known.contains(index), isLarge(index, low, size) else { return false }
        let top: Top = (index, candidate.height, wave(at: index, low))
        let before = partner(of: top, later, low, known, isLater: false)
        let after = partner(of: top, later, low, known, isLater: true)
        if let before, let after, isRun(before, top, after, low) { return true }
        if let before, let first = partner(of: before, later, low, known, isLater: false),
            isRun(first, before, top, low)
        {
            return true
        }
        if let after, let last = partner(of: after, later, low, known, isLater: true) {
            return isRun(top, after, last, low)
        }
        return false
    }

    /// The candidate with the largest wave an interval of a run away, where that is about as large, and no QRS complex is
    /// near the top.
    private func partner(
        of top: Top, _ later: UnsafeBufferPointer<marey_candidate>, _ low: UnsafePointer<Float>, _ known: Range<Int>,
        isLater: Bool
    ) -> Top? {
        var best: Top?
        var hasRival = false
        func look(at index: Int, _ height: Float) {
            let distance = isLater ? index - top.index : top.index - index
            guard distance > 0, distance <= longest, known.contains(index) else { return }
            let wave = wave(at: index, low)
            if distance < shortest {
                let isStronger = height > top.height && wave > Self.rival.wave * top.wave
                if isStronger || height > Self.rival.height * top.height { hasRival = true }
            } else if wave > best?.wave ?? 0 {
                best = (index, height, wave)
            }
        }
        for place in recent.indices { look(at: recent[place].index, recent[place].height) }
        for candidate in later { look(at: Int(candidate.index), candidate.height) }
        guard !hasRival, let best else { return nil }
        return min(best.wave, top.wave) >= Self.minimumEvenness * max(best.wave, top.wave) ? best : nil
    }

    private func isRun(_ a: Top, _ b: Top, _ c: Top, _ low: UnsafePointer<Float>) -> Bool {
        let (first, second) = (Double(b.index - a.index), Double(c.index - b.index))
        guard min(first, second) >= Self.minimumSteadiness * max(first, second) else { return false }
        return likeness(low, a.index, b.index) >= Self.minimumLikeness
            && likeness(low, b.index, c.index) >= Self.minimumLikeness
    }

    private func isLarge(_ index: Int, _ low: UnsafePointer<Float>, _ size: Float) -> Bool {
        marey_range(low + index - side, Int32(2 * side + 1)) >= Self.minimumSize * size
    }

    /// The height of a wave at a place over the signal 0.1 s before and after it.
    private func wave(at index: Int, _ low: UnsafePointer<Float>) -> Float {
        var highest: Float = 0
        for place in index - Self.shift...index + Self.shift {
            highest = max(highest, abs(low[place] - (low[place - flank] + low[place + flank]) / 2))
        }
        return highest
    }

    /// The highest correlation of what is about two places.
    private func likeness(_ low: UnsafePointer<Float>, _ one: Int, _ other: Int) -> Float {
        var best: Float = -1
        for shift in -Self.shift...Self.shift {
            let (a, b) = (low + one - half, low + other + shift - half)
            var (sumA, sumB, squareA, squareB, product) = (Float(0), Float(0), Float(0), Float(0), Float(0))
            for place in 0...2 * half {
                let (x, y) = (a[place] - a[0], b[place] - b[0])
                sumA += x
                sumB += y
                squareA += x * x
                squareB += y * y
                product += x * y
            }
            let scale = 1 / Float(2 * half + 1)
            let power = (squareA - sumA * sumA * scale) * (squareB - sumB * sumB * scale)
            if power > 0 { best = max(best, (product - sumA * sumB * scale) / power.squareRoot()) }
        }
        return best
    }
}
