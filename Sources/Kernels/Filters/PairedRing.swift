import CVectors

/// The spectra of the last blocks of every channel and those of a filter's taps, in the order in which the transforms of a
/// power of two make and take them: a channel goes all the way before the next, and what is summed is read on and on.
struct PairedRing: Sendable {
    private let transform: BinaryTransform<Float8>
    private let channels: Int
    private let pieceCount: Int
    /// The spectra of the taps as `marey_overlap` has them.
    private let taps: [Float]
    /// Likewise of the last blocks, channel by channel; behind them what a transform needs to work in.
    private var memory: [Float]
    private var newest = 0

    /// At rest; nil where blocks are no power of two, or too short.
    /// - Parameter spectra: of each piece of taps.
    init?(_ spectra: [Spectrum<Float>], channels: Int, block: Int) {
        guard let transform = keptFloatEngines.engine(2 * block, FloatEngine.init).binary else { return nil }
        self.transform = transform
        self.channels = channels
        pieceCount = spectra.count
        let (lanes, half) = (Float8.width, block / 2)
        var parts: [Float] = []
        for first in stride(from: 0, to: half, by: lanes) {
            for spectrum in spectra {
                for bins in [(0..<lanes).map { first + $0 }, (0..<lanes).map { block - first - $0 }] {
                    parts += bins.map { spectrum.real[$0] } + bins.map { spectrum.imaginary[$0] }
                }
            }
        }
        for spectrum in spectra { parts += [spectrum.real[half], spectrum.imaginary[half]] }
        // All channels lie alike to vectors.
        parts += [Float](repeating: 0, count: (parts.count + 15) / 16 * 16 - parts.count)
        taps = parts
        memory = Array(repeating: 0, count: channels * parts.count + transform.workCount + 16)
    }

    /// Back to rest.
    mutating func reset() {
        memory = Array(repeating: 0, count: memory.count)
        newest = 0
    }

    /// Filters the latter half of twice a block of each channel, the last one and this one, of which the first lies at
    /// `window`, into rows of which the first lies at `samples`.
    mutating func filter(
        _ window: UnsafePointer<Float>, rowsOf frames: Int, into samples: UnsafeMutablePointer<Float>, rowsOf room: Int
    ) {
        newest = newest == 0 ? pieceCount - 1 : newest - 1
        let (transform, channels, taps, held) = (transform, channels, taps, taps.count)
        var overlap = marey_overlap()
        (overlap.count, overlap.pieces, overlap.newest) = (transform.count, pieceCount, newest)
        memory.withUnsafeMutableBufferPointer { memory in
            taps.withUnsafeBufferPointer { taps in
                transform.table.withUnsafeBufferPointer { table in
                    guard let past = memory.baseAddress, let taps = taps.baseAddress, let table = table.baseAddress
                    else { return }
                    // From where a line of the cache begins.
                    let work = UnsafeMutableRawPointer(past + channels * held).alignedUp(toMultipleOf: 64)
                    overlap.work = work.assumingMemoryBound(to: Float.self)
                    (overlap.table, overlap.taps) = (table, taps)
                    for channel in 0..<channels {
                        overlap.past = past + channel * held
                        marey_overlap_save(&overlap, window + channel * frames, samples + channel * room)
                    }
                }
            }
        }
    }
}
