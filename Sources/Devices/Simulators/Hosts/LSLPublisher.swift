import Signals

/// Publishes what a simulated device measures as streams of the Lab Streaming Layer.
public struct LSLPublisher: Sendable {
    /// The names of the streams, by which `acquire` finds them.
    public let names: [String]
    private let outlets: [String: LSLOutlet]
    private let rates: [String: Double]
    private let start: Seconds

    /// Outlets for `streams` of a device that is switched on now.
    /// - Throws: `LinkError` when the library does not take one of them.
    public init(
        _ library: LSLLibrary, streams: [DeviceStream], sourceID: String, clock: any HostClock = SystemClock()
    ) throws {
        names = streams.map(\.header.name)
        outlets = try Dictionary(
            streams.map { ($0.id, try LSLOutlet(library, LSLStreamInfo($0, sourceID: sourceID + $0.id))) },
            uniquingKeysWith: { first, _ in first })
        rates = Dictionary(streams.map { ($0.id, $0.header.sampleRate) }, uniquingKeysWith: { first, _ in first })
        start = clock.now
    }

    /// Sends what was measured, with its true times; streams without outlet are left out.
    public func push(_ measured: MeasuredSamples) {
        guard let outlet = outlets[measured.stream], outlet.info.channels.count == measured.block.channelCount else {
            return
        }
        let rate = rates[measured.stream] ?? 0
        let stamps = (0..<measured.block.frameCount).map { frame in
            start + measured.time + (rate > 0 ? Double(frame) / rate : 0)
        }
        outlet.push(measured.block, stamps: stamps)
    }
}
