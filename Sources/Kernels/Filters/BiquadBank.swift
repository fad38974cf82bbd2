import CVectors

/// A cascade of second-order sections running on several channels at once, a channel per SIMD lane.
///
/// Frames are sample-major: all channels of one instant side by side. Each channel's output is to the bit that of a
/// `BiquadFilter` of its own.
public struct BiquadBank: Sendable {
    /// The design that runs on every channel.
    public let cascade: BiquadCascade
    /// How many channels.
    public let channels: Int
    private var states: [CascadeKernel.State<Double4>]
    private var untilQuiet = CascadeKernel.quietEvery

    /// The filters at rest.
    /// - Precondition: at least one channel.
    public init(_ cascade: BiquadCascade, channels: Int) {
        precondition(channels > 0, "a bank needs a channel")
        self.cascade = cascade
        self.channels = channels
        states = Array(repeating: .init(), count: cascade.sections.count * ((channels + 3) / 4))
    }

    /// Back to rest.
    public mutating func reset() {
        self = BiquadBank(cascade, channels: channels)
    }

    /// As if each channel had had its value in `frame` for ever.
    /// - Precondition: `frame` has a value per channel.
    public mutating func settle(at frame: Span<Float>) {
        precondition(frame.count == channels, "a value per channel")
        reset()
        for channel in 0..<channels {
            var x = Double(frame[channel])
            for (index, section) in cascade.sections.enumerated() {
                let settled = x * section.gainAtZero
                let y = settled.isFinite ? settled : 0
                let place = channel / 4 * cascade.sections.count + index
                states[place].x1.v[channel % 4] = x
                states[place].x2.v[channel % 4] = x
                states[place].y1.v[channel % 4] = y
                states[place].y2.v[channel % 4] = y
                x = y
            }
        }
    }

    /// Filters `frames` in place.
    /// - Precondition: whole frames, `channels` values each.
    public mutating func process(_ frames: inout MutableSpan<Float>) {
        precondition(frames.count % channels == 0, "whole frames")
        guard !cascade.sections.isEmpty else { return }
        let count = frames.count / channels
        frames.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            withUnsafeTemporaryAllocation(of: Double4.self, capacity: 64) { block in
                guard let block = block.baseAddress else { return }
                var done = 0
                while done < count {
                    let size = min(untilQuiet, 64, count - done)
                    run(base + done * channels, size, block)
                    done += size
                }
            }
        }
    }

    private mutating func run(
        _ frames: UnsafeMutablePointer<Float>, _ count: Int, _ block: UnsafeMutablePointer<Double4>
    ) {
        let channels = channels
        cascade.sections.withUnsafeBufferPointer { sections in
            states.withUnsafeMutableBufferPointer { states in
                guard let state = states.baseAddress else { return }
                for first in stride(from: 0, to: channels, by: 4) {
                    let width = min(4, channels - first)
                    Self.load(frames + first, stride: channels, width: width, count, block)
                    CascadeKernel.run(block, count, sections, state + first / 4 * sections.count)
                    Self.store(block, count, frames + first, stride: channels, width: width)
                }
                untilQuiet -= count
                if untilQuiet == 0 {
                    untilQuiet = CascadeKernel.quietEvery
                    CascadeKernel.quiet(states)
                }
            }
        }
    }

    private static func load(
        _ from: UnsafeMutablePointer<Float>, stride: Int, width: Int, _ count: Int, _ to: UnsafeMutablePointer<Double4>
    ) {
        if width == 4 {
            for t in 0..<count {
                let floats = UnsafeRawPointer(from + t * stride).loadUnaligned(as: SIMD4<Float>.self)
                to[t] = Double4(marey_wide(floats))
            }
        } else {
            for t in 0..<count {
                var values = SIMD4<Double>(repeating: 0)
                for lane in 0..<width { values[lane] = Double(from[t * stride + lane]) }
                to[t] = Double4(values)
            }
        }
    }

    private static func store(
        _ from: UnsafeMutablePointer<Double4>, _ count: Int, _ to: UnsafeMutablePointer<Float>, stride: Int, width: Int
    ) {
        if width == 4 {
            for t in 0..<count {
                UnsafeMutableRawPointer(to + t * stride).storeBytes(of: marey_narrow(from[t].v), as: SIMD4<Float>.self)
            }
        } else {
            for t in 0..<count {
                for lane in 0..<width { to[t * stride + lane] = Float(from[t].v[lane]) }
            }
        }
    }
}
