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
    let log: (@Sendable (DeviceReport) -> Void)?
    let watch: (@Sendable (RecordedPiece) -> Void)?
    var analysis: LiveAnalysis
    var monitors: [StreamMonitor] = []
    var gates = QAGates()
    var freshness = LiveFreshness()
    var connections: [DeviceConnection] = []
    /// Connections on their way to `run`, and how many have not ended.
    let joining: AsyncStream<DeviceConnection>
    let join: AsyncStream<DeviceConnection>.Continuation
    var pending = 0
    let reconnection: Reconnection
    var malformed: [String: Int] = [:]
    /// Who each device says it is, by all that it has said.
    var identities: [String: DeviceIdentity] = [:]
    var markers = 0
    /// The tags and device markers in the recording.
    var recorded: [Marker] = []
    /// The devices that were lost and not found again, and how often each was.
    var lost: Set<String> = []
    var reconnections: [String: Int] = [:]
    var latency = LatencyMeter()
    var updates: [LiveUpdate] = []
    var isStopping = false
    /// The moment of the request to stop, seconds from the recording's start: no sample is expected after it.
    var ending: Seconds?
    /// The devices' names, and those of them that are instruments with scripts.
    var names: Set<String> = []
    var instruments: Set<String> = []
    /// The devices that may count energy.
    var energyCounters: Set<String> = []
    /// The devices that say they are paused.
    var paused: Set<String> = []
    /// What was told of the disk last.
    var problem: RecorderError?

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
}
