import Formats
import Pipeline
import Signals
import Testing

struct RecordingInventoryTests {
    @Test func `what is missing is counted of the channel that has most of it`() {
        let axes: [[Float]] = [[1, .nan, 3, 4, 5, 6], [1, 2, 3, .nan, .nan, .nan], [1, 2, 3, 4, 5, 6]]
        let header = StreamHeader(
            name: "acc", kind: .acceleration, channels: ["x", "y", "z"].map { Channel(label: $0, unit: .g) },
            sampleRate: 2)
        var inventory = RecordingInventory(RecordingHeader(streams: [header], format: "test"))
        inventory.take(.segment(stream: 0, start: SegmentStart(onset: 0, sample: 0, sampleRate: 2)))
        for frames in [0..<2, 2..<5, 5..<6] {
            let block = SampleBlock(channelCount: 3, samples: axes.flatMap { $0[frames] })
            inventory.take(.samples(stream: 0, block))
        }
        #expect(inventory.streams[0].missing == 3 && inventory.streams[0].samples == 6)
        #expect(inventory.table.rows[0].last == .integer(3))
    }
}
