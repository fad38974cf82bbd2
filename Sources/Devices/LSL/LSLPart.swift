import Signals

/// A stream that was announced for channels of one kind, and the places of its channels in the sender's stream.
struct LSLPart: Sendable {
    var id: String
    var channels: [Int]

    /// The samples of these channels.
    func samples(of whole: DeviceSamples) -> DeviceSamples {
        var samples = whole
        samples.stream = id
        let (count, frames) = (whole.block.channelCount, whole.block.frameCount)
        guard channels != Array(0..<count) else { return samples }
        samples.block = whole.block.channels(channels)
        func chosen<Number>(_ numbers: [Number]) -> [Number] {
            channels.flatMap { numbers[$0 * frames..<($0 + 1) * frames] }
        }
        samples.doubles = whole.doubles.map(chosen)
        samples.integers = whole.integers.map(chosen)
        return samples
    }
}
