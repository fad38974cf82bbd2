import Brain
import Foundation
import Kernels
import Signals
import Simulation
import TestSupport
import Testing

private let axes = ["x", "y", "z"].map { Channel(label: $0, unit: .g) }
private let rate = 4.0

/// Acceleration of a hand: turning every few seconds while awake, now and then while asleep, or lying on a table.
private func hand(_ states: [(minutes: Int, state: String)]) -> SampleBlock {
    var random = RandomSource(seed: 11)
    var (x, y, z) = ([Float](), [Float](), [Float]())
    var angle = 0.3
    for (minutes, state) in states {
        for frame in 0..<minutes * 60 * Int(rate) {
            if state == "awake", frame % 40 == 0 { angle = random.uniform(-1.2...1.2) }
            if state == "asleep", frame % (60 * 20 * Int(rate)) == 0 { angle = random.uniform(-1...1) }
            let noise = state == "table" ? 0.0005 : 0.02
            x.append(Float(cos(angle) + noise * random.gaussian()))
            y.append(Float(noise * random.gaussian()))
            z.append(Float(sin(angle) + noise * random.gaussian()))
        }
    }
    return SampleBlock(channelCount: 3, samples: x + y + z)
}

@Test("Sustained inactivity is sleep, and a sensor on the table is not worn")
func inactivityIsSleep() {
    let signal = hand([(30, "awake"), (120, "asleep"), (30, "awake"), (90, "table")])
    let epochs = run(InactivitySleep(channels: axes, sampleRate: rate), signal, sampleRate: rate)
    #expect(epochs.map(\.onset) == (0..<540).map { Double($0) * 30 })
    #expect(epochs[..<60].allSatisfy { $0.asleep == 0 })
    #expect(epochs[60..<300].count { $0.asleep == 1 } >= 235)
    #expect(epochs[301..<359].allSatisfy { $0.asleep == 0 })
    #expect(epochs[362...].allSatisfy { $0.reason == .notWorn && $0.asleep == nil })
}

@Test("Sleep does not depend on how the recording was cut, nor go on over a gap")
func sleepIsChunkInvariant() {
    let signal = hand([(10, "awake"), (40, "asleep")])
    let all = Array(0..<signal.frameCount)
    let start = { (onset: Double) in SegmentStart(onset: onset, sample: 0, sampleRate: rate) }
    let epochs = assertChunkInvariant(
        CutBlocks(inner: InactivitySleep(channels: axes, sampleRate: rate), signal: signal),
        [(start(0), Array(all[..<6_000])), (start(1_610), Array(all[6_000...]))], cuts: 3, sampleBySample: false)
    #expect(epochs.contains { $0.reason == .gap })
}
