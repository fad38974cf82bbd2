import Devices
import Foundation
import Recorder
import Signals
import TestSupport

/// A device that counts its frames: frame k holds the number k, and is measured at a known true time.
struct Feed {
    var stream: DeviceStream
    /// By how many parts per million its clock runs fast.
    var drift = 0.0
    /// Frames in a packet.
    var packet = 12
    /// True time of its first frame.
    var start: Seconds = 0.3
    /// The shortest delay of a packet.
    var leastDelay: Seconds = 0.01
    /// How much longer a packet may take.
    var jitter: Seconds = 0.03
    /// Whether a packet's delay is exponential, with a mean of a third of `jitter`, instead of even.
    var isExponential = false
    var seed: UInt64 = 1

    init(
        _ id: String = "ecg", kind: StreamKind = .ecg, rate: Double = 250, channels: Int = 1,
        clock: DeviceClock = .counter
    ) {
        let header = StreamHeader(
            name: id, kind: kind, channels: (0..<channels).map { Channel(label: "\(id)\($0)", unit: .millivolts) },
            sampleRate: rate)
        stream = DeviceStream(id: id, header: header, clock: clock)
    }

    var rate: Double { stream.header.sampleRate }

    /// True time of a frame.
    func time(_ frame: Int) -> Seconds { start + Double(frame) / (rate * (1 + drift * 1e-6)) }

    func block(_ frames: Range<Int>) -> SampleBlock {
        let channels = stream.header.channels.count
        return SampleBlock(
            channelCount: channels, samples: (0..<channels).flatMap { channel in frames.map { Float($0 + channel) } })
    }

    /// The packets of so many seconds, with the moments of their arrival.
    func packets(_ duration: Seconds) -> [(samples: DeviceSamples, arrival: Seconds)] {
        var random = SplitMix64(seed: seed)
        var last = 0.0
        return stride(from: 0, to: Int(duration * rate), by: packet).map { first in
            let unit = Double.random(in: 0..<1, using: &random)
            let late = isExponential ? min(-log(1 - unit) / 3, 3) * jitter : unit * jitter
            last = max(last, time(first + packet - 1) + leastDelay + late)
            return (
                DeviceSamples(
                    stream: stream.id, index: first, block: block(first..<first + packet),
                    deviceTime: stream.clock == .deviceTime ? 1_000 + Double(first) / rate : nil), last
            )
        }
    }
}

/// Truth that a stretch of placed frames is compared with.
struct PlacedStretch {
    var start: SegmentStart
    var clock: Seconds
    var samples: [Float] = []
}

extension [RegularTimelinePlaced] {
    /// The segments with the samples of their first channel.
    var stretches: [PlacedStretch] {
        var found: [PlacedStretch] = []
        for piece in self {
            switch piece {
            case .segment(let start, let clock): found.append(PlacedStretch(start: start, clock: clock))
            case .samples(let block): found[found.count - 1].samples += block.channel(0)
            case .offset, .note: break
            }
        }
        return found
    }
}
