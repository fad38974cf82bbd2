import Signals

/// Sample rates at which a WFDB record holds streams whose measured rates differ from the declared ones.
///
/// A record has one frame rate, of which all rates are multiples. The stream with the most values keeps its measured
/// rate, and with it its samples. Another stream keeps them too where its measured rate is such a multiple; otherwise it is
/// resampled to one.
struct WFDBCommonRates {
    /// Frames per second.
    let frameRate: Double
    /// Rate in Hz by index of the stream.
    private(set) var written: [Int: Double] = [:]
    /// The streams to resample, with their rates in Hz.
    private(set) var resampled: [Int: Double] = [:]

    /// Nil where the declared rates hold: all samples lie within half a sample of their times at them.
    init?(_ measured: MeasuredRates, _ header: RecordingHeader, declaredFrameRate: Double?) {
        var rates: [(index: Int, rate: MeasuredRate, declared: Double, channels: Int)] = []
        for (index, rate) in measured.streams.enumerated() {
            guard let rate else { continue }
            let stream = header.streams[index]
            rates.append((index, rate, stream.sampleRate, stream.channels.count))
        }
        guard declaredFrameRate == nil || rates.contains(where: { !$0.rate.isExact(at: $0.declared) }) else {
            return nil
        }
        let exact = rates.filter { $0.rate.isExact(at: $0.rate.hertz) }
        let main = exact.max { $0.rate.hertz * Double($0.channels) < $1.rate.hertz * Double($1.channels) }
        guard let main = main ?? rates.first else { return nil }
        let perFrame = max(1, (declaredFrameRate.map { main.declared / $0 } ?? main.rate.hertz).rounded())
        frameRate = main.rate.hertz / perFrame
        for stream in rates {
            let rate = max(1, (stream.rate.hertz / frameRate).rounded()) * frameRate
            written[stream.index] = rate
            if !stream.rate.isExact(at: rate) { resampled[stream.index] = rate }
        }
    }
}
