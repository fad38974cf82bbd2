/// Tells when the ventricles flutter: the signal is then one sustained wave near a sine, without QRS complexes and
/// without a baseline between them, and each of its cycles is a beat.
///
/// Two signs are asked for, in 2 s of signal: no top of the QRS strength stands out as QRS complexes do, and the slow
/// signal returns inverted after half a cycle and as it was after a whole one, which is what is left of the signal by a
/// filter for ventricular fibrillation (Kuo & Dillman 1978, Comput Cardiol 347), looked at over its whole length. The
/// cycle is looked for about the mean frequency of the signal, between 140 and 320 per minute.
struct FlutterWatch {
    /// Blocks looked at in one go.
    let window: Int
    /// Low-rate samples per second, and per slow sample.
    private let rate: Double
    private static let ratio = 4
    /// Slow samples over which differences are taken, about 0.1 s, so that the baseline does not matter.
    private let lag: Int
    private var slow: [Float]
    /// Cycles found in the latest windows, in seconds, newest last; 0 where there was none.
    private var latest: InlineArray<3, Float> = .init(repeating: 0)

    /// A top of less than this many times the mean does not stand out.
    static let crest: Float = 3.5
    /// The least likeness after a cycle, and to the inverse after half of one: for flutter to begin, and to go on.
    private static let leastLikeness: (first: Float, next: Float) = (0.65, 0.55)
    /// Smaller waves than this share of the QRS complexes' size are those of flutter of the atria.
    private static let leastSize: Float = 0.2
    /// Seconds.
    private static let cycles = 0.2...0.43

    init(_ frame: ECGFrame) {
        rate = frame.lowRate / Double(Self.ratio)
        lag = max(1, Int((0.1 * rate).rounded()))
        window = max(1, Int((2 * frame.lowRate / Double(frame.block)).rounded()))
        slow = [Float](repeating: 0, count: window * frame.block / Self.ratio)
    }

    /// A run begins.
    mutating func restart() { latest = .init(repeating: 0) }

    /// Looks at the next window.
    /// - Parameters:
    ///   - low: its low-rate samples; nil where tops of the strength stand out in it.
    ///   - size: the size of the QRS complexes, 0 where that is not known.
    /// - Returns: the cycle in seconds, of this window or one of the two before it; 0 where there is no flutter.
    mutating func note(_ low: UnsafePointer<Float>?, size: Float) -> Float {
        let least = latest[2] > 0 ? Self.leastLikeness.next : Self.leastLikeness.first
        latest[0] = latest[1]
        latest[1] = latest[2]
        latest[2] = low.flatMap { cycle($0, least, size: size) } ?? 0
        return latest[2] > 0 ? latest[2] : latest[1] > 0 ? latest[1] : latest[0]
    }

    private mutating func cycle(_ low: UnsafePointer<Float>, _ least: Float, size: Float) -> Float? {
        let rate = rate
        let lag = lag
        return slow.withUnsafeMutableBufferPointer { slow in
            for index in slow.indices {
                let first = low + Self.ratio * index
                slow[index] = (first[0] + first[1]) + (first[2] + first[3])
            }
            for index in 0..<slow.count - lag { slow[index] = slow[index + lag] - slow[index] }
            let wave = UnsafeBufferPointer(rebasing: slow[..<(slow.count - lag)])
            guard let (expected, power) = Self.meanCycle(wave), Self.cycles.contains(expected / rate) else {
                return nil
            }
            // From trough to top; a difference over 0.1 s is about 1.7 times a sine of such a cycle.
            guard (8 * power).squareRoot() / (1.7 * Float(Self.ratio)) >= Self.leastSize * size else { return nil }
            let half = Self.extremum(wave, around: expected / 2, sign: -1)
            guard half.likeness >= least else { return nil }
            let whole = Self.extremum(wave, around: 2 * Double(half.lag), reach: 0.1, sign: 1)
            guard whole.likeness >= least else { return nil }
            let cycle = Self.refined(whole.lag, of: wave) / rate
            return Self.cycles.contains(cycle) ? Float(cycle) : nil
        }
    }

    /// The cycle of the mean frequency, in samples, and the mean power.
    private static func meanCycle(_ wave: UnsafeBufferPointer<Float>) -> (cycle: Double, power: Float)? {
        var power: Float = 0
        var slopes: Float = 0
        for index in 1..<wave.count {
            let slope = wave[index] - wave[index - 1]
            power += wave[index] * wave[index]
            slopes += slope * slope
        }
        guard power > 0, slopes > 0, slopes < 4 * power else { return nil }
        // For a sine of angular frequency w the ratio is 4 sin²(w / 2), about w² here.
        return (2 * .pi / Double((slopes / power).squareRoot()), power / Float(wave.count))
    }

    /// The lag within `reach` of `expected` at which the wave is most like itself, or its inverse where `sign` is -1.
    private static func extremum(
        _ wave: UnsafeBufferPointer<Float>, around expected: Double, reach: Double = 0.3, sign: Float
    ) -> (lag: Int, likeness: Float) {
        let first = max(1, Int((expected * (1 - reach)).rounded(.down)))
        let last = min(wave.count / 2, max(first, Int((expected * (1 + reach)).rounded(.up))))
        var best = (lag: first, likeness: -Float.infinity)
        for lag in stride(from: first, through: last, by: 1) {
            let likeness = sign * likeness(of: wave, after: lag)
            if likeness > best.likeness { best = (lag, likeness) }
        }
        return best
    }

    /// A lag of greatest likeness, between samples.
    private static func refined(_ lag: Int, of wave: UnsafeBufferPointer<Float>) -> Double {
        let before = likeness(of: wave, after: lag - 1)
        let after = likeness(of: wave, after: lag + 1)
        let curvature = before - 2 * likeness(of: wave, after: lag) + after
        return curvature < 0 ? Double(lag) + Double(min(max(0.5 * (before - after) / curvature, -1), 1)) : Double(lag)
    }

    /// The correlation of the wave with itself `lag` samples later.
    private static func likeness(of wave: UnsafeBufferPointer<Float>, after lag: Int) -> Float {
        var product: Float = 0
        var earlier: Float = 0
        var later: Float = 0
        for index in lag..<wave.count {
            product += wave[index] * wave[index - lag]
            earlier += wave[index - lag] * wave[index - lag]
            later += wave[index] * wave[index]
        }
        let size = (earlier * later).squareRoot()
        return size > 0 ? product / size : 0
    }
}
