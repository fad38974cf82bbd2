import Signals

/// Chooses which streams keep their sample rates where no EDF data record holds whole numbers of samples of all.
enum EDFCommonRates {
    /// The sample rates in Hz, by index of the stream, to which streams must be resampled before they are written; empty
    /// where all can be written as they are.
    ///
    /// The streams with the most values keep their rates. The others get the nearest rate with whole numbers of samples
    /// in the data records of those.
    static func resampled(_ scan: EDFWriteScan, _ header: RecordingHeader) -> [Int: Double] {
        var streams: [(index: Int, rate: MeasuredRate, channels: Int)] = []
        for (index, stream) in scan.streams.enumerated() where !stream.runs.isEmpty {
            guard let rate = stream.rate(nominal: header.streams[index].sampleRate) else { continue }
            streams.append((index, rate, header.streams[index].channels.count))
        }
        streams.sort { $0.rate.hertz * Double($0.channels) > $1.rate.hertz * Double($1.channels) }
        var kept: [(rate: Double, channels: Int)] = []
        var others: [(index: Int, rate: MeasuredRate, channels: Int)] = []
        var duration: Seconds?
        for stream in streams {
            let joined = kept + [(stream.rate.hertz, stream.channels)]
            if stream.rate.isExact(at: stream.rate.hertz), let length = length(joined) {
                kept = joined
                duration = length
            } else {
                others.append(stream)
            }
        }
        let length = duration ?? 1
        var rates: [Int: Double] = [:]
        for stream in others {
            rates[stream.index] = max(1, (stream.rate.hertz * length).rounded()) / length
        }
        return rates
    }

    private static func length(_ streams: [(rate: Double, channels: Int)]) -> Seconds? {
        EDFRecordLength.best(rates: streams.map(\.rate), channels: streams.map(\.channels), spans: [])?.duration
    }
}
