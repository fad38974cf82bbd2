/// A filter without feedback running on several channels at once, in blocks, by the Fourier transform: overlap-save
/// with the taps in pieces of a block each (Stockham 1966; uniformly partitioned as in Wefers 2015, section 3).
///
/// Its cost grows with taps per block, not with taps: right for the long filters that a narrow transition needs. Blocks
/// have one length and are counted from rest, so how a signal was cut before does not change a bit. A value that is
/// not finite spoils what follows until `reset()`. Blocks of a power of two, 32 or more, are the fastest.
public struct BlockFIR: Sendable {
    /// The design that runs on every channel.
    public let design: FIRDesign
    /// How many channels.
    public let channels: Int
    /// Samples of each channel per block.
    public let block: Int
    /// The last block and this one, of every channel.
    private var window: [Float]
    // One of the two.
    private var paired: PairedRing?
    private var plain: PlainRing?

    /// The filters at rest: the signals were zero for ever.
    /// - Precondition: at least one channel, one tap and one sample per block.
    public init(_ design: FIRDesign, channels: Int, block: Int) {
        precondition(channels > 0 && block > 0 && !design.taps.isEmpty, "a channel, a tap, a sample per block")
        self.design = design
        self.channels = channels
        self.block = block
        window = Array(repeating: 0, count: channels * 2 * block)
        let plan = RealFFT<Float>(length: 2 * block)
        let pieces = stride(from: 0, to: design.taps.count, by: block).map { first in
            let taps = design.taps[first..<min(first + block, design.taps.count)].map(Float.init)
            return plan.forward(taps + [Float](repeating: 0, count: 2 * block - taps.count))
        }
        paired = PairedRing(pieces, channels: channels, block: block)
        plain = paired == nil ? PlainRing(pieces, channels: channels, plan: plan) : nil
    }

    /// The delay of symmetric taps in samples; a block holds nothing back beside itself.
    public var groupDelay: Double { design.groupDelay }

    /// Back to rest.
    public mutating func reset() {
        for index in window.indices { window[index] = 0 }
        paired?.reset()
        plain?.reset()
    }

    /// Filters a block of all channels in place.
    /// - Parameter samples: `channels` × `block` values, channel-major.
    /// - Precondition: as many values.
    public mutating func process(_ samples: inout MutableSpan<Float>) {
        precondition(samples.count == channels * block, "a whole block")
        takeIn(samples.span)
        let window = window
        paired?.filter(window.span, into: &samples)
        plain?.filter(window.span, into: &samples)
    }

    private mutating func takeIn(_ samples: Span<Float>) {
        let (channels, block) = (channels, block)
        window.withUnsafeMutableBufferPointer { window in
            samples.withUnsafeBufferPointer { samples in
                guard let window = window.baseAddress, let samples = samples.baseAddress else { return }
                for channel in 0..<channels {
                    let place = window + channel * 2 * block
                    place.update(from: place + block, count: block)
                    (place + block).update(from: samples + channel * block, count: block)
                }
            }
        }
    }
}
