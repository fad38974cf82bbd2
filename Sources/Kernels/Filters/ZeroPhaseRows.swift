extension BiquadCascade {
    /// Several channels filtered forwards and backwards, each as `zeroPhase` does it but for rounding to `Float`
    /// between the two passes, eight at a time.
    /// - Parameter samples: channel-major, all channels of one length.
    /// - Precondition: at least one channel, and as many samples in each.
    public func zeroPhase(_ samples: [Float], channels: Int) -> [Float] {
        precondition(channels > 0 && samples.count % channels == 0, "as many samples in each channel")
        let count = samples.count / channels
        var result = samples
        guard count > 1 else {
            for channel in 0..<channels where count == 1 { result[channel] = zeroPhase([samples[channel]])[0] }
            return result
        }
        let padding = min(zeroPhasePadding, count - 1)
        var frames = [Float](repeating: 0, count: (count + 2 * padding) * 8)
        for first in stride(from: 0, to: channels, by: 8) {
            let width = min(8, channels - first)
            Self.interleave(samples, first, width, count, padding, &frames)
            forwardsAndBackwards(&frames)
            Self.separate(frames, first, width, count, padding, &result)
        }
        return result
    }

    /// Frames of eight channels, continued beyond the ends by a point reflection; lanes without a channel are zero.
    private static func interleave(
        _ samples: [Float], _ first: Int, _ width: Int, _ count: Int, _ padding: Int, _ frames: inout [Float]
    ) {
        if width < 8 { for index in frames.indices { frames[index] = 0 } }
        samples.withUnsafeBufferPointer { source in
            frames.withUnsafeMutableBufferPointer { target in
                for block in stride(from: 0, to: count, by: 256) {
                    for lane in 0..<width {
                        let row = (first + lane) * count
                        for index in block..<min(block + 256, count) {
                            target[(padding + index) * 8 + lane] = source[row + index]
                        }
                    }
                }
                for lane in 0..<width {
                    let row = (first + lane) * count
                    let (begin, end) = (source[row], source[row + count - 1])
                    for index in 0..<padding {
                        target[index * 8 + lane] = 2 * begin - source[row + padding - index]
                        target[(padding + count + index) * 8 + lane] = 2 * end - source[row + count - 2 - index]
                    }
                }
            }
        }
    }

    private static func separate(
        _ frames: [Float], _ first: Int, _ width: Int, _ count: Int, _ padding: Int, _ result: inout [Float]
    ) {
        frames.withUnsafeBufferPointer { source in
            result.withUnsafeMutableBufferPointer { target in
                for block in stride(from: 0, to: count, by: 256) {
                    for lane in 0..<width {
                        let row = (first + lane) * count
                        for index in block..<min(block + 256, count) {
                            target[row + index] = source[(padding + index) * 8 + lane]
                        }
                    }
                }
            }
        }
    }

    private func forwardsAndBackwards(_ frames: inout [Float]) {
        var bank = BiquadBank(self, channels: 8)
        for _ in 0..<2 {
            bank.settle(at: frames.span.extracting(0..<8))
            var span = frames.mutableSpan
            bank.process(&span)
            Self.reverse(&frames)
        }
    }

    private static func reverse(_ frames: inout [Float]) {
        frames.withUnsafeMutableBytes { bytes in
            var (low, high) = (0, bytes.count - 32)
            while low < high {
                let values = bytes.loadUnaligned(fromByteOffset: low, as: SIMD8<Float>.self)
                bytes.storeBytes(
                    of: bytes.loadUnaligned(fromByteOffset: high, as: SIMD8<Float>.self), toByteOffset: low,
                    as: SIMD8<Float>.self)
                bytes.storeBytes(of: values, toByteOffset: high, as: SIMD8<Float>.self)
                (low, high) = (low + 32, high - 32)
            }
        }
    }
}
