public import Brain
public import Devices
import Pipeline
import Quality
public import Signals
import Synchronization

/// Publishes a running session on the Lab Streaming Layer: every stream as it is recorded, sample for sample, with the
/// recording's times on LSL's clock; its markers; and every live result (`OutletRow`). Source ids are the same in every session.
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
        /// Of skin conductance, its level.
        var level: ConductanceLevel?
    }

    private struct State {
        var lanes: [Int: Lane] = [:]
        var values: [String: LSLOutlet] = [:]
    }

    private let library: LSLLibrary
    private let start: Seconds
    private let text: LSLOutlet
    private let complain: @Sendable (String) -> Void
    private let features: [EEGFeature]
    private let state = Mutex(State())

    /// Outlets of a session.
    /// - Parameters:
    ///   - start: the recording's start on the host's monotonic clock, which is LSL's.
    ///   - eeg: which features of EEG are computed, of which the band powers are published.
    ///   - complain: told what the library does not publish.
    /// - Throws: `LinkError` when it publishes nothing.
    public init(
        _ library: LSLLibrary, start: Seconds, eeg: EEGFeatureParameters = EEGFeatureParameters(),
        complain: @escaping @Sendable (String) -> Void
    ) throws(LinkError) {
        features = EEGFeature.list(eeg)
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
            let level = header.kind == .eda && header.sampleRate > 0 ? ConductanceLevel(rate: header.sampleRate) : nil
            state.withLock { $0.lanes[index] = Lane(header: header, outlet: outlet, level: level) }
        case .update(let update):
            let header = state.withLock { $0.lanes[update.stream]?.header }
            if let value = OutletRow(update, of: header, features: features) { push(value, of: update.stream) }
        case .lapse(let lapse, _): pushMissing(lapse)
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
                state.lanes[stream]?.level?.begin(start.onset)
            }
        case .samples(let stream, let block):
            let levels = state.withLock { $0.lanes[stream]?.level?.take(block) ?? [] }
            for level in levels { push(level, of: stream) }
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

    /// Live results bear their stream's name and what they are.
    private func push(_ value: OutletRow, of stream: Int) {
        let outlet = state.withLock { state -> LSLOutlet? in
            guard let header = state.lanes[stream]?.header else { return nil }
            let name = "\(header.name)-live-\(value.name)"
            if let known = state.values[name] { return known }
            let made = self.outlet(
                StreamHeader(name: name, kind: value.kind, channels: value.channels, sampleRate: 0))
            state.values[name] = made
            return made
        }
        guard outlet?.info.channels.count == value.values.count else { return }
        outlet?.push([value.values], stamps: [start + value.onset])
    }

    /// A value that ended is missing from here on, in all its columns.
    private func pushMissing(_ lapse: LiveLapse) {
        let outlets = state.withLock { state -> [LSLOutlet] in
            guard let header = state.lanes[lapse.stream]?.header else { return [] }
            let name = "\(header.name)-live-\(lapse.value.outletName)"
            // Respiration has an outlet for each method.
            return state.values.filter { $0.key == name || name.hasSuffix("-") && $0.key.hasPrefix(name) }
                .sorted { $0.key < $1.key }.map(\.value)
        }
        for outlet in outlets {
            let row = [Double](repeating: .nan, count: outlet.info.channels.count)
            outlet.push([row], stamps: [start + lapse.onset])
        }
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
