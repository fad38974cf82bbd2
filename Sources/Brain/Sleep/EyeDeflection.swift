/// The way of an electro-oculogram's trace from one turn to the next.
///
/// A deflection is rapid where four fifths of it take no more than 0.3 s, as of half a sine of 500 ms: the AASM manual's
/// bound between rapid eye movements, whose initial deflection usually lasts less, and slow ones. One of less than 50 µV
/// is none (Agarwal et al. 2005, IEEE Trans Biomed Eng 52:1390–1396, and YASA's `rem_detect`), nor one of more than 1 mV.
struct EyeDeflection: Hashable, Sendable {
    /// From turn to turn in µV, below zero where the trace falls.
    var size: Double
    var isRapid: Bool
    /// The middle of its fastest 0.3 s, in seconds from the first sample.
    var middle: Double

    private static let least = 50.0
    private static let largest = 1_000.0
    /// Samples per second that are looked at, at least: turns are smoothed over three of them.
    private static let lowestRate = 50.0
    private static let (quick, share) = (0.3, 0.8)

    /// The deflections of a trace in µV without gaps, in order of time.
    static func all(in samples: [Float], sampleRate: Double) -> [EyeDeflection] {
        let step = max(1, Int(sampleRate / lowestRate))
        let rate = sampleRate / Double(step)
        let trace = smoothed(samples, step)
        guard trace.count > 2 else { return [] }
        let reach = max(1, Int((quick * rate).rounded()))
        let turns = turns(of: trace)
        return zip(turns, turns.dropFirst()).compactMap { begin, end in
            let size = trace[end] - trace[begin]
            guard abs(size) >= least, abs(size) <= largest else { return nil }
            var (fastest, place) = (0.0, begin)
            for first in begin...max(begin, end - reach) {
                let change = (trace[min(first + reach, end)] - trace[first]) / size
                if change > fastest { (fastest, place) = (change, first) }
            }
            let middle = (Double(place) + Double(min(reach, end - begin)) / 2) / rate
            return EyeDeflection(size: size, isRapid: fastest >= share, middle: middle)
        }
    }

    /// Means of `step` samples each, then of three of these.
    private static func smoothed(_ samples: [Float], _ step: Int) -> [Double] {
        var means: [Double] = []
        for first in stride(from: 0, through: samples.count - step, by: step) {
            let sum = samples[first..<first + step].reduce(0.0) { $0 + Double($1) }
            means.append(sum / Double(step))
        }
        guard means.count > 2 else { return [] }
        return (1..<means.count - 1).map { place -> Double in
            let sum = means[place - 1] + means[place] + means[place + 1]
            return sum / 3
        }
    }

    /// Where the trace turns by at least half of what a deflection is, its ends included.
    private static func turns(of trace: [Double]) -> [Int] {
        var turns = [0]
        var (low, high) = (0, 0)
        var direction = 0
        for place in trace.indices {
            if trace[place] < trace[low] { low = place }
            if trace[place] > trace[high] { high = place }
            if direction >= 0, trace[high] - trace[place] >= least / 2 {
                if direction > 0 || high > 0 { turns.append(high) }
                (direction, low) = (-1, place)
                high = place
            } else if direction <= 0, trace[place] - trace[low] >= least / 2 {
                if direction < 0 || low > 0 { turns.append(low) }
                (direction, high) = (1, place)
                low = place
            }
            // Going down only the lowest so far matters, going up only the highest.
            if direction < 0, trace[place] <= trace[low] { (low, high) = (place, place) }
            if direction > 0, trace[place] >= trace[high] { (low, high) = (place, place) }
        }
        return turns + [trace.count - 1]
    }
}
