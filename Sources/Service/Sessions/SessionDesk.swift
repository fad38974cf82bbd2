import Acquisition
import Cohort
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
        var devices: [String]
        var duration: Seconds?
    }

    private struct Running {
        let id: Int
        let session: LiveSession
        let prepared: PreparedSession
        let target: SessionTarget
        let task: Task<Void, Never>
    }

    private let study: StudyFolder
    private let parameters: Parameters
    private let adapter: String?
    private let feed: LiveFeed
    private let now: @Sendable () -> Timestamp
    private var current: Running?
    private var isStarting = false

    init(
        _ study: StudyFolder, parameters: Parameters, adapter: String?, feed: LiveFeed,
        now: @escaping @Sendable () -> Timestamp
    ) {
        (self.study, self.parameters, self.adapter) = (study, parameters, adapter)
        (self.feed, self.now) = (feed, now)
    }

    /// Begins a session.
    /// - Returns: the run's number in the bookkeeping.
    /// - Throws: `Problem` when one runs already; `SessionRefusal`, `RecorderError`, `StudyError`.
    func start(_ wish: Wish) async throws -> Int {
        guard current == nil, !isStarting else {
            throw Problem.conflict("sessionRunning", "a session is running; finish it first")
        }
        isStarting = true
        defer { isStarting = false }
        let target = try SessionTarget(
            study: study, subject: wish.participant, session: wish.session, task: wish.task)
        var plan = try SessionPlan(target, devices: wish.devices, parameters: parameters)
        (plan.duration, plan.adapter) = (wish.duration, adapter)
        let prepared = try plan.prepare(at: now())
        let id = Int(prepared.run ?? 0)
        feed.change(
            LivePicture.Session(
                id: id, participant: target.name?.subject ?? "", task: target.name?.task,
                start: prepared.recorder.start, planned: wish.duration))
        let session = try await session(prepared, target)
        let task = Task {
            let summary = await session.run(for: wish.duration)
            await self.ended(summary, target)
        }
        current = Running(id: id, session: session, prepared: prepared, target: target, task: task)
        return id
    }

    private func session(_ prepared: PreparedSession, _ target: SessionTarget) async throws -> LiveSession {
        let feed = feed
        do {
            return try await prepared.session(watch: { feed.watch($0) }, show: { feed.show($0) })
        } catch {
            try? prepared.recorder.close()
            try? target.note(.failed, at: now())
            feed.change(nil)
            throw error
        }
    }

    /// The number of the session that runs; nil when none does.
    var running: Int? { current?.id }

    /// Records a tag: now, or at a moment in seconds from the recording's start.
    /// - Throws: `Problem` when this session does not run.
    func tag(_ id: Int, _ label: String, at onset: Seconds?, stream: String) async throws {
        let running = try find(id)
        let moment = onset.map { running.prepared.recorder.startMoment + $0 }
        await running.session.tag(label, at: moment, stream: stream)
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
        await running.session.stop()
        await running.task.value
    }

    /// Ends whatever runs, in order.
    func finishAll() async {
        if let id = current?.id { try? await finish(id) }
    }

    private func find(_ id: Int) throws -> Running {
        guard let current, current.id == id else {
            throw Problem.conflict("notRunning", "this session does not run")
        }
        return current
    }

    // MARK: - Afterwards

    private func ended(_ summary: SessionSummary, _ target: SessionTarget) {
        current = nil
        guard summary.problem == nil else {
            try? target.note(.failed, at: now())
            return feed.change(nil)
        }
        var session = feed.picture.session
        session?.phase = .analyzing
        feed.change(session)
        let (study, parameters, now, feed, id) = (study, parameters, now, feed, session?.id)
        // Computing takes a thread for seconds: not one of those that serve.
        Thread.detachNewThread {
            Self.compute(summary, target, study, parameters, now)
            feed.changeUnlessAnother(than: id)
        }
    }

    private static func compute(
        _ summary: SessionSummary, _ target: SessionTarget, _ study: StudyFolder, _ parameters: Parameters,
        _ now: @Sendable () -> Timestamp
    ) {
        do {
            try target.note(.finishing, at: now())
            try target.note(.finished, at: now())
            if summary.streams.contains(where: { $0.count > 0 }), let name = target.name {
                _ = try StudyAnalysis(study: study, parameters: parameters).run(only: name)
            }
            _ = try target.queueUpload(at: now())
        } catch {
            // The recording is whole; what could not be computed is said by `marey study status`.
            FileHandle.standardError.write(Data("marey: after a session: \(error)\n".utf8))
        }
    }
}
