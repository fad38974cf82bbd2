import Kernels
import Signals
import Simulation

/// Cuts a simulated signal into packets of a fixed number of frames, each ready when its last frame was sampled.
struct PacketSource: Sendable {
    /// Frames per second of true time.
    let rate: Double
    let framesPerPacket: Int
    /// Index of the next packet's first frame since the device was switched on.
    private(set) var next: Int

    init(rate: Double, framesPerPacket: Int, next: Int = 0) {
        self.rate = rate
        self.framesPerPacket = framesPerPacket
        self.next = next
    }

    /// When the next packet is complete.
    var due: Seconds { time(of: next + framesPerPacket - 1) }

    /// True time of a frame.
    func time(of frame: Int) -> Seconds { Double(frame) / rate }

    /// Goes on from `moment`: earlier frames are not measured.
    mutating func begin(at moment: Seconds) {
        next = Swift.max(next, Int((moment * rate).rounded(.up)))
    }

    /// Takes the next packet's frames.
    mutating func take() -> Range<Int> {
        defer { next += framesPerPacket }
        return next..<next + framesPerPacket
    }
}

/// Acceleration and angular velocity of a body at rest that breathes: gravity, a little sway, noise.
struct RestingMotion: Sendable {
    private var noise: RandomSource

    init(seed: UInt64, label: String) {
        noise = RandomSource(seed: seed, "motion \(label)")
    }

    /// Acceleration in g of `frames` sampled at `rate` Hz, axis by axis.
    mutating func acceleration(_ frames: Range<Int>, rate: Double) -> [[Double]] {
        render(frames, rate, mean: [0.02, -0.05, 0.99], sway: [0.01, 0.02, 0.005], noise: 0.003)
    }

    /// Angular velocity in deg/s.
    mutating func rotation(_ frames: Range<Int>, rate: Double) -> [[Double]] {
        render(frames, rate, mean: [0.3, -0.2, 0.1], sway: [1.5, 0.8, 0.4], noise: 0.1)
    }

    private mutating func render(
        _ frames: Range<Int>, _ rate: Double, mean: [Double], sway: [Double], noise scale: Double
    ) -> [[Double]] {
        (0..<3).map { axis in
            frames.map { frame in
                let breath = sin(turns: 0.25 * Double(frame) / rate + Double(axis) / 3)
                return mean[axis] + sway[axis] * breath + scale * noise.gaussian()
            }
        }
    }

    /// A parabola's approximation of the sine: the same bits on every machine.
    private func sin(turns: Double) -> Double {
        let x = turns - turns.rounded()
        return 16 * x * (0.5 - abs(x))
    }
}
