import Brain
import Testing

@Test("An incomplete epoch has no usable channel and no samples")
func incompleteEpochsAreNotUsable() {
    let state = Epoch.ChannelState(coverage: 0.5, reasons: [.gap])
    let epoch = Epoch(onset: 1, duration: 2, sampleRate: 256, samples: [], channels: [state, state])
    #expect(epoch.frameCount == 0 && epoch.usableChannels.isEmpty)
}

@Test("Channels of an epoch lie one after the other")
func epochsAreChannelMajor() {
    var epoch = Epoch(
        onset: 0, duration: 1, sampleRate: 3, samples: [1, 2, 3, 4, 5, 6], channels: [.init(), .init()])
    #expect(epoch.channel(1) == [4, 5, 6])
    epoch.channels[0].reasons = [.flat]
    #expect(epoch.usableChannels == [1])
}
