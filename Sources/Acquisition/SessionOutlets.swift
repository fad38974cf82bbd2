public import Devices
import Pipeline
import Quality
public import Signals
import Synchronization

/// Publishes a running session on the Lab Streaming Layer: every stream as it is recorded, sample for sample, with the
/// recording's times on LSL's clock; its markers; and as live values heart rates and qualities.
public final class SessionOutlets: Sendable {
    /// What the sources of one program's sessions have in common, by which they are told from devices.
    public static let sourcePrefix = LSLStreamInfo.ownSourcePrefix
    /// What the stream of markers is called.
    public static let markers = "marey-markers"

    private struct Lane {
        var header: StreamHeader
        var outlet: LSLOutlet?
        /// The present run's onset, and its frames so far.
        var onset: Seconds = 0
        var count = 0
    }

    private struct State {
        var lanes: [Int: Lane] = [:]
        var values: [String: LSLOutlet] = [:]
    }

    private let library: LSLLibrary
    private let start: Seconds
    private let text: LSLOutlet
    private let complain: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// Outlets of a session.
    /// - Parameters:
    ///   - start: the recording's start on the host's monotonic clock, which is LSL's.
    ///   - complain: told what the library does not publish.
    /// - Throws: `LinkError` when it publishes nothing.
    public init(
        _ library: LSLLibrary, start: Seconds, complain: @escaping @Sendable (String) -> Void
    ) throws(LinkError) {
        (self.library, self.start, self.complain) = (library, start, complain)
        text = try LSLOutlet(
            library,
            LSLStreamInfo(
                name: Self.markers, type: "Markers", channels: [Channel(label: "marker", unit: .unknown)],
                sampleRate: 0, isText: true, sourceID: Self.sourcePrefix + "markers"))
    }

    /// Takes what the session shows: its streams and what is computed.
    public func show(_ event: SessionEvent) {
        switch event {
        case .stream(let index, _, let header, let isDouble, _):
            let outlet = outlet(header, isDouble: isDouble)
            state.withLock { $0.lanes[index] = Lane(header: header, outlet: outlet) }
        case .update(.heartRate(let stream, let onset, let rate)):
            push(rate, at: onset, "heartRate", .heartRate, .beatsPerMinute, of: stream)
        case .update(.quality(let stream, let window)):
            push(window.quality, at: window.onset + window.duration, "quality", .other, .dimensionless, of: stream)
        case .lapse(let lapse, _):
            // A value that ended is missing from here on.
            switch lapse.value {
            case .heartRate: push(.nan, at: lapse.onset, "heartRate", .heartRate, .beatsPerMinute, of: lapse.stream)
            case .quality: push(.nan, at: lapse.onset, "quality", .other, .dimensionless, of: lapse.stream)
            case .prediction, .variability, .rhythm, .electrodes, .respiration: break
            }
        default: break
        }
    }

    /// Takes what was recorded.
    public func watch(_ piece: RecordedPiece) {
        switch piece.event {
        case .segment(let stream, let start):
            state.withLock { state in
                state.lanes[stream]?.onset = start.onset
                state.lanes[stream]?.count = 0
            }
        case .samples(let stream, let block):
            guard let (lane, rate) = count(block, of: stream) else { return }
            let first = start + lane.onset
            let stamps = (lane.count..<lane.count + block.frameCount).map { first + Double($0) / rate }
            if lane.outlet?.isDouble == true {
                lane.outlet?.push(Self.rows(block, piece.doubles), stamps: stamps)
            } else {
                lane.outlet?.push(block, stamps: stamps)
            }
        case .values(let stream, let values):
            let lane = state.withLock { $0.lanes[stream] }
            lane?.outlet?.push(values.map(\.values), stamps: values.map { start + $0.onset })
        case .marker(let marker): text.push(marker.label, stamp: start + marker.onset)
        }
    }

    /// The frames of a block, as they are recorded in double precision.
    private static func rows(_ block: SampleBlock, _ doubles: [Double]?) -> [[Double]] {
        let samples = doubles ?? block.samples.map(Double.init)
        return (0..<block.frameCount).map { frame in
            (0..<block.channelCount).map { samples[$0 * block.frameCount + frame] }
        }
    }

    /// The stream as it was before these frames.
    private func count(_ block: SampleBlock, of stream: Int) -> (Lane, rate: Double)? {
        state.withLock { state in
            guard let lane = state.lanes[stream], lane.header.sampleRate > 0 else { return nil }
            state.lanes[stream]?.count += block.frameCount
            return (lane, lane.header.sampleRate)
        }
    }

    /// Live values bear their stream's name and what they are.
    private func push(
        _ value: Double, at onset: Seconds, _ what: String, _ kind: StreamKind, _ unit: Unit, of stream: Int
    ) {
        let outlet = state.withLock { state -> LSLOutlet? in
            guard let header = state.lanes[stream]?.header else { return nil }
            let name = "\(header.name)-live-\(what)"
            if let known = state.values[name] { return known }
            let made = self.outlet(
                StreamHeader(name: name, kind: kind, channels: [Channel(label: what, unit: unit)], sampleRate: 0))
            state.values[name] = made
            return made
        }
        outlet?.push([[value]], stamps: [start + onset])
    }

    /// - Parameter isDouble: whether its samples are recorded in double precision; values of irregular streams always are.
    private func outlet(_ header: StreamHeader, isDouble: Bool = false) -> LSLOutlet? {
        let info = LSLStreamInfo(
            DeviceStream(id: header.name, header: header), sourceID: Self.sourcePrefix + header.name)
        do throws(LinkError) {
            return try LSLOutlet(library, info, isDouble: isDouble || header.sampleRate == 0)
        } catch {
            complain("\(error)")
            return nil
        }
    }
}
