import Signals

/// Publishes what a simulated device measures as streams of the Lab Streaming Layer.
public struct LSLSimulatorHost: Sendable {
    private let runner: SimulatorRunner

    /// A host of `device`, whose `streams` are published as they are described.
    /// - Throws: `LinkError` when the library does not take one of them.
    public init(
        _ library: LSLLibrary, _ device: any DeviceSimulator, streams: [DeviceStream], sourceID: String,
        clock: any HostClock = SystemClock()
    ) throws {
        var outlets: [String: LSLOutlet] = [:]
        for stream in streams {
            outlets[stream.id] = try LSLOutlet(library, LSLStreamInfo(stream, sourceID: sourceID + stream.id))
        }
        let start = clock.now
        let published = outlets
        let rates = Dictionary(streams.map { ($0.id, $0.header.sampleRate) }, uniquingKeysWith: { first, _ in first })
        runner = SimulatorRunner(device, clock: clock) { measured in
            guard let outlet = published[measured.stream],
                outlet.info.channels.count == measured.block.channelCount
            else { return }
            let rate = rates[measured.stream] ?? 0
            let stamps = (0..<measured.block.frameCount).map { frame in
                start + measured.time + (rate > 0 ? Double(frame) / rate : 0)
            }
            outlet.push(measured.block, stamps: stamps)
        }
    }

    /// Runs the device until the task is cancelled.
    public func run() async { await runner.run() }
}
