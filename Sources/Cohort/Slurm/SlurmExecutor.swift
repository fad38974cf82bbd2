import Foundation
import Signals
import Synchronization

/// Computes the recordings of a batch on a Slurm cluster: job arrays within the site's limit, watched through the
/// batch's own files. What the scheduler says is only a hint: a recording is done when its marker is there, so tasks
/// may be queued again, run twice or vanish.
public struct SlurmExecutor: Sendable {
    /// What happens meanwhile.
    public enum Event: Sendable {
        /// Jobs were submitted.
        case submitted([String])
        /// Jobs of an earlier run are still in the queue, and are watched.
        case joined([String])
        /// So it stands.
        /// - `ended`: the stems of what is done or failed, but not of what failed before and is tried again.
        case state(BatchStatus, ended: Set<String>)
        /// Something to know, such as that the controller does not answer.
        case note(String)
    }

    /// The cluster.
    public var slurm: Slurm
    /// What is asked of it.
    public var options: SlurmOptions
    /// The program that runs on the nodes, and its words for one task of an array.
    public var worker: (program: String, arguments: [String])
    /// What gathers the tables at the end; nil: nothing.
    public var group: [String]?
    /// Where tasks put temporary files; nil: where the node says.
    public var temporary: String?
    /// The bytes a worker may hold; nil: no limit but the cluster's.
    public var memoryLimit: Int?
    /// Seconds between looks at the folder.
    public var interval = 2.0
    /// Seconds after which a task that has ended by its own word and counts as running still is taken out of the queue.
    public var patience = 30.0
    /// How often a recording is submitted at most, as those are again that the cluster lost.
    public var rounds = 3

    /// Work on the cluster `slurm`.
    public init(_ slurm: Slurm, _ options: SlurmOptions, worker: (program: String, arguments: [String])) {
        self.slurm = slurm
        self.options = options
        self.worker = worker
    }

    /// Submits `plans` and does not wait. Recordings that jobs of an earlier submission have in the queue still are not
    /// submitted again; these jobs stay known.
    /// - Returns: the numbers of the new jobs, the group's last.
    /// - Throws: `CohortError` when nothing can be submitted, or it cannot be told what is in the queue.
    @discardableResult
    public func submit(
        _ plans: [UnitPlan], in folder: BatchFolder, tell: (Event) -> Void = { _ in }
    ) throws -> [String] {
        guard let known = folder.submission, !known.jobs.isEmpty else {
            return try submit(plans, in: folder, besides: SlurmSubmission())
        }
        let earlier = known.left(in: try queue(known.jobs))
        if !earlier.jobs.isEmpty {
            let jobs = earlier.jobs.joined(separator: ", ")
            tell(.note("\(jobs) of an earlier run are in the queue; their recordings are not submitted again"))
        }
        let waiting = folder.stems(of: earlier)
        return try submit(plans.filter { !waiting.contains($0.unit.stem) }, in: folder, besides: earlier)
    }

    /// What is left of jobs of an earlier run; a controller that is being restarted is waited for a little.
    /// - Throws: `CohortError` when it does not answer: what is in the queue must not be submitted again.
    private func queue(_ jobs: [String]) throws -> [Slurm.Entry] {
        for attempt in 0..<5 {
            if attempt > 0 { Thread.sleep(forTimeInterval: interval) }
            if let queue = slurm.queue(jobs) { return queue }
        }
        throw CohortError(
            "the cluster's controller does not say whether jobs of an earlier run are in the queue",
            advice: "run the batch again when squeue answers")
    }

    /// - Parameter earlier: what is in the queue already.
    private func submit(
        _ plans: [UnitPlan], in folder: BatchFolder, besides earlier: SlurmSubmission
    ) throws -> [String] {
        // One that gathers what is in the queue is there already.
        let group = plans.isEmpty && earlier.group != nil ? nil : group
        if plans.isEmpty, group == nil, !earlier.jobs.isEmpty { return [] }
        if earlier.jobs.isEmpty { folder.forgetEnds() }
        var submission = SlurmSubmission()
        (submission.lists, submission.earlier) = (earlier.lists ?? [:], earlier.jobs)
        if !plans.isEmpty {
            let list = try folder.keepList(plans.map(\.unit.stem))
            let perTask = max(1, options.unitsPerTask)
            let tasks = (plans.count + perTask - 1) / perTask
            for script in SlurmScript.arrays(tasks: tasks, limit: try slurm.arrayLimit()) {
                // Only one array at a time where the number of tasks is throttled: the limit is for the batch.
                let last = submission.arrays.last ?? earlier.arrays.last
                let job = try submit(script, list, after: options.throttle == nil ? nil : last, in: folder)
                submission.arrays.append(job)
                submission.lists?[job] = list.lastPathComponent
                try folder.keep(submission)
            }
        }
        submission.group = try group.map {
            try submitGroup($0, after: earlier.jobs + submission.arrays, in: folder)
        }
        try folder.keep(submission)
        return submission.arrays + (submission.group.map { [$0] } ?? [])
    }

    private func submit(_ script: SlurmScript, _ list: URL, after: String?, in folder: BatchFolder) throws -> String {
        var words = [worker.program] + worker.arguments + [folder.root.path, "--list", list.path]
        words += ["--units", String(max(1, options.unitsPerTask)), "--n-cpus", String(options.workersPerTask)]
        if let memoryLimit { words += ["--memory", String(memoryLimit)] }
        if let temporary { words += ["-w", temporary] }
        var arguments = [
            "--job-name=marey", script.array(throttle: options.throttle), "--requeue", "--open-mode=append",
        ]
        arguments.append("--output=" + folder.root.appendingPathComponent("logs/slurm/%A_%a.log").path)
        if let after { arguments.append("--dependency=afterany:\(after)") }
        return try slurm.submit(script.text(words + ["--task"]), arguments + options.arguments)
    }

    private func submitGroup(_ words: [String], after arrays: [String], in folder: BatchFolder) throws -> String {
        var arguments = ["--job-name=marey-group"]
        arguments.append("--output=" + folder.root.appendingPathComponent("logs/slurm/group_%j.log").path)
        if !arrays.isEmpty { arguments.append("--dependency=afterany:" + arrays.joined(separator: ":")) }
        let command = words.map(ShellWord.quoted).joined(separator: " ")
        return try slurm.submit("#!/bin/sh\nexec \(command)\n", arguments + options.arguments)
    }

    /// Submits what is open and watches until all is done or failed; recordings that the cluster loses are submitted
    /// again. Jobs of an earlier run that are still in the queue are watched first.
    /// - Parameter work: what is open, asked anew each round.
    /// - Throws: `CohortError` when nothing can be submitted.
    public func run(
        in folder: BatchFolder, all: [UnitPlan], work: () throws -> [UnitPlan], tell: (Event) -> Void
    ) throws {
        if let earlier = folder.submission?.jobs, try !queue(earlier).isEmpty {
            tell(.joined(earlier))
            watch(earlier, all, in: folder, tell)
        }
        for round in 0..<max(1, rounds) {
            let open = try work().filter { round == 0 || folder.state(of: $0) != .failed }
            guard !open.isEmpty || (round == 0 && group != nil) else { break }
            let jobs = try submit(open, in: folder, besides: SlurmSubmission())
            tell(.submitted(jobs))
            watch(jobs, all, in: folder, tell)
        }
    }

    /// Looks at the folder and the queue until nothing of `jobs` is left there; while the controller does not answer,
    /// until the folder says that all of it is settled.
    private func watch(_ jobs: [String], _ all: [UnitPlan], in folder: BatchFolder, _ tell: (Event) -> Void) {
        var released: [String: Int] = [:]
        var ended: [String: Int] = [:]
        var (isSilent, isDrained) = (false, false)
        // Whoever watches for hours reads what is new.
        var done: Set<String> = []
        let submitted = SubmittedWork(folder.submission ?? SlurmSubmission(), in: folder)
        while true {
            let queue = slurm.queue(jobs)
            let status = BatchStatus(all, in: folder, done: done)
            done = status.stems(.done)
            let settled = submitted.ended(of: status)
            tell(.state(status, ended: settled))
            if let queue {
                if isSilent { tell(.note("the controller answers again")) }
                isSilent = false
                if queue.isEmpty { return }
                let waitsForNodes = queue.allSatisfy(\.waitsForNodes)
                if waitsForNodes, !isDrained {
                    tell(.note("the nodes that could take what is left are down or drained; waiting for them"))
                }
                isDrained = waitsForNodes
                endForgotten(queue, &ended, in: folder, tell)
                let held = queue.filter(\.isHeld)
                for entry in held {
                    released[entry.job, default: 0] += 1
                    tell(.note("\(entry.job) is held (\(entry.reason)); it is released"))
                    slurm.release(entry.job)
                }
                if held.count == queue.count, held.allSatisfy({ released[$0.job, default: 0] > 5 }) {
                    tell(.note("the cluster holds all that is left; it is taken out of the queue"))
                    slurm.cancel(jobs)
                    return
                }
            } else {
                if submitted.isOver(status, ended: settled) { return }
                if !isSilent { tell(.note("the cluster's controller does not answer; waiting")) }
                isSilent = true
            }
            Thread.sleep(forTimeInterval: interval)
        }
    }

    /// Takes tasks out of the queue that have ended while the controller counts them as running: one that was restarted
    /// may have lost word of it, and would keep their nodes from others for half an hour.
    /// - Parameter looks: how often each was seen so, one look after the other.
    private func endForgotten(
        _ queue: [Slurm.Entry], _ looks: inout [String: Int], in folder: BatchFolder, _ tell: (Event) -> Void
    ) {
        let ended = Set(queue.filter { $0.state == "RUNNING" && folder.hasEnded($0.job) }.map(\.job))
        looks = looks.filter { ended.contains($0.key) }
        for job in ended { looks[job, default: 0] += 1 }
        let forgotten = looks.filter { Double($0.value) * interval > patience }.keys.sorted()
        guard !forgotten.isEmpty else { return }
        tell(.note("\(forgotten.joined(separator: ", ")) ended, but the controller lost word of it; out of the queue"))
        slurm.cancel(forgotten)
        for job in forgotten { looks[job] = 0 }
    }

    /// Takes what is left of the latest submission out of the queue.
    public func cancel(in folder: BatchFolder) {
        slurm.cancel(folder.submission?.jobs ?? [])
    }
}
