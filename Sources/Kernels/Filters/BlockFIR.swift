import CVectors

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
    private let plan: RealFFT<Float>
    /// The bins of a spectrum, and what fills the last vector of them.
    private let room: Int
    /// The transform of each piece of taps, `room` values each.
    private let pieces: Parts
    private let pieceCount: Int
    /// The last block and this one, of every channel.
    private var window: [Float]
    /// Spectra of the last blocks, `pieceCount` of them in a ring, channel by channel within each.
    private var past: Parts
    private var newest = 0
    private var found: Parts

    /// Real parts and, behind them, as many imaginary ones.
    private struct Parts: Sendable {
        let count: Int
        private var values: [Float]

        init(_ count: Int) {
            self.count = count
            values = Array(repeating: 0, count: 2 * count)
        }

        func withPointers(_ body: (UnsafePointer<Float>, UnsafePointer<Float>) -> Void) {
            values.withUnsafeBufferPointer { values in
                if let base = values.baseAddress { body(base, base + count) }
            }
        }

        mutating func withMutablePointers(_ body: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>) -> Void) {
            values.withUnsafeMutableBufferPointer { values in
                if let base = values.baseAddress { body(base, base + count) }
            }
        }
    }

    /// The filters at rest: the signals were zero for ever.
    /// - Precondition: at least one channel, one tap and one sample per block.
    public init(_ design: FIRDesign, channels: Int, block: Int) {
        precondition(channels > 0 && block > 0 && !design.taps.isEmpty, "a channel, a tap, a sample per block")
        self.design = design
        self.channels = channels
        self.block = block
        plan = RealFFT<Float>(length: 2 * block)
        room = (plan.bins + 7) / 8 * 8
        pieceCount = (design.taps.count + block - 1) / block
        window = Array(repeating: 0, count: channels * 2 * block)
        past = Parts(pieceCount * channels * room)
        found = Parts(channels * room)
        var pieces = Parts(pieceCount * room)
        let (room, bins) = (room, plan.bins)
        for piece in 0..<pieceCount {
            let taps = design.taps[piece * block..<min((piece + 1) * block, design.taps.count)].map(Float.init)
            let spectrum = plan.forward(taps + [Float](repeating: 0, count: 2 * block - taps.count))
            pieces.withMutablePointers { real, imaginary in
                (real + piece * room).update(from: spectrum.real, count: bins)
                (imaginary + piece * room).update(from: spectrum.imaginary, count: bins)
            }
        }
        self.pieces = pieces
    }

    /// The delay of symmetric taps in samples; a block holds nothing back beside itself.
    public var groupDelay: Double { design.groupDelay }

    /// Back to rest.
    public mutating func reset() {
        for index in window.indices { window[index] = 0 }
        past = Parts(past.count)
        newest = 0
    }

    /// Filters a block of all channels in place.
    /// - Parameter samples: `channels` × `block` values, channel-major.
    /// - Precondition: as many values.
    public mutating func process(_ samples: inout MutableSpan<Float>) {
        precondition(samples.count == channels * block, "a whole block")
        takeIn(samples.span)
        transform()
        multiply()
        found.withPointers { real, imaginary in
            plan.inverse(
                halvesOf: Span(_unsafeStart: real, count: found.count),
                imaginary: Span(_unsafeStart: imaginary, count: found.count), count: channels, stride: room,
                into: &samples)
        }
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

    /// Puts the spectra of the window in the place of the oldest.
    private mutating func transform() {
        newest = newest == 0 ? pieceCount - 1 : newest - 1
        let (channels, room, newest, plan, window) = (channels, room, newest, plan, window)
        past.withMutablePointers { real, imaginary in
            let place = newest * channels * room
            var re = MutableSpan(_unsafeStart: real + place, count: channels * room)
            var im = MutableSpan(_unsafeStart: imaginary + place, count: channels * room)
            plan.forward(
                rowsOf: window.span, count: channels, stride: plan.length, outputStride: room, real: &re,
                imaginary: &im)
        }
    }

    /// Σ over the pieces of their spectrum times that of the block as long ago.
    private mutating func multiply() {
        let (channels, room, past, pieces) = (channels, room, past, pieces)
        var ring = marey_ring()
        (ring.bins, ring.pieces, ring.stride, ring.newest) = (room, pieceCount, channels * room, newest)
        pieces.withPointers { tapsReal, tapsImaginary in
            past.withPointers { real, imaginary in
                (ring.taps_real, ring.taps_imaginary) = (tapsReal, tapsImaginary)
                found.withMutablePointers { re, im in
                    for place in stride(from: 0, to: channels * room, by: room) {
                        (ring.real, ring.imaginary) = (real + place, imaginary + place)
                        marey_ring_sum(&ring, re + place, im + place)
                    }
                }
            }
        }
    }
}
