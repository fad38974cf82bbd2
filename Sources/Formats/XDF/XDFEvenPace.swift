import Signals

/// Tells by its first stamps whether a stream that declares no sample rate was sampled evenly all the same.
///
/// Programs declare an irregular rate where they only did not know theirs. Stamps are counted in stretches of equal
/// length: samples that come evenly, however late each is, fill all of them alike, and values that come when something
/// happens do not.
struct XDFEvenPace {
    /// How many stamps tell.
    private static let enough = 1 << 13
    /// Fewest samples that a stretch has to have room for, and fewest stretches.
    private static let (samples, stretches) = (20.0, 4)
    /// Share of a stretch's samples by which it may differ, and of the stretches that may not differ by more.
    private static let (tolerance, alike) = (0.1, 0.9)

    private var stamps: [Seconds] = []

    /// Takes the next stamps of the stream.
    mutating func take(_ next: [Seconds]) {
        guard stamps.count < Self.enough else { return }
        stamps += next.prefix(Self.enough - stamps.count)
    }

    /// Hz, a whole number where it is as good as one; nil where the stamps are not even or too few.
    var rate: Double? {
        guard let first = stamps.first, let last = stamps.last, (last - first).isFinite, last > first else {
            return nil
        }
        let length = max(1, Self.samples * (last - first) / Double(stamps.count - 1))
        let whole = Int((last - first) / length)
        guard whole >= Self.stretches else { return nil }
        var counts = [Int](repeating: 0, count: whole)
        for stamp in stamps {
            let place = (stamp - first) / length
            if place >= 0, place < Double(whole) { counts[Int(place)] += 1 }
        }
        // Where nothing came a connection was lost.
        let filled = counts.filter { $0 > 0 }.sorted()
        let usual = filled[filled.count / 2]
        let slack = max(2, Int(Self.tolerance * Double(usual)))
        let even = filled.filter { abs($0 - usual) <= slack }
        guard even.count >= Self.stretches, Double(even.count) >= Self.alike * Double(filled.count) else { return nil }
        let rough = Double(even.reduce(0, +)) / (length * Double(even.count))
        guard Plausible.sampleRates.contains(rough) else { return nil }
        var finder = XDFRunFinder(rate: rough)
        for stamp in stamps { finder.add(stamp) }
        guard let run = finder.finish().max(by: { $0.count < $1.count }) else { return nil }
        let nearest = run.rate.rounded()
        return nearest >= 1 && abs(run.rate - nearest) < 0.005 * nearest ? nearest : run.rate
    }
}
