import Signals

/// How samples lie in the frames of one kind (Polar BLE SDK, data classes of the measurements).
struct PMDLayout: Hashable, Sendable {
    /// Values of a sample, the status included.
    var channels: Int
    /// Bytes of a value, of a reference in compressed frames.
    var size: Int
    /// What turns a value into the stream's unit.
    var scale: Double
    /// The lowest bits of a value that are its magnitude, without a sign: the others are flags; nil: all, with a sign.
    var bits: Int?
    /// What the last value of each sample is, where that is a status rather than a measurement.
    var status: Status?

    /// What a status is for.
    enum Status: Hashable, Sendable {
        /// One more channel: flags of so many bits, or a number with a sign.
        case channel(bits: Int?)
        /// How well a magnetometer is calibrated: 0 unknown, 1 poor, 2 ok, 3 good.
        case calibration
    }

    /// The layout of a frame; `factor` is the conversion factor from the answer to the start command.
    /// - Throws: `PMDError.unsupportedFrame`.
    init(_ frame: PMDFrame, factor: Double) throws(PMDError) {
        func layout(_ channels: Int, _ size: Int, _ scale: Double = 1, bits: Int? = nil, _ status: Status? = nil)
            -> Self
        {
            Self(channels: channels, size: size, scale: scale, bits: bits, status: status)
        }
        self =
            switch (frame.type, frame.frameType, frame.isCompressed) {
            case (.ecg, 0, false): layout(1, 3)
            case (.ecg, 1, false): layout(1, 3, bits: 14)
            case (.ecg, 2, false): layout(1, 3, bits: 18)
            case (.acceleration, 0, false): layout(3, 1)
            case (.acceleration, 1, false): layout(3, 2)
            case (.acceleration, 2, false): layout(3, 3)
            // This layout's factor gives g, that of the next one milli-g.
            case (.acceleration, 0, true): layout(3, 2, factor * 1_000)
            case (.acceleration, 1, true): layout(3, 2, factor)
            case (.ppg, 0, _): layout(4, 3)
            case (.ppg, 7, true): layout(17, 3, factor, .channel(bits: 24))
            case (.ppg, 8, true): layout(25, 3, factor, .channel(bits: 24))
            case (.ppg, 10, true): layout(21, 3, factor, .channel(bits: nil))
            case (.gyroscope, 0, _), (.magnetometer, 0, true): layout(3, 2, factor)
            // Milligauss.
            case (.magnetometer, 1, true): layout(4, 2, factor / 1_000, .calibration)
            default: throw .unsupportedFrame(type: frame.type, frameType: frame.frameTypeByte)
            }
    }

    private init(channels: Int, size: Int, scale: Double, bits: Int?, status: Status?) {
        (self.channels, self.size, self.scale, self.bits, self.status) = (channels, size, scale, bits, status)
    }

    /// The channels that become a stream's.
    private var kept: Int { status == .calibration ? channels - 1 : channels }

    /// Values as they lie in frames, samples one after the other, as channels of a stream.
    func block(_ values: [Int32]) -> SampleBlock {
        let count = values.count / channels
        var samples: [Float] = []
        samples.reserveCapacity(count * kept)
        for channel in 0..<kept {
            let isStatus = status != nil && channel == channels - 1
            for frame in 0..<count {
                let raw = values[frame * channels + channel]
                samples.append(isStatus ? statusValue(raw) : value(raw))
            }
        }
        return SampleBlock(channelCount: kept, samples: samples)
    }

    private func value(_ raw: Int32) -> Float {
        let number = bits.map { Self.lowest($0, of: raw) } ?? raw
        return scale == 1 ? Float(number) : Float(Double(number) * scale)
    }

    private func statusValue(_ raw: Int32) -> Float {
        guard case .channel(let bits?) = status else { return Float(raw) }
        return Float(Self.lowest(bits, of: raw))
    }

    private static func lowest(_ bits: Int, of raw: Int32) -> Int32 { raw & ((1 << Int32(bits)) - 1) }

    /// How well the magnetometer is calibrated at the last sample; nil where that is not told.
    func calibration(_ values: [Int32]) -> String? {
        guard status == .calibration, let last = values.last else { return nil }
        let words = ["unknown", "poor", "ok", "good"]
        return words.indices.contains(Int(last)) ? words[Int(last)] : "not available"
    }
}
