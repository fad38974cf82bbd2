import Acquisition
import Decoding
import Devices
import Foundation
import Pipeline
import Recorder
import Sessions
import Signals
import Study

/// Starts, tags and ends the sessions of a study; one runs at a time.
actor SessionDesk {
    /// What somebody wants to record.
    struct Wish: Sendable {
        var participant: String
        var session: String?
        var task: String?
        /// The devices' addresses; none: those of the check that runs.
        var devices: [String]
        /// What to tell of the participant.
        var predictions: [String] = []
        /// The predictions that whoever asks may use; nil: all.
        var allowed: Set<String>?
        var duration: Seconds?
        /// Whether the signals must have passed a check just before.
        var needsCheck = false
    }

    struct Running {
        let id: Int
        let session: LiveSession
        var plan: SessionPlan
        let prepared: PreparedSession
        let task: Task<Void, Never>
        /// The devices that were taken away from a check.
        var away: Set<String> = []

        /// Whether it looks at signals without recording them.
        var isCheck: Bool { id == 0 }
        /// The devices that are not taken away.
        var addresses: [DeviceAddress] { plan.addresses.filter { !away.contains($0.name) } }
        /// Their own addresses, whatever they are called here.
        var places: Set<DeviceAddress> { Set(addresses.map(\.unnamed)) }
    }

    /// How many devices one session has at most.
    static let mostDevices = 16
    /// Seconds by which a client's clock may be ahead of the recording's.
    static let mostAhead: Seconds = 5

    let study: StudyFolder
    private let parameters: Parameters
    private let adapter: String?
    let feed: LiveFeed
    private let relay: RelayDesk
    let now: @Sendable () -> Timestamp
    let complain: @Sendable (String) -> Void
    var current: Running?
    private(set) var isStarting = false
    /// Ends when all is computed of the sessions that are over.
    private var computing: Task<Void, Never>?
    /// The predictions whose calibration tasks were done in the session that runs.
    var calibrated: [Prediction] = []

    init(
        _ study: StudyFolder, parameters: Parameters, adapter: String?, feed: LiveFeed, relay: RelayDesk,
        now: @escaping @Sendable () -> Timestamp, complain: @escaping @Sendable (String) -> Void
    ) {
        (self.study, self.parameters, self.adapter) = (study, parameters, adapter)
        (self.feed, self.relay, self.now, self.complain) = (feed, relay, now, complain)
    }

    /// Begins a session; a check that runs makes room for it.
    /// - Returns: the run's number in the bookkeeping.
    /// - Throws: `Problem` when one runs already or the signals did not pass; `PredictionRefusal` where the predictions
    ///   cannot run; `SessionRefusal`, `RecorderError`, `StudyError`.
    func start(_ wish: Wish) async throws -> Int {
        try begin()
        defer { isStarting = false }
        var plan = try plan(wish)
        (plan.duration, plan.adapter) = (wish.duration, adapter)
        plan.relay = try relayPorts(plan.addresses)
        // What no check would mend is told before what one would.
        plan.predictions = try CalibrationDesk(study).plan(
            wish.predictions, of: wish.participant, allowed: wish.allowed)
        if wish.needsCheck { try demandPassed(plan.addresses) }
        if let streams = checkedStreams(plan.addresses) {
            try plan.predictions?.demandFit(to: streams, in: study, parameters: parameters)
        }
        await endCheck()
        let prepared = try plan.prepare(at: now())
        let target = plan.target
        let session = LivePicture.Session(
            id: Int(prepared.run ?? 0), participant: target.name?.subject ?? "", task: target.name?.task,
            start: prepared.recorder.start, planned: wish.duration, predictions: wish.predictions, phase: .running)
        calibrated = []
        do {
            try await run(prepared, plan, as: session) { [self] in await ended($0, target) }
        } catch {
            _ = try? target.note(.failed, because: "\(error)", at: now())
            throw error
        }
        return session.id
    }

    /// Connects devices and judges their signals without recording anything, before a session.
    /// - Throws: `Problem` when a session runs; `SessionRefusal`, or what keeps Bluetooth from being used.
    func check(_ devices: [String]) async throws {
        try begin()
        defer { isStarting = false }
        await endCheck()
        var plan = try SessionPlan(
            SessionTarget(file: study.root.appendingPathComponent("check.xdf")), devices: devices,
            parameters: parameters)
        plan.adapter = adapter
        plan.relay = try relayPorts(plan.addresses)
        let prepared = try plan.prepareCheck()
        let session = LivePicture.Session(
            id: 0, participant: "", start: prepared.recorder.start, phase: .checking)
        try await run(prepared, plan, as: session) { [self] _ in await checkEnded() }
    }

    /// - Throws: `Problem` when there are neither devices nor a check that has some.
    private func plan(_ wish: Wish) throws -> SessionPlan {
        let target = try SessionTarget(
            study: study, subject: wish.participant, session: wish.session, task: wish.task)
        guard wish.devices.isEmpty else {
            return try SessionPlan(target, devices: wish.devices, parameters: parameters)
        }
        guard let current, current.isCheck, !current.addresses.isEmpty else {
            throw Problem.conflict("notChecked", "name the devices, or check them first")
        }
        return SessionPlan(target, addresses: current.addresses, parameters: parameters)
    }

    /// How phones on the relay are recorded.
    /// - Throws: `SessionRefusal` when two devices are to record what comes with the same key.
    func relayPorts(_ addresses: [DeviceAddress]) throws -> @Sendable (String) throws -> any Connector {
        let places = addresses.filter { $0.model == DeviceModel.relay.id }.map(\.place)
        guard Set(places).count == places.count else {
            throw SessionRefusal.misuse("each relay is of a key of its own: relay@KEY")
        }
        return { [relay, study] name in try relay.port(of: name, among: Bookkeeping(study).keys()) }
    }

    private func begin() throws {
        guard !isStarting, current.map(\.isCheck) ?? true else {
            throw Problem.conflict("sessionRunning", "a session is running; finish it first")
        }
        isStarting = true
    }

    private func run(
        _ prepared: PreparedSession, _ plan: SessionPlan, as shown: LivePicture.Session,
        then conclude: @escaping @Sendable (SessionSummary) async -> Void
    ) async throws {
        let (feed, recorder) = (feed, prepared.recorder)
        feed.change(shown) { recorder.onset(SystemTime.now) }
        let session: LiveSession
        do {
            session = try await prepared.session(watch: { feed.watch($0.event) }, show: { feed.show($0) })
        } catch {
            try? prepared.recorder.close()
            feed.change(nil)
            throw error
        }
        let task = Task { await conclude(await session.run(for: shown.planned)) }
        current = Running(id: shown.id, session: session, plan: plan, prepared: prepared, task: task)
    }

    /// The streams that the check has found on these devices; nil where it does not look at all of them.
    private func checkedStreams(_ addresses: [DeviceAddress]) -> [StreamHeader]? {
        let wanted = Set(addresses.map(\.unnamed))
        guard let current, wanted.isSubset(of: current.places) else { return nil }
        return feed.picture.headers(of: Set(current.addresses.filter { wanted.contains($0.unnamed) }.map(\.name)))
    }

    /// - Throws: `Problem` naming the device whose signals do not pass.
    private func demandPassed(_ addresses: [DeviceAddress]) throws {
        guard let current, current.isCheck else {
            throw Problem.conflict("notChecked", "check the signals first")
        }
        guard current.places == Set(addresses.map(\.unnamed)) else {
            throw Problem.conflict("notChecked", "the check looks at other devices: check those of the session")
        }
        for device in current.addresses {
            let verdict = feed.picture.verdict(of: device.name)
            guard verdict.isConnected else {
                throw Problem.conflict("notConnected", "\(device.name) is not connected")
            }
            guard verdict.passes else {
                let reasons = verdict.reasons.isEmpty ? "not judged yet" : verdict.reasons.joined(separator: ", ")
                throw Problem.conflict("qaNotPassed", "the signals of \(device.name) do not pass: \(reasons)")
            }
        }
    }

    /// Ends a check; nothing when there is none.
    func endCheck() async {
        guard let current, current.isCheck else { return }
        await current.session.stop()
        await current.task.value
    }

    /// The number of the session that runs; nil when none does.
    var running: Int? { current.flatMap { $0.isCheck ? nil : $0.id } }

    /// Pauses devices, lets them go on, disconnects and connects them, or stops scripts.
    /// - Parameters:
    ///   - word: one of `SessionCommand.deviceCommands`.
    ///   - device: its name in the session; nil: all of them.
    /// - Throws: `Problem` when this session does not run, or for another word; `DeviceFailure` when there is no such device.
    func obey(_ word: String, device: String?, in id: Int) async throws {
        guard let command = SessionCommand.deviceCommands[word] else {
            throw Problem.invalid("there is no such command")
        }
        try await find(id).session.obey(command(device))
    }

    /// Fits a model on a thread of its own: it takes a second or two, which those that serve do not have.
    func fit(
        _ prediction: Prediction, of subject: String, to recording: URL, signed who: String
    ) async throws -> CalibrationFitting.Outcome {
        let (study, parameters, now) = (study, parameters, now)
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        try CalibrationFitting(CalibrationDesk(study, who: who), parameters: parameters).fit(
                            prediction, of: subject, to: recording, at: now())
                    })
            }
        }
    }

    /// Seconds since the recording's start, by the clock that stamps its samples.
    /// - Throws: `Problem` when this session does not run.
    func time(of id: Int) throws -> Seconds {
        let recorder = try find(id).prepared.recorder
        return recorder.onset(SystemTime.now)
    }

    /// Ends a session and waits until the recording is closed.
    /// - Throws: `Problem` when this session does not run.
    func finish(_ id: Int) async throws {
        let running = try find(id)
        if let task = feed.picture.lastTask, !task.isOver {
            await running.session.tag(abortion(of: task), stream: Marker.calibrationStream)
        }
        await running.session.stop()
        await running.task.value
    }

    /// Ends whatever runs, in order, and waits for what is being computed.
    func finishAll() async {
        await endCheck()
        if let id = current?.id { try? await finish(id) }
        await computing?.value
    }

    func find(_ id: Int) throws -> Running {
        guard let current, current.id == id, !current.isCheck else {
            throw Problem.conflict("notRunning", "this session does not run")
        }
        return current
    }

    // MARK: - Afterwards

    private func checkEnded() {
        current = nil
        feed.change(nil)
    }

    private func ended(_ summary: SessionSummary, _ target: SessionTarget) {
        current = nil
        var session = feed.picture.session
        let aftermath = SessionAftermath(
            id: session?.id ?? 0, target: target, study: study, parameters: parameters, now: now, complain: complain)
        if let problem = summary.problem {
            aftermath.giveUp(calibrated, because: problem)
            return feed.change(
                nil, notes: ["the recording could not be ended: \(Discretion.text(problem)); see marey recover"])
        }
        session?.phase = .analyzing
        feed.change(session)
        let (feed, id, calibrated, earlier) = (feed, session?.id, calibrated, computing)
        computing = Task {
            await withCheckedContinuation { continuation in
                // Computing takes a thread for seconds: not one of those that serve.
                Thread.detachNewThread {
                    let notes = aftermath.conclude(summary, calibrated)
                    feed.changeUnlessAnother(than: id, notes: notes)
                    continuation.resume()
                }
            }
            // The session before may have taken longer: whoever waits for the last waits for all.
            await earlier?.value
        }
    }
}
