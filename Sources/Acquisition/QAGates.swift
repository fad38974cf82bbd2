import Devices
import Quality
import Signals

/// The gates of a session's devices, which take what comes of their streams.
struct QAGates: Sendable {
    /// A device whose verdict changed, and the verdict.
    typealias Told = (device: String, verdict: QAVerdict)

    private var gates: [String: QAGate] = [:]
    /// Whose each stream of the recording is.
    private var owners: [String] = []
    /// The streams of each device that say nothing of its signals.
    private var asides: [String: Set<String>] = [:]
    private var flatlines: [Int: FlatlineWatch] = [:]

    /// One more device, which may send as soon as it is connected.
    mutating func add(_ device: String, speaksUnasked: Bool) { gates[device] = QAGate(speaksUnasked: speaksUnasked) }

    /// A device is there.
    mutating func connect(_ device: String, at moment: Seconds) { gates[device]?.connect(at: moment) }

    /// A device went.
    mutating func forget(_ device: String) { gates[device]?.forget() }

    /// A device says what it sends.
    mutating func declare(_ stream: DeviceStream, of device: String) {
        let kind = stream.header.kind
        if kind == .battery { asides[device, default: []].insert(stream.id) }
        if stream.header.sampleRate > 0 || stream.pace != nil || [.ibi, .heartRate].contains(kind) {
            gates[device]?.expectFlow()
        }
    }

    /// The recording's next stream is a device's.
    mutating func append(_ stream: StreamHeader, of device: String) {
        let index = owners.count
        owners.append(device)
        if stream.sampleRate > 0 {
            if [.ecg, .bvp, .eeg].contains(stream.kind) { gates[device]?.expect(index) }
        } else if stream.kind == .ecg {
            flatlines[index] = FlatlineWatch()
        }
    }

    /// The device a stream of the recording is of.
    func owner(of stream: Int) -> String { owners[stream] }

    /// Something came of a device's stream.
    mutating func hear(_ stream: String, of device: String, at moment: Seconds) {
        if asides[device]?.contains(stream) != true { gates[device]?.hear(at: moment) }
    }

    /// A device says something of itself.
    mutating func take(_ status: DeviceStatus, of device: String, at moment: Seconds) -> Told? {
        gates[device]?.take(status, at: moment).map { (device, $0) }
    }

    /// A window of a stream.
    mutating func take(_ window: QualityWindow, of stream: Int, at moment: Seconds) -> Told? {
        let device = owners[stream]
        return gates[device]?.take(window, of: stream, at: moment).map { (device, $0) }
    }

    /// Something is wrong with a stream that its next windows will tell.
    mutating func complain(_ reason: QualityReason, of stream: Int, at moment: Seconds) -> Told? {
        let device = owners[stream]
        return gates[device]?.complain(reason, at: moment).map { (device, $0) }
    }

    /// Values of a stream without a sample rate.
    mutating func watch(_ values: [TimedValue], of stream: Int, at moment: Seconds) -> Told? {
        guard let isFlat = flatlines[stream]?.take(values) else { return nil }
        let window = QualityWindow(
            onset: moment - FlatlineWatch.length, duration: FlatlineWatch.length, coverage: 1,
            quality: isFlat ? 0 : 1, reasons: isFlat ? [.flat] : [])
        return take(window, of: stream, at: moment)
    }

    /// Time goes on.
    mutating func wait(until moment: Seconds) -> [Told] {
        gates.keys.compactMap { device in gates[device]?.wait(until: moment).map { (device, $0) } }
    }
}
