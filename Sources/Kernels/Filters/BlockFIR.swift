import CVectors

/// A filter without feedback running on several channels at once, in blocks, by the Fourier transform: overlap-save
/// with the taps in pieces of a block each (Stockham 1966; uniformly partitioned as in Wefers 2015, section 3).
///
/// Its cost grows with taps per block, not with taps: right for the long filters that a narrow transition needs. Blocks
/// have one length and are counted from rest, so how a signal was cut before does not change a bit. A value that is
/// not finite spoils what follows until `reset()`.
public struct BlockFIR: Sendable {
    /// The design that runs on every channel.
    public let design: FIRDesign
    /// How many channels.
    public let channels: Int
    /// Samples of each channel per block.
    public let block: Int
    /// How many blocks at once are the cheapest per block, see `RowBatches`.
    public let batch: Int
    private let plan: RealFFT<Float>
    /// The transform of each piece of taps, `bins` values each.
    private let piecesReal: [Float]
    private let piecesImaginary: [Float]
    private let pieceCount: Int
    /// For each block of a batch the one before and itself, of every channel.
    private var window: [Float]
    /// The last block before the batch.
    private var tail: [Float]
    /// Spectra of the last blocks, `pieceCount` of them in a ring, channel by channel within each.
    private var pastReal: [Float]
    private var pastImaginary: [Float]
    private var newest = 0
    private var real: [Float]
    private var imaginary: [Float]
    private var hartley: [Float]

    /// The filters at rest: the signals were zero for ever.
    /// - Precondition: at least one channel, one tap and one sample per block.
    public init(_ design: FIRDesign, channels: Int, block: Int) {
        precondition(channels > 0 && block > 0 && !design.taps.isEmpty, "a channel, a tap, a sample per block")
        self.design = design
        self.channels = channels
        self.block = block
        plan = RealFFT<Float>(length: 2 * block)
        let bins = plan.bins
        pieceCount = (design.taps.count + block - 1) / block
        var rows = [Float](repeating: 0, count: pieceCount * 2 * block)
        for (index, tap) in design.taps.enumerated() {
            rows[index / block * 2 * block + index % block] = Float(tap)
        }
        var pieces = (real: [Float](repeating: 0, count: pieceCount * bins), imaginary: [Float]())
        pieces.imaginary = pieces.real
        Self.transform(rows, plan, count: pieceCount, &pieces.real, &pieces.imaginary)
        (piecesReal, piecesImaginary) = pieces
        batch = RowBatches.cheapest(channels)
        window = Array(repeating: 0, count: batch * channels * 2 * block)
        tail = Array(repeating: 0, count: channels * block)
        pastReal = Array(repeating: 0, count: pieceCount * channels * bins)
        pastImaginary = pastReal
        real = Array(repeating: 0, count: batch * channels * bins)
        imaginary = real
        // Of the last channel eight values at once may end one behind the row.
        hartley = Array(repeating: 0, count: batch * channels * 2 * block + 8)
    }

    /// The delay of symmetric taps in samples; a block holds nothing back beside itself.
    public var groupDelay: Double { design.groupDelay }

    /// Back to rest.
    public mutating func reset() {
        for index in tail.indices { tail[index] = 0 }
        for index in pastReal.indices { (pastReal[index], pastImaginary[index]) = (0, 0) }
        newest = 0
    }

    /// Filters successive blocks of all channels in place.
    /// - Parameters:
    ///   - samples: the blocks, one after the other, of `channels` × `block` values each, channel-major.
    ///   - blocks: how many, up to `batch`.
    /// - Precondition: as many values, or more, which are left alone.
    public mutating func process(_ samples: inout MutableSpan<Float>, blocks: Int = 1) {
        precondition((1...batch).contains(blocks) && samples.count >= blocks * channels * block, "whole blocks")
        samples.withUnsafeMutableBufferPointer { samples in
            guard let samples = samples.baseAddress else { return }
            takeIn(samples, blocks)
            transformNewest(blocks)
            for number in 0..<blocks {
                remember(number)
                multiply(into: number)
            }
            transformBack(blocks, into: samples)
        }
    }

    private mutating func takeIn(_ samples: UnsafePointer<Float>, _ blocks: Int) {
        let (channels, block) = (channels, block)
        window.withUnsafeMutableBufferPointer { window in
            tail.withUnsafeMutableBufferPointer { tail in
                guard let window = window.baseAddress, let tail = tail.baseAddress else { return }
                let size = channels * block
                for row in 0..<blocks * channels {
                    let (place, from) = (window + row * 2 * block, row * block)
                    let before: UnsafePointer<Float> = row < channels ? UnsafePointer(tail) : samples - size
                    place.update(from: before + from, count: block)
                    (place + block).update(from: samples + from, count: block)
                }
                tail.update(from: samples + (blocks - 1) * channels * block, count: channels * block)
            }
        }
    }

    private mutating func transformNewest(_ blocks: Int) {
        Self.transform(window, plan, count: blocks * channels, &real, &imaginary)
    }

    /// Puts the spectra of a block of the batch in the place of the oldest.
    private mutating func remember(_ number: Int) {
        let count = channels * plan.bins
        newest = newest == 0 ? pieceCount - 1 : newest - 1
        Self.copy(real, from: number * count, to: &pastReal, at: newest * count, count)
        Self.copy(imaginary, from: number * count, to: &pastImaginary, at: newest * count, count)
    }

    private static func copy(_ source: [Float], from: Int, to target: inout [Float], at place: Int, _ count: Int) {
        source.withUnsafeBufferPointer { source in
            target.withUnsafeMutableBufferPointer { target in
                guard let source = source.baseAddress, let target = target.baseAddress else { return }
                (target + place).update(from: source + from, count: count)
            }
        }
    }

    /// Σ over the pieces of their spectrum times that of the block as long ago, written as the values whose Hartley
    /// transform is the signal: real minus imaginary part, over all 2·block frequencies.
    private mutating func multiply(into number: Int) {
        let (channels, bins, block) = (channels, plan.bins, block)
        var ring = marey_ring()
        (ring.bins, ring.pieces, ring.stride, ring.newest) = (bins, pieceCount, channels * bins, newest)
        piecesReal.withUnsafeBufferPointer { tapsReal in
            piecesImaginary.withUnsafeBufferPointer { tapsImaginary in
                pastReal.withUnsafeBufferPointer { real in
                    pastImaginary.withUnsafeBufferPointer { imaginary in
                        hartley.withUnsafeMutableBufferPointer { out in
                            guard let re = real.baseAddress, let im = imaginary.baseAddress, let out = out.baseAddress
                            else { return }
                            (ring.taps_real, ring.taps_imaginary) = (tapsReal.baseAddress, tapsImaginary.baseAddress)
                            for channel in 0..<channels {
                                (ring.real, ring.imaginary) = (re + channel * bins, im + channel * bins)
                                marey_ring_hartley(&ring, out + (number * channels + channel) * 2 * block)
                            }
                        }
                    }
                }
            }
        }
    }

    /// A Hartley transform through the Fourier transform, then the block's valid half.
    private mutating func transformBack(_ blocks: Int, into samples: UnsafeMutablePointer<Float>) {
        Self.transform(hartley, plan, count: blocks * channels, &real, &imaginary)
        let scale = 1 / Float(2 * block)
        for number in 0..<blocks * channels {
            let row = number * plan.bins
            // Samples block ..< 2·block are the transform at 2·block − t for t in 1...block.
            let end = samples + number * block + block
            real.withUnsafeBufferPointer { real in
                imaginary.withUnsafeBufferPointer { imaginary in
                    guard let re = real.baseAddress, let im = imaginary.baseAddress else { return }
                    var t = 1
                    while t + 7 <= block {
                        let sum = (Float8.load(re + row + t) + Float8.load(im + row + t)) * scale
                        sum.reversed.store(end - t - 7)
                        t += 8
                    }
                    while t <= block {
                        (end - t).pointee = (re[row + t] + im[row + t]) * scale
                        t += 1
                    }
                }
            }
        }
    }

    private static func transform(
        _ rows: [Float], _ plan: RealFFT<Float>, count: Int, _ real: inout [Float], _ imaginary: inout [Float]
    ) {
        var realSpan = real.mutableSpan
        var imaginarySpan = imaginary.mutableSpan
        plan.forward(
            rowsOf: rows.span, count: count, stride: plan.length, real: &realSpan, imaginary: &imaginarySpan)
    }
}
