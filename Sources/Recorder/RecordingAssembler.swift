public import Devices
public import Formats
public import Signals

/// Turns what devices say, and when it arrived, into a recording: the bytes of its file, and the events that the live
/// computation gets. Reading the file gives the same events.
///
/// A pure value: effects and clocks are its caller's. All moments are seconds from the recording's start on the host's
/// clock.
public struct RecordingAssembler: Sendable {
    /// One of the two. Not the cases of one value: to take those out and put them back copies what they hold.
    private struct Lane: Sendable {
        var regular: RegularTimeline?
        var values: ValueTimeline?
    }

    /// What the recording holds so far; a stream is meant by its place here.
    public private(set) var header: RecordingHeader
    private var encoder: XDFRecordingEncoder
    private var lanes: [Lane] = []
    private var devices: [String: RecordedDevice] = [:]
    private var placed: [RegularTimeline.Placed] = []
    private let hostOrigin: Seconds
    /// When the first of the values is due that streams hold back.
    private var heldUntil: Seconds = .infinity
    private var told: [String: Int] = [:]
    /// The streams of senders that are also kept as they were received, by their device and name.
    private var received: [String: (stream: Int, info: LSLStreamInfo)] = [:]
    private var receivedNames: Set<String> = []
    /// Frames and values of each stream so far.
    private var counts: [Int] = []
    /// How many of them were handed out in bytes so far.
    public private(set) var flushedCounts: [Int] = []
    private var flushed: Seconds = 0
    private var bounded: Seconds = 0

    /// The fewest seconds between two chunks of a stream, unless much waits.
    private static let flushInterval: Seconds = 0.25
    /// Seconds between two boundary chunks.
    private static let boundaryInterval: Seconds = 10
    /// Lines of a kind that one device may add to the journal: a device that talks nonsense, or loses every second
    /// packet, must not fill the disk with telling so.
    private static let mostLines = 10_000

    /// A recording without streams.
    /// - Parameter hostOrigin: the recording's start on the host's monotonic clock, on which some sources stamp
    ///   (`DeviceClock.host`).
    public init(_ file: XDFRecordingEncoder.File, hostOrigin: Seconds = 0) {
        self.hostOrigin = hostOrigin
        encoder = XDFRecordingEncoder(file)
        header = RecordingHeader(
            start: file.start, subject: file.subject, session: file.session, task: file.task, format: "XDF")
    }

    /// The stream `id` of a device; nil before it was declared.
    public func stream(_ id: String, of device: String) -> Int? { devices[device]?.streams[id] }

    /// Who each device says it is, by all that it has said.
    public var identities: [String: DeviceIdentity] { devices.mapValues(\.identity) }

    /// What was measured of each stream's clock, in the order of the streams.
    public var clocks: [ClockReport] {
        lanes.compactMap { $0.regular?.report ?? $0.values?.report }
    }

    /// Bytes that wait to be taken.
    public var pendingByteCount: Int { encoder.pendingByteCount }

    // MARK: what devices say

    /// Takes what `device` said at `moment`; what becomes of it is appended to `events`.
    public mutating func take(
        _ event: DeviceEvent, from device: String, at moment: Seconds, into events: inout [RecordingEvent]
    ) {
        release(at: moment, into: &events)
        switch event {
        case .stream(let stream): declare(stream, of: device, at: moment)
        case .samples(let samples): place(samples, from: device, at: moment, into: &events)
        case .values(let stream, let values): place(values, stream, from: device, at: moment, into: &events)
        case .receives(let info): keep(info, of: device)
        case .received(let rows):
            guard let copy = received[device + "\n" + rows.stream] else { return }
            encoder.append(received: copy.stream, rows.stamps, rows.values, offset: rows.offset - hostOrigin)
        case .marker(let label, let time, let isHostTime):
            let onset =
                isHostTime
                ? time.map { min($0 - hostOrigin, moment) } ?? moment : onset(ofDeviceTime: time, device, at: moment)
            mark(Marker(onset: onset, label: label, stream: device), into: &events)
        case .identity(let identity):
            devices[device, default: RecordedDevice()].identity.add(identity)
            note("identity", device, at: moment, Self.details(devices[device]?.identity ?? identity))
        case .status(let status):
            // Nothing is recorded because somebody wants it so, as the journal says. What was under way when the pause was
            // told ends no pause: what comes first after its end does.
            if case .paused = status { interrupt(device, .fileGap, at: moment) }
            if case .clockJump(let id, let jump) = status, let stream = devices[device]?.streams[id] {
                lanes[stream].regular?.jumped(by: jump, at: moment)
                lanes[stream].values?.jumped(by: jump, at: moment)
                heldUntil = min(heldUntil, lanes[stream].values?.due ?? .infinity)
            }
            note("status", device, at: moment, ["status": "\(status)"])
        case .log(let text): note("log", device, at: moment, ["text": text])
        // What it measured comes as values, its loops as markers.
        case .script: break
        case .malformed(let message):
            let bytes = message.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            note("malformed", device, at: moment, ["place": message.place, "problem": message.problem, "bytes": bytes])
        default: note("event", device, at: moment, ["event": String("\(event)".prefix(1_000))])
        }
    }

    /// Everything that comes of a sender's stream is also kept as it came. A sender that comes back as it was goes on.
    private mutating func keep(_ info: LSLStreamInfo, of device: String) {
        let key = device + "\n" + info.name
        if let known = received[key]?.info, known.channels == info.channels, known.sampleRate == info.sampleRate,
            known.format == info.format
        {
            return
        }
        let suffix = info.isMarkers ? "" : Self.receivedSuffix
        var names = DistinctNames(taken: Set(header.streams.map(\.name)).union(receivedNames))
        let name = names.next(device + "-" + info.name + suffix, separator: "-")
        receivedNames.insert(name)
        let stream = encoder.declare(
            XDFReceivedDescription(
                name: name, type: info.type, channels: info.channels, sampleRate: info.sampleRate,
                format: info.format ?? (info.isText ? .string : .float32), sourceID: info.sourceID, xml: info.xml,
                details: ["device": device, "stream": info.name]))
        received[key] = (stream, info)
    }

    /// The suffix of the names of copies; copies of markers have none.
    static let receivedSuffix = "-received"

    /// A stream exists; told again, as after a reconnection, it goes on where it is.
    private mutating func declare(_ stream: DeviceStream, of device: String, at moment: Seconds) {
        var header = stream.header
        header.name = device + "-" + stream.id
        if let known = devices[device]?.streams[stream.id] {
            let old = self.header.streams[known]
            guard old.channels != header.channels || old.sampleRate != header.sampleRate else { return }
        }
        guard !header.channels.isEmpty, header.sampleRate >= 0, header.sampleRate.isFinite else { return }
        var names = DistinctNames(taken: Set(self.header.streams.map(\.name)).union(receivedNames))
        header.name = names.next(header.name, separator: "-")
        header.frameCount = nil
        let identity = devices[device]?.identity ?? DeviceIdentity()
        var description = XDFStreamDescription(
            header, sourceID: [identity.serialNumber, device, stream.id].filter { !$0.isEmpty }.joined(separator: "/"),
            acquisition: Self.details(identity),
            details: [
                "device": device, "stream": stream.id, "clock": stream.clock.rawValue,
                XDFStreamDescription.paceName: header.sampleRate > 0 ? "even" : "stamps",
            ])
        description.senderXML = stream.description
        let index = encoder.declare(
            description, format: stream.isInteger ? .int64 : stream.isDouble ? .double : .float32)
        devices[device, default: RecordedDevice()].streams[stream.id] = index
        if stream.clock == .host { devices[device]?.hasHostTime = true }
        self.header.streams.append(header)
        counts.append(0)
        lanes.append(
            header.sampleRate > 0
                ? Lane(regular: RegularTimeline(header, clock: stream.clock, isWhole: stream.isInteger))
                : Lane(values: ValueTimeline(header, clock: stream.clock)))
    }

    private mutating func place(
        _ samples: DeviceSamples, from device: String, at moment: Seconds, into events: inout [RecordingEvent]
    ) {
        guard let stream = devices[device]?.streams[samples.stream], let clock = lanes[stream].regular?.clock else {
            return note("undeclared", device, at: moment, ["stream": samples.stream])
        }
        var samples = samples
        let arrival = samples.arrival.map { min($0 - hostOrigin, moment) } ?? moment
        if clock == .host {
            samples.deviceTime = samples.deviceTime.map { $0 - hostOrigin }
        } else if let time = samples.deviceTime, let interval = lanes[stream].regular?.stampInterval {
            let last = time + Double(samples.block.frameCount - 1) * interval
            let before = devices[device]?.observe(
                samplesUntil: last, arrived: arrival, of: stream, restarted: samples.restarted)
            devices[device]?.hasStampedSamples = true
            if let before { settleValues(of: device, by: before) }
        }
        placed.removeAll(keepingCapacity: true)
        let shared = clock == .deviceTime ? devices[device]?.clock : nil
        lanes[stream].regular?.place(samples, arrived: arrival, shared: shared, into: &placed)
        write(stream, samples.doubles, samples.integers, at: moment, into: &events)
    }

    /// - Parameters:
    ///   - doubles: in double precision what the last piece with samples, and what was left out before it, holds.
    ///   - integers: the same as 64-bit integers.
    private mutating func write(
        _ stream: Int, _ doubles: [Double]? = nil, _ integers: [Int64]? = nil, at moment: Seconds,
        into events: inout [RecordingEvent]
    ) {
        let last = placed.lastIndex { if case .samples = $0 { true } else { false } }
        for (index, piece) in placed.enumerated() {
            switch piece {
            case .segment(let start, let clock):
                encoder.begin(stream, start, clock: clock)
                events.append(.segment(stream: stream, start: start))
            case .samples(let block):
                encoder.append(
                    stream, block, doubles: index == last ? doubles : nil, integers: index == last ? integers : nil)
                counts[stream] += block.frameCount
                events.append(.samples(stream: stream, block))
            case .offset(let clock, let offset): encoder.clockOffset(stream, at: clock, offset)
            case .note(let text, let details):
                let name = header.streams[stream].name
                guard mayTell(text, name) else { continue }
                encoder.append(XDFJournalLine(type: text, stream: name, details: details), at: moment)
            }
        }
    }

    private mutating func place(
        _ values: [DeviceValue], _ id: String, from device: String, at moment: Seconds,
        into events: inout [RecordingEvent]
    ) {
        guard let stream = devices[device]?.streams[id], let clock = lanes[stream].values?.clock else {
            return note("undeclared", device, at: moment, ["stream": id])
        }
        var values = values
        if clock == .host {
            for index in values.indices { values[index].deviceTime = values[index].deviceTime.map { $0 - hostOrigin } }
        }
        // What is sampled often tells the device's clock best; a beat's stamp may be older than a setting of the clock.
        let isShared = clock == .deviceTime && devices[device]?.hasStampedSamples ?? false
        let isTold = isShared && devices[device]?.isToldBySamples ?? false
        if clock == .deviceTime, !isTold, let time = values.compactMap(\.deviceTime).max() {
            devices[device]?.observe(time, arrived: moment, of: stream)
        }
        let shared = isShared ? devices[device]?.clock : nil
        let timed = lanes[stream].values?.place(values, arrived: moment, shared: shared) ?? []
        heldUntil = min(heldUntil, lanes[stream].values?.due ?? .infinity)
        write(stream, timed, into: &events)
    }

    private mutating func write(_ stream: Int, _ timed: [TimedValue], into events: inout [RecordingEvent]) {
        guard !timed.isEmpty else { return }
        encoder.append(stream, timed)
        counts[stream] += timed.count
        events.append(.values(stream: stream, timed))
    }

    /// Values are held back while the clock that stamps them has only just begun; those that are due at `moment`, all at
    /// infinity, are recorded and appended to `events`. All that devices say does so, too: this is for when nothing comes.
    public mutating func release(at moment: Seconds, into events: inout [RecordingEvent]) {
        guard moment >= heldUntil else { return }
        heldUntil = .infinity
        for device in devices.values {
            for stream in device.streams.values.sorted() {
                let shared = device.hasStampedSamples ? device.clock : nil
                write(stream, lanes[stream].values?.release(at: moment, shared: shared) ?? [], into: &events)
                heldUntil = min(heldUntil, lanes[stream].values?.due ?? .infinity)
            }
        }
    }

    /// The clock of a device's samples begins anew: values that are held back bear stamps of the one before.
    private mutating func settleValues(of device: String, by line: ClockFit.Line) {
        for stream in devices[device]?.streams.values ?? [:].values where lanes[stream].values?.clock == .deviceTime {
            lanes[stream].values?.settle(by: line)
            heldUntil = min(heldUntil, lanes[stream].values?.due ?? .infinity)
        }
    }

    private func onset(ofDeviceTime time: Seconds?, _ device: String, at moment: Seconds) -> Seconds {
        guard let time, time.isFinite else { return moment }
        if devices[device]?.hasHostTime ?? false { return min(time - hostOrigin, moment) }
        guard let clock = devices[device]?.clock, !clock.isEmpty else { return moment }
        let onset = clock.host(of: time)
        return onset > moment - 60 ? min(onset, moment) : moment
    }

    // MARK: what the session says

    /// Streams are interrupted; when they go on, `reason` is why they paused.
    /// - Parameter device: whose; nil for all.
    public mutating func interrupt(_ device: String?, _ reason: Gap.Reason, at moment: Seconds) {
        // What is connected again may have begun its clock anew.
        let isDisconnected = [.deviceLost, .disconnectedUponRequest].contains(reason)
        for (name, known) in devices where device == nil || name == device {
            if isDisconnected {
                if known.hasStampedSamples { settleValues(of: name, by: known.clock.line) }
                devices[name]?.restartClock()
            }
            for stream in known.streams.values {
                lanes[stream].regular?.interrupt(reason)
                if isDisconnected {
                    lanes[stream].values?.interrupt()
                    heldUntil = min(heldUntil, lanes[stream].values?.due ?? .infinity)
                }
            }
        }
        note("interrupted", device ?? "", at: moment, ["reason": reason.rawValue])
    }

    /// Adds an event of the session: a tag, a stimulus.
    public mutating func mark(_ marker: Marker, into events: inout [RecordingEvent]) {
        guard marker.onset.isFinite, marker.duration.isFinite else { return }
        encoder.append(marker)
        events.append(.marker(marker))
    }

    /// Adds a line to the journal, such as a quality verdict or a connection's state.
    public mutating func note(_ type: String, _ device: String, at moment: Seconds, _ details: [String: String]) {
        guard !["malformed", "log", "undeclared"].contains(type) || mayTell(type, device) else { return }
        let more = device.isEmpty ? details : details.merging(["device": device]) { old, _ in old }
        encoder.append(XDFJournalLine(type: type, details: more), at: moment)
    }

    private mutating func mayTell(_ type: String, _ name: String) -> Bool {
        let count = told[type + " " + name, default: 0] + 1
        told[type + " " + name] = count
        return count <= Self.mostLines
    }

    private static func details(_ identity: DeviceIdentity) -> [String: String] {
        let known = [
            "manufacturer": identity.manufacturer, "model": identity.model, "serial_number": identity.serialNumber,
            "firmware": identity.firmware, "hardware": identity.hardware, "name": identity.name,
        ]
        return known.merging(identity.details) { old, _ in old }.filter { !$0.value.isEmpty }
    }

    // MARK: bytes

    /// What is to be appended to the file at `moment`: chunks when the last ones are a quarter of a second old or much
    /// waits, boundary chunks in between.
    public mutating func bytes(at moment: Seconds) -> [UInt8] {
        if moment - bounded >= Self.boundaryInterval {
            encoder.boundary()
            (bounded, flushed, flushedCounts) = (moment, moment, counts)
        } else if moment - flushed >= Self.flushInterval || encoder.pendingByteCount > 1 << 20 {
            encoder.flush()
            (flushed, flushedCounts) = (moment, counts)
        }
        return encoder.take()
    }

    /// Ends the recording: what is left, the last clock offsets, the footers.
    public mutating func finish() -> [UInt8] {
        var none: [RecordingEvent] = []
        release(at: .infinity, into: &none)
        for stream in lanes.indices {
            placed.removeAll(keepingCapacity: true)
            lanes[stream].regular?.finish(into: &placed)
            write(stream, at: 0, into: &none)
        }
        for (stream, clock) in zip(header.streams, clocks) {
            encoder.append(
                XDFJournalLine(type: "clock", stream: stream.name, details: Self.details(clock)), at: flushed)
        }
        encoder.finish()
        flushedCounts = counts
        return encoder.take()
    }

    private static func details(_ clock: ClockReport) -> [String: String] {
        var details = [
            "clock": clock.clock, "driftPpm": "\(clock.drift)", "jitter": "\(clock.jitter)",
            "residual": "\(clock.residual)", "longestDelay": "\(clock.longestDelay)", "restarts": "\(clock.restarts)",
            "lost": "\(clock.lost)", "repeated": "\(clock.repeated)",
        ]
        details["measuredRate"] = clock.measuredRate.map { "\($0)" }
        return details
    }
}
