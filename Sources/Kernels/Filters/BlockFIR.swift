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
        samples.withUnsafeMutableBufferPointer { samples in
            guard let samples = samples.baseAddress else { return }
            process(1, of: samples, rowsOf: block, into: samples, rowsOf: block)
        }
    }

    /// Filters blocks that follow one another out of rows, of which each holds `frames` values of a channel, into others.
    /// - Parameters:
    ///   - count: how many blocks.
    ///   - samples: the first value of the first block of the first channel.
    ///   - found: where that of the first output goes: elsewhere, or, of a single block, to the same place.
    /// - Precondition: as many values in all rows, and room for as many.
    package mutating func process(
        _ count: Int, of samples: UnsafePointer<Float>, rowsOf frames: Int, into found: UnsafeMutablePointer<Float>,
        rowsOf room: Int
    ) {
        guard count > 0 else { return }
        guard paired != nil else {
            for number in 0..<count {
                takeIn(samples + number * block, rowsOf: frames)
                filterPlainly(into: found + number * block, rowsOf: room)
            }
            return
        }
        // What is before the first block lies elsewhere.
        takeIn(samples, rowsOf: frames)
        let (window, block) = (window, block)
        window.withUnsafeBufferPointer { window in
            if let window = window.baseAddress { paired?.filter(window, rowsOf: 2 * block, into: found, rowsOf: room) }
        }
        for number in stride(from: 1, to: count, by: 1) {
            paired?.filter(
                samples + (number - 1) * block, rowsOf: frames, into: found + number * block, rowsOf: room)
        }
        if count > 1 { takeIn(samples + (count - 1) * block, rowsOf: frames) }
    }

    private mutating func filterPlainly(into found: UnsafeMutablePointer<Float>, rowsOf room: Int) {
        let (window, channels, block) = (window, channels, block)
        var rows = [Float](repeating: 0, count: channels * block)
        var span = rows.mutableSpan
        plain?.filter(window.span, into: &span)
        rows.withUnsafeBufferPointer { rows in
            guard let rows = rows.baseAddress else { return }
            for channel in 0..<channels {
                (found + channel * room).update(from: rows + channel * block, count: block)
            }
        }
    }

    /// Puts a block of each channel behind the one before.
    private mutating func takeIn(_ samples: UnsafePointer<Float>, rowsOf frames: Int) {
        let (channels, block) = (channels, block)
        window.withUnsafeMutableBufferPointer { window in
            guard let window = window.baseAddress else { return }
            for channel in 0..<channels {
                let place = window + channel * 2 * block
                place.update(from: place + block, count: block)
                (place + block).update(from: samples + channel * frames, count: block)
            }
        }
    }
}
