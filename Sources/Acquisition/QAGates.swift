import Cardiac
import Devices
import Quality
import Signals

/// The gates of a session's devices, which take what comes of their streams.
struct QAGates: Sendable {
    /// A device whose verdict changed, and the verdict.
    typealias Told = (device: String, verdict: QAVerdict)

    private var gates: [String: QAGate] = [:]
    /// The rate of each stream of the recording, Hz.
    private var rates: [Double] = []
    /// Whose each stream of the recording is.
    private var owners: [String] = []
    /// The streams of each device that say nothing of its signals.
    private var asides: [String: Set<String>] = [:]
    private var flatlines: [Int: FlatlineWatch] = [:]
    /// The streams of a known rate, and which stream of the recording each device's stream is.
    private var silences: [Int: StreamSilence] = [:]
    private var indexes: [String: [String: Int]] = [:]
    /// The devices that are connected.
    private var connected: Set<String> = []

    /// One more device, which may send as soon as it is connected.
    mutating func add(_ device: String, speaksUnasked: Bool) { gates[device] = QAGate(speaksUnasked: speaksUnasked) }

    /// A device is there.
    mutating func connect(_ device: String, at moment: Seconds) {
        gates[device]?.connect(at: moment)
        connected.insert(device)
        for index in streams(of: device) { silences[index]?.expect(at: moment) }
    }

    /// A device went.
    mutating func forget(_ device: String) {
        gates[device]?.forget()
        connected.remove(device)
    }

    /// The user paused or disconnected a device: no sample is expected of it for now.
    /// - Returns: the gaps that this closes.
    mutating func suspend(_ device: String) -> [StreamGap] {
        streams(of: device).compactMap { index in
            let since = silences[index]?.since ?? 0
            guard silences[index]?.suspend() == true else { return nil }
            return StreamGap(stream: index, device: device, isOpen: false, since: since, cause: cause(of: device))
        }
    }

    /// A device goes on after a pause.
    mutating func goOn(_ device: String, at moment: Seconds) {
        for index in streams(of: device) { silences[index]?.expect(at: moment) }
    }

    private func streams(of device: String) -> [Int] { owners.indices.filter { owners[$0] == device } }

    private func cause(of device: String) -> StreamGap.Cause { connected.contains(device) ? .silent : .deviceLost }

    /// A device says what it sends.
    mutating func declare(_ stream: DeviceStream, of device: String) {
        let kind = stream.header.kind
        if kind == .battery { asides[device, default: []].insert(stream.id) }
        if stream.header.sampleRate > 0 || stream.pace != nil || [.ibi, .heartRate].contains(kind) {
            gates[device]?.expectFlow()
        }
    }

    /// The recording's next stream is a device's.
    mutating func append(_ stream: StreamHeader, _ declared: DeviceStream, of device: String, at moment: Seconds) {
        let index = owners.count
        owners.append(device)
        // A second declaration with other channels or another rate makes another stream; the former one has ended.
        if let former = indexes[device, default: [:]].updateValue(index, forKey: declared.id) {
            silences[former] = nil
        }
        let rate = stream.sampleRate > 0 ? stream.sampleRate : declared.pace ?? 0
        if rate > 0 { silences[index] = StreamSilence(rate: rate, at: moment) }
        if stream.sampleRate > 0 {
            // An ECG that is sampled too slowly for beats gets no windows of quality.
            let isSlow = stream.kind == .ecg && !ECGBeatDetector.sampleRates.contains(stream.sampleRate)
            if isSlow {
                flatlines[index] = FlatlineWatch()
            } else if [.ecg, .bvp, .eeg].contains(stream.kind) {
                gates[device]?.expect(index)
            }
        } else if stream.kind == .ecg {
            flatlines[index] = FlatlineWatch()
        }
        rates.append(stream.sampleRate)
    }

    /// The device a stream of the recording is of.
    func owner(of stream: Int) -> String { owners[stream] }

    /// Samples of a device's stream came.
    /// - Returns: the gap that they close, and the verdict on the device.
    mutating func hear(
        _ count: Int, _ stream: String, of device: String, at moment: Seconds
    ) -> (gap: StreamGap, told: Told?)? {
        if asides[device]?.contains(stream) != true { gates[device]?.hear(at: moment) }
        guard count > 0, let index = indexes[device]?[stream], let since = silences[index]?.since,
            silences[index]?.hear(count, at: moment) == true
        else { return nil }
        let verdict = gates[device]?.goOn(index, at: moment)
        let gap = StreamGap(stream: index, device: device, isOpen: false, since: since, cause: cause(of: device))
        return (gap, verdict.map { (device, $0) })
    }

    /// Samples came of a device that may not have declared their stream yet.
    mutating func hear(from device: String, at moment: Seconds) { gates[device]?.hear(at: moment) }

    /// Returns true for a stream whose gap is open.
    func isSilent(_ stream: Int) -> Bool { silences[stream]?.isOpen == true }

    /// Looks for silent streams.
    /// - Parameter except: the devices with unread data.
    /// - Returns: the gaps that open, and the verdicts that change.
    mutating func listen(at moment: Seconds, except: Set<String>) -> (gaps: [StreamGap], told: [Told]) {
        var gaps: [StreamGap] = []
        var told: [Told] = []
        for index in silences.keys.sorted() where !except.contains(owners[index]) {
            let device = owners[index]
            if silences[index]?.wait(until: moment) == true {
                let since = silences[index]?.since ?? moment
                gaps.append(
                    StreamGap(stream: index, device: device, isOpen: true, since: since, cause: cause(of: device)))
            }
            guard connected.contains(device), silences[index]?.isSilent(at: moment) == true else { continue }
            if let verdict = gates[device]?.fallSilent(index, at: moment) { told.append((device, verdict)) }
        }
        return (gaps, told)
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

    /// Samples of a stream that arrived by `moment`.
    mutating func watch(_ block: SampleBlock, of stream: Int, at moment: Seconds) -> Told? {
        guard flatlines[stream] != nil, block.channelCount > 0 else { return nil }
        let samples = block.channel(0)
        let rows = samples.enumerated().map { index, sample in
            TimedValue(onset: moment - Double(samples.count - 1 - index) / rates[stream], values: [Double(sample)])
        }
        return watch(rows, of: stream, at: moment)
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
