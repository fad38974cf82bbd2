import CVectors

/// The spectra of the last blocks of every channel and those of a filter's taps, for blocks of any length.
struct PlainRing: Sendable {
    private let channels: Int
    private let plan: RealFFT<Float>
    /// The bins of a spectrum, and what fills the last vector of them.
    private let room: Int
    /// The transform of each piece of taps, `room` values each.
    private let pieces: Parts
    private let pieceCount: Int
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

    /// At rest.
    /// - Parameter spectra: of each piece of taps.
    init(_ spectra: [Spectrum<Float>], channels: Int, plan: RealFFT<Float>) {
        self.channels = channels
        self.plan = plan
        room = (plan.bins + 7) / 8 * 8
        pieceCount = spectra.count
        past = Parts(pieceCount * channels * room)
        found = Parts(channels * room)
        var pieces = Parts(pieceCount * room)
        let (room, bins) = (room, plan.bins)
        for (piece, spectrum) in spectra.enumerated() {
            pieces.withMutablePointers { real, imaginary in
                (real + piece * room).update(from: spectrum.real, count: bins)
                (imaginary + piece * room).update(from: spectrum.imaginary, count: bins)
            }
        }
        self.pieces = pieces
    }

    mutating func reset() {
        past = Parts(past.count)
        newest = 0
    }

    /// Filters the latter half of each channel's row of `window`.
    mutating func filter(_ window: Span<Float>, into samples: inout MutableSpan<Float>) {
        transform(window)
        multiply()
        found.withPointers { real, imaginary in
            plan.inverse(
                halvesOf: Span(_unsafeStart: real, count: found.count),
                imaginary: Span(_unsafeStart: imaginary, count: found.count), count: channels, stride: room,
                into: &samples)
        }
    }

    /// Puts the spectra of the window in the place of the oldest.
    private mutating func transform(_ window: Span<Float>) {
        newest = newest == 0 ? pieceCount - 1 : newest - 1
        let (channels, room, newest, plan) = (channels, room, newest, plan)
        past.withMutablePointers { real, imaginary in
            let place = newest * channels * room
            var re = MutableSpan(_unsafeStart: real + place, count: channels * room)
            var im = MutableSpan(_unsafeStart: imaginary + place, count: channels * room)
            plan.forward(
                rowsOf: window, count: channels, stride: plan.length, outputStride: room, real: &re, imaginary: &im)
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
