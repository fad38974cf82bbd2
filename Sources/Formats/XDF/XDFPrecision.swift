import Signals

/// Whether samples of a stream, which are 32-bit numbers here, are kept as finely as they vary: those of 64-bit numbers
/// and large integers, such as 1e9 ± 1, may not be.
struct XDFPrecision {
    private var channels: [Channel]
    /// How many more frames are looked at.
    private var left: Int

    private struct Channel {
        var first: Double?
        var largest = 0.0
        /// Values from the first of them on.
        var sample = ValueSample()
    }

    /// Nil where 32 bits hold every number of the format.
    init?(_ info: XDFStreamInfo) {
        guard [.double, .int32, .int64].contains(info.format), info.channelCount > 0 else { return nil }
        channels = Array(repeating: Channel(), count: info.channelCount)
        left = max(16, min(4096, (1 << 20) / info.channelCount))
    }

    mutating func take(
        _ bytes: UnsafeRawBufferPointer, _ places: ArraySlice<Int>, _ format: XDFValueFormat
    ) {
        for place in places.prefix(left) {
            let values = XDFNumbers.values(bytes, place, channels: channels.count, format)
            for (index, value) in values.enumerated() where value.isFinite {
                let first = channels[index].first ?? value
                channels[index].first = first
                channels[index].largest = max(channels[index].largest, abs(value))
                channels[index].sample.take(Float(value - first))
            }
            left -= 1
        }
    }

    /// What a user should know of the stream; nil where its values are kept as finely as they vary.
    func note(_ stream: StreamHeader) -> String? {
        let coarse = zip(channels, stream.channels).filter { channel, _ in
            let spread = channel.sample.usualSpread
            return spread > 0 && Double(Float(channel.largest).ulp) > spread / 16
        }.map(\.1.label)
        guard !coarse.isEmpty else { return nil }
        return
            "\(stream.name): \(coarse.joined(separator: ", ")) lie so far from 0 that single precision keeps coarser steps "
            + "than the file"
    }
}
