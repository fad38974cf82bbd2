import Brain
import Signals
import TestSupport
import Testing

private let rate = 100.0

private func ramp(_ count: Int) -> SampleBlock {
    SampleBlock(channelCount: 2, samples: (0..<count).map(Float.init) + (0..<count).map { -Float($0) })
}

private func start(_ onset: Double) -> SegmentStart { SegmentStart(onset: onset, sample: 0, sampleRate: rate) }

private func isIdentical(_ a: Epoch, _ b: Epoch) -> Bool {
    var (x, y) = (a, b)
    (x.samples, y.samples) = ([], [])
    return a.onset == b.onset && a.channels == b.channels && a.samples.map(\.bitPattern) == b.samples.map(\.bitPattern)
}

@Test("Epochs lie on the grid of steps, two seconds long, overlapping by half")
func epochsLieOnTheGrid() {
    let epochs = run(Epocher(channels: 2, sampleRate: rate), ramp(1_000), sampleRate: rate)
    #expect(epochs.filter { $0.frameCount > 0 }.map(\.onset) == (0...8).map(Double.init))
    #expect(epochs[3].channel(0) == (300..<500).map(Float.init))
    #expect(epochs[3].channel(1)[0] == -300)
    // The recording ends one second into the last one, and starts one second into the first.
    #expect(epochs.last?.onset == 9 && epochs.last?.channels[0].coverage == 0.5)
}

@Test("No epoch mixes two runs, and what was there of a torn one is said once")
func noEpochMixesRuns() {
    var epocher = Epocher(channels: 2, sampleRate: rate)
    var epochs: [Epoch] = []
    epocher.begin(start(0.25), into: &epochs)
    epocher.push(ramp(500), into: &epochs)  // to 5.25
    epocher.begin(start(5.5), into: &epochs)
    epocher.push(ramp(450), into: &epochs)  // to 10
    epocher.begin(start(20), into: &epochs)
    epocher.push(ramp(200), into: &epochs)
    epocher.finish(into: &epochs)
    #expect(epochs.map(\.onset) == epochs.map(\.onset).sorted())
    #expect(Set(epochs.map(\.onset)).count == epochs.count)
    let whole = epochs.filter { $0.frameCount > 0 }
    #expect(whole.map(\.onset) == [1, 2, 3, 6, 7, 8, 20])
    for epoch in whole { #expect(epoch.channel(0)[199] - epoch.channel(0)[0] == 199) }
    let torn = Dictionary(uniqueKeysWithValues: epochs.filter { $0.frameCount == 0 }.map { ($0.onset, $0) })
    #expect(torn[4]?.channels[0] == Epoch.ChannelState(coverage: 0.875, reasons: [.gap]))
    #expect(torn[5]?.channels[0].coverage == 0.875)
    #expect(torn[9]?.channels[0].coverage == 0.5 && torn[0]?.channels[0].coverage == 0.875)
    #expect(epochs.allSatisfy { $0.onset <= 9 || $0.onset >= 19 })
}

@Test("Epochs do not depend on how the recording was cut")
func epochsAreChunkInvariant() {
    var signal = ramp(3_000)
    signal.samples[700] = .nan
    let all = Array(0..<3_000)
    assertChunkInvariant(
        CutBlocks(
            inner: Epocher(channels: 2, sampleRate: rate, parameters: .init(length: 1.5, step: 0.5)), signal: signal),
        [
            (start(0.3), Array(all[..<1_234])), (start(13), Array(all[1_234..<1_300])),
            (start(14), Array(all[1_300...])),
        ],
        identical: isIdentical)
}

@Test("A channel with missing samples is not usable, the others are")
func missingSamplesSpoilTheirChannel() {
    var signal = ramp(400)
    signal.samples[250] = .nan
    let epochs = run(Epocher(channels: 2, sampleRate: rate), signal, sampleRate: rate)
    #expect(epochs[0].usableChannels == [0, 1])
    #expect(epochs[1].usableChannels == [1] && epochs[1].channels[0].reasons == [.missing])
    #expect(epochs[1].channels[0].coverage == 0.995)
}
