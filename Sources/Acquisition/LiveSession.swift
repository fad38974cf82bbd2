public import Devices
import Foundation
public import Pipeline
import Quality
public import Recorder
public import Signals

/// A session: devices → recorder → live analysis → whoever shows it.
///
/// Everything a device says goes through this actor in the order of its arrival: recorded first, then computed, then
/// shown. The recorder's own thread writes.
public actor LiveSession {
    let recorder: Recorder
    let clock: any HostClock
    let show: @Sendable (SessionEvent) -> Void
    private let log: (@Sendable (DeviceReport) -> Void)?
    private let watch: (@Sendable (RecordedPiece) -> Void)?
    private var analysis: LiveAnalysis
    private var monitors: [StreamMonitor] = []
    private var gates = QAGates()
    private var freshness = LiveFreshness()
    private(set) var connections: [DeviceConnection] = []
    /// Connections on their way to `run`, and how many have not ended.
    private let joining: AsyncStream<DeviceConnection>
    private let join: AsyncStream<DeviceConnection>.Continuation
    private var pending = 0
    private let reconnection: Reconnection
    private var malformed: [String: Int] = [:]
    /// Who each device says it is, by all that it has said.
    private var identities: [String: DeviceIdentity] = [:]
    private var markers = 0
    /// The devices that were lost and not found again, and how often each was.
    private var lost: Set<String> = []
    private var reconnections: [String: Int] = [:]
    private var latency = LatencyMeter()
    private var updates: [LiveUpdate] = []
    private var isStopping = false
    /// The moment of the request to stop, seconds from the recording's start: no sample is expected after it.
    private var ending: Seconds?
    /// The devices' names, and those of them that are instruments with scripts.
    private(set) var names: Set<String> = []
    private(set) var instruments: Set<String> = []
    /// The devices that may count energy.
    private(set) var energyCounters: Set<String> = []
    /// The devices that say they are paused.
    private(set) var paused: Set<String> = []
    /// What was told of the disk last.
    private var problem: RecorderError?

    /// A session that records with `recorder`.
    /// - Parameters:
    ///   - predictions: what is told of the participant as it goes on.
    ///   - reconnection: how its devices are connected again.
    ///   - keepsResults: whether `results` hold all that was computed. If not, memory hardly grows with the session: see
    ///     `LiveAnalysis`.
    ///   - log: is handed all that devices and their connections tell, for a log of its own.
    ///   - watch: is handed every piece of signal as it was recorded, in order; must not block.
    ///   - show: is told everything, in order; must not block.
    /// - Throws: `InvalidParameter`.
    public init(
        recorder: Recorder, devices: [SessionDevice], parameters: Parameters,
        predictions: PredictionRequest = .none, clock: any HostClock = SystemClock(),
        reconnection: Reconnection = Reconnection(), keepsResults: Bool = true,
        log: (@Sendable (DeviceReport) -> Void)? = nil, watch: (@Sendable (RecordedPiece) -> Void)? = nil,
        show: @escaping @Sendable (SessionEvent) -> Void
    ) async throws {
        (self.recorder, self.clock, self.log, self.watch, self.show) = (recorder, clock, log, watch, show)
        self.reconnection = reconnection
        (joining, join) = AsyncStream.makeStream(of: DeviceConnection.self)
        analysis = try LiveAnalysis(
            parameters: parameters, predictions: predictions, keepsResults: keepsResults)
        for device in devices { add(device) }
    }

    /// One more device, which `run` connects.
    /// - Returns: whether it is one: not where another has its name, or the session is over.
    @discardableResult
    public func add(_ device: SessionDevice) -> Bool {
        guard !isStopping, !names.contains(device.name) else { return false }
        let connection = DeviceConnection(
            name: device.name, connector: device.connector, conversation: device.conversation, clock: clock,
            reconnection: device.reconnection ?? reconnection, secrets: device.secrets
        ) { [weak self] report in
            await self?.take(report)
        }
        guard case .enqueued = join.yield(connection) else { return false }
        pending += 1
        connections.append(connection)
        gates.add(device.name, speaksUnasked: device.conversation.speaksUnasked)
        names.insert(device.name)
        if device.conversation is MethodSCRIPTConversation { instruments.insert(device.name) }
        if device.conversation.mayCountEnergy { energyCounters.insert(device.name) }
        return true
    }

    /// Runs until `stop`, the task's cancellation, or until every device has ended by itself.
    /// - Parameter duration: seconds after which it stops by itself.
    /// - Returns: what it left behind, with the recording closed.
    public func run(for duration: Seconds? = nil) async -> SessionSummary {
        let ticking = Task { await self.tick() }
        let listening = Task { await self.listen() }
        let aging = Task { await self.endOldValues() }
        let limit = duration.map { duration in
            Task { [clock, recorder] in
                try? await clock.sleep(until: recorder.startMoment + duration)
                if !Task.isCancelled { await self.stop() }
            }
        }
        if pending == 0 { join.finish() }
        await withTaskGroup { group in
            for await connection in joining {
                group.addTask {
                    await connection.run()
                    await self.ended()
                }
            }
            await group.waitForAll()
        }
        ticking.cancel()
        listening.cancel()
        aging.cancel()
        limit?.cancel()
        return await finish()
    }

    /// A device has ended: with the last one ends the session.
    private func ended() {
        pending -= 1
        if pending == 0 { join.finish() }
    }

    /// Ends the session: asks every device to stop in its own way; `run` then closes the recording.
    public func stop() async {
        guard !isStopping else { return }
        isStopping = true
        ending = recorder.onset(clock.now)
        await withTaskGroup { group in
            for connection in connections { group.addTask { await connection.stop() } }
            await group.waitForAll()
        }
    }

    /// Records a tag at the present moment, or at `moment` on the host's monotonic clock. Control characters in it are spelled
    /// (a line's end as `\n`, NUL as `\0`): what happened is kept, and files that are made of it hold none.
    public func tag(_ label: String, at moment: Seconds? = nil, stream: String = "tags") {
        deliver(recorder.mark(label.shown, at: moment ?? clock.now, stream: stream), arrived: nil)
    }

    /// Asks something of one device, or of all.
    public func request(_ request: DeviceRequest, of device: String? = nil) async {
        for connection in connections where device == nil || connection.name == device {
            await connection.request(request)
        }
    }

    /// The results computed so far, where they are kept.
    public var results: StreamResults { analysis.streams }

    // MARK: - What devices tell

    private func take(_ report: DeviceReport) {
        log?(report)
        let moment = recorder.onset(report.moment)
        switch report.content {
        case .connection(let previous, let state, let error):
            connectionChanged(report, previous, state, error, at: moment)
        case .retrying(let wait): show(.retrying(device: report.device, in: wait, at: moment))
        case .overrun(let count):
            recorder.interrupted(report.device, .bufferOverrun, at: report.moment)
            recorder.note("overrun", device: report.device, at: report.moment, ["messages": "\(count)"])
        case .resubscribed(let characteristic): resubscribed(characteristic, report, at: moment)
        case .bytes, .subscribed, .asked, .refused: break
        case .event(let event): take(event, report, at: moment)
        }
    }

    private func connectionChanged(
        _ report: DeviceReport, _ previous: ConnectionState, _ state: ConnectionState, _ error: LinkError?,
        at moment: Seconds
    ) {
        if state == .connected {
            if lost.remove(report.device) != nil { reconnections[report.device, default: 0] += 1 }
            gates.connect(report.device, at: moment)
        }
        if previous == .connected {
            let isAsked = state == .disconnectedUponRequest
            if !isAsked { lost.insert(report.device) }
            // With the session all streams end, for no reason of their own.
            if !isStopping, !Task.isCancelled {
                recorder.interrupted(
                    report.device, isAsked ? .disconnectedUponRequest : .deviceLost, at: report.moment)
            }
            gates.forget(report.device)
            paused.remove(report.device)
            if isAsked, !isStopping { suspend(report.device, at: moment) }
            if !isStopping {
                tell(freshness.lose(report.device, isAsked ? .disconnectedUponRequest : .deviceLost), at: moment)
            }
        } else if state == .disconnectedUponRequest {
            lost.remove(report.device)
        }
        var details = ["state": "\(state)"]
        details["reason"] = error?.description
        details["cause"] = error?.loss?.rawValue
        recorder.note("connection", device: report.device, at: report.moment, details)
        show(.connection(device: report.device, state, reason: error?.description, at: moment))
    }

    /// Counts a subscription that ended and was made again as a lost link: values in between are missing.
    private func resubscribed(_ characteristic: BluetoothUUID, _ report: DeviceReport, at moment: Seconds) {
        reconnections[report.device, default: 0] += 1
        recorder.note(
            "interrupted", device: report.device, at: report.moment,
            [
                "reason": Gap.Reason.deviceLost.rawValue, "cause": LinkLoss.notifications.rawValue,
                "characteristic": "\(characteristic)",
            ])
        let text =
            "the notifications of \(characteristic) ended while it was connected; they are asked for again, and what was sent in "
            + "between is missing"
        show(.remark(device: report.device, text, isFailure: true, at: moment))
    }

    /// The user paused or disconnected a device: no sample is expected of it for now.
    private func suspend(_ device: String, at moment: Seconds) {
        for gap in gates.suspend(device) { show(.gap(gap, at: moment)) }
    }

    private func take(_ event: DeviceEvent, _ report: DeviceReport, at moment: Seconds) {
        let events = recorder.record(event, from: report.device, at: report.moment)
        switch event {
        case .stream(let stream): declare(stream, of: report.device, at: moment)
        case .status(let status):
            if case .paused(let isPaused) = status {
                if isPaused {
                    paused.insert(report.device)
                    suspend(report.device, at: moment)
                } else {
                    paused.remove(report.device)
                    gates.goOn(report.device, at: moment)
                }
            }
            show(.status(device: report.device, status, at: moment))
            let told = gates.take(status, of: report.device, at: moment)
            // Devices that go with the session are no complaint.
            if !isStopping { tell(told, at: moment) }
        case .identity(let identity):
            identities[report.device, default: DeviceIdentity()].add(identity)
            show(.identity(device: report.device, identities[report.device] ?? identity, at: moment))
        case .log(let text): show(.remark(device: report.device, text, isFailure: false, at: moment))
        case .script(let output): show(.script(device: report.device, output, at: moment))
        case .failed(let failure):
            show(.remark(device: report.device, failure.description, isFailure: true, at: moment))
        case .malformed: malformed[report.device, default: 0] += 1
        case .samples(let samples): hear(samples.block.frameCount, samples.stream, of: report.device, at: moment)
        case .values(let stream, let values): hear(values.count, stream, of: report.device, at: moment)
        case .marker: markers += 1
        case .ready, .finished, .receives, .received: break
        }
        if case .samples(let samples) = event {
            deliver(events, doubles: samples.doubles, arrived: report.moment)
        } else {
            deliver(events, arrived: report.moment)
        }
    }

    private func hear(_ count: Int, _ stream: String, of device: String, at moment: Seconds) {
        guard let (gap, told) = gates.hear(count, stream, of: device, at: moment) else { return }
        show(.gap(gap, at: moment))
        if !isStopping { tell(told, at: moment) }
    }

    private func declare(_ declared: DeviceStream, of device: String, at moment: Seconds) {
        gates.declare(declared, of: device)
        let header = recorder.header
        while monitors.count < header.streams.count {
            let index = monitors.count
            let stream = header.streams[index]
            monitors.append(StreamMonitor(stream, at: moment))
            gates.append(stream, declared, of: device, at: moment)
            freshness.append(stream, of: device, pace: declared.pace)
            let isDouble = declared.isDouble && stream.sampleRate > 0
            show(.stream(index, device: device, stream, isDouble: isDouble, at: moment))
        }
        analysis.declare(header)
    }

    /// Computes and shows what was recorded.
    /// - Parameter doubles: in double precision the frames that came, which the last samples among the events are.
    private func deliver(_ events: [RecordingEvent], doubles: [Double]? = nil, arrived moment: Seconds?) {
        let present = recorder.onset(clock.now)
        let last = doubles == nil ? nil : events.lastIndex { if case .samples = $0 { true } else { false } }
        for (index, event) in events.enumerated() {
            switch event {
            case .segment(let stream, _), .samples(let stream, _), .values(let stream, _):
                monitors[stream].take(event)
                if let change = freshness.hear(event, at: present) { tell([change], at: present) }
                if case .values(_, let values) = event {
                    let moment = recorder.onset(clock.now)
                    tell(gates.watch(values, of: stream, at: moment), at: moment)
                }
            case .marker(let marker): show(.marker(marker))
            }
            watch?(RecordedPiece(event, of: index == last ? doubles : nil))
            analysis.take(event, into: &updates)
        }
        for stream in analysis.takeOffHead() {
            let moment = recorder.onset(clock.now)
            tell(gates.complain(.headbandOffHead, of: stream, at: moment), at: moment)
        }
        guard !updates.isEmpty else { return }
        if let moment { latency.count(clock.now - moment) }
        for update in updates { tell(update) }
        updates.removeAll(keepingCapacity: true)
    }

    private func tell(_ update: LiveUpdate) {
        freshness.take(update)
        show(.update(update))
        if case .predictionRefused(let stream, let why) = update {
            let text = "predictions cannot be told: \(why)"
            show(.remark(device: gates.owner(of: stream), text, isFailure: true, at: recorder.onset(clock.now)))
        }
        guard case .quality(let stream, let window) = update, analysis.decides(stream) else { return }
        // A window is told seconds after its end: the gate goes by when it is told, as with all else.
        let moment = recorder.onset(clock.now)
        tell(gates.take(window, of: stream, at: moment), at: moment)
    }

    private func tell(_ told: QAGates.Told?, at moment: Seconds) {
        guard let (device, verdict) = told else { return }
        recorder.note(
            "qa", device: device, at: recorder.startMoment + moment,
            ["code": "\(verdict.code)", "reasons": verdict.reasons.map(\.rawValue).joined(separator: ",")])
        show(.verdict(device: device, verdict, at: moment))
    }

    private func tell(_ changes: [LiveFreshness.Change], at moment: Seconds) {
        for change in changes {
            switch change {
            case .signal(let signal): show(.signal(signal, at: moment))
            case .lapse(let lapse): show(.lapse(lapse, at: moment))
            }
        }
    }

    // MARK: - Time

    /// Ends live values whose data have ended, when that is due.
    private func endOldValues() async {
        var hasWaited = false
        while !Task.isCancelled {
            let now = clock.now
            let due = freshness.deadline.map { recorder.startMoment + $0 } ?? .infinity
            let next = Swift.max(Swift.min(due, now + Self.longestRest), now + Self.shortestRest)
            guard (try? await clock.sleep(until: next)) != nil else { return }
            // Where the computer was too busy, what came meanwhile is taken first.
            if clock.now > next + Self.longestRest, !hasWaited {
                hasWaited = true
                continue
            }
            hasWaited = false
            guard !isStopping else { continue }
            let moment = recorder.onset(clock.now)
            tell(freshness.pass(to: moment), at: moment)
        }
    }

    /// Seconds between two looks for old values.
    private static let (shortestRest, longestRest) = (0.02, 0.25)

    private func tick() async {
        var next = recorder.startMoment + 1
        while !Task.isCancelled {
            guard (try? await clock.sleep(until: next)) != nil else { return }
            let moment = recorder.onset(clock.now)
            deliver(recorder.release(at: clock.now), arrived: nil)
            tellDisk(at: moment)
            tellWaits(at: moment)
            show(.pulse(pulse(at: moment)))
            for told in gates.wait(until: moment) { tell(told, at: moment) }
            next = Swift.max(next + 1, clock.now)
        }
    }

    /// Looks four times a second for silent streams.
    private func listen() async {
        var next = clock.now
        var behind: [String: Int] = [:]
        while !Task.isCancelled, !isStopping {
            next = Swift.max(next + Self.listeningPeriod, clock.now)
            // After a standstill of this program, the data that arrived meanwhile are read first.
            guard (try? await clock.sleepAwake(until: next)) != nil else { return }
            for connection in connections {
                behind[connection.name] = await connection.isBehind ? behind[connection.name, default: 0] + 1 : 0
            }
            guard !Task.isCancelled, !isStopping else { return }
            let moment = recorder.onset(clock.now)
            // The delay is limited: under overload, silence is reported all the same.
            let unread = behind.filter { (1...Self.mostBehind).contains($0.value) }
            let (gaps, told) = gates.listen(at: moment, except: Set(unread.keys))
            for gap in gaps { show(.gap(gap, at: moment)) }
            for verdict in told { tell(verdict, at: moment) }
        }
    }

    /// Seconds between two looks for silent streams, and the maximum number of looks in a row that unread data may postpone.
    private static let listeningPeriod: Seconds = 0.25
    private static let mostBehind = 12

    /// Says when nothing can be written any more, and when it can again.
    private func tellDisk(at moment: Seconds) {
        let present = recorder.state.problem
        guard present != problem else { return }
        problem = present
        show(.disk(problem: present, at: moment))
    }

    /// Says why nothing new is told of a pulse. What is in time again within a second is not worth a word.
    private func tellWaits(at moment: Seconds) {
        for wait in analysis.takeWaits() {
            show(.remark(device: gates.owner(of: wait.stream), wait.description, isFailure: false, at: moment))
        }
    }

    private func pulse(at moment: Seconds) -> SessionPulse {
        let streams = monitors.indices.map { index in
            var stream = monitors[index].pulse(at: moment, silentUntil: silence(of: index, at: moment))
            stream.age = freshness.age(of: index, at: moment)
            if freshness.isSilent(index) { stream.last = stream.last.map { _ in nil } }
            return stream
        }
        return SessionPulse(
            moment: moment, streams: streams, recorder: recorder.state, latency: latency.quantile(0.99))
    }

    /// The end of the time in which samples of a stream are missing; nil for a stream that is not silent.
    private func silence(of stream: Int, at moment: Seconds) -> Seconds? {
        gates.isSilent(stream) ? Swift.min(moment, ending ?? moment) : nil
    }

    /// Ends the recording. Where the disk is full that is tried for a minute: what waits in memory is nowhere else.
    /// - Returns: what kept it from being ended; nil where it is whole.
    private func close() async -> (any Error)? {
        let latest = clock.now + Self.patience
        while true {
            do {
                try recorder.close()
                return nil
            } catch {
                tellDisk(at: recorder.onset(clock.now))
                guard clock.now < latest, !Task.isCancelled,
                    (try? await clock.sleep(until: clock.now + 1)) != nil
                else { return error }
            }
        }
    }

    /// Seconds in which room may be made for the end of a recording.
    private static let patience: Seconds = 60

    private func tellLatePredictions() {
        guard analysis.latePredictions > 0, let device = names.sorted().first else { return }
        let text =
            "\(analysis.latePredictions) values of predictions came too late to be shown in order; the tables have them"
        show(.remark(device: device, text, isFailure: false, at: recorder.onset(clock.now)))
    }

    private func finish() async -> SessionSummary {
        deliver(recorder.release(at: .infinity), arrived: nil)
        analysis.finish(into: &updates)
        for update in updates { show(.update(update)) }
        updates = []
        tellLatePredictions()
        let problem = await close().map { "\($0)" }
        let moment = recorder.onset(clock.now)
        tellDisk(at: moment)
        let state = recorder.state
        var unwritten = state.refused
        let streams = monitors.indices.map { index in
            var stream = monitors[index].pulse(at: moment, silentUntil: silence(of: index, at: moment))
            let written = state.counts.indices.contains(index) ? state.counts[index] : 0
            unwritten += stream.count - written
            stream.count = written
            return stream
        }
        let summary = SessionSummary(
            file: recorder.session.url.relativePath, duration: moment, streams: streams, markers: markers,
            malformed: malformed,
            reconnections: reconnections, unwritten: unwritten,
            latency: latency.quantile(0.99), problem: problem)
        show(.finished(summary))
        return summary
    }
}
