public import Signals

/// The channels of a recording in which a headband says whether it is on the head, and how its electrodes touch it.
public struct ContactSource: Hashable, Codable, Sendable {
    /// The stream's place in the recording.
    public var stream: Int
    /// The channel's place in the stream: 1 on the head, 0 off; nil where only electrodes are told.
    public var channel: Int?
    /// The place in the stream of each electrode's code: 1 good, 2 medium, 4 without contact; nil for those without.
    public var electrodes: [Int?]
    /// The stream's nominal sample rate in Hz.
    public var sampleRate: Double

    /// The first stream with channels called `HeadBandOn`, or `HSI_` and the electrode's name, as Mind Monitor calls them;
    /// nil where there is none.
    public init?(in header: RecordingHeader, electrodes: [String]) {
        for (index, stream) in header.streams.enumerated() where stream.sampleRate > 0 {
            let labels = stream.channels.map { $0.label.lowercased() }
            let band = labels.firstIndex(of: "headbandon")
            let codes = electrodes.map { labels.firstIndex(of: "hsi_" + $0.lowercased()) }
            guard band != nil || codes.contains(where: { $0 != nil }) else { continue }
            (self.stream, channel, self.electrodes, sampleRate) = (index, band, codes, stream.sampleRate)
            return
        }
        return nil
    }

    /// What a block of the stream says, as `HeadContact` takes it; NaN is what nothing is said of.
    func contact(in block: SampleBlock) -> SampleBlock {
        let samples = ([channel] + electrodes).flatMap { place -> [Float] in
            guard let place, place < block.channelCount else {
                return Array(repeating: .nan, count: block.frameCount)
            }
            return Array(block.samples[block.range(ofChannel: place)])
        }
        return SampleBlock(channelCount: 1 + electrodes.count, samples: samples)
    }
}
