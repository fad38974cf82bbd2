import CLate
public import Foundation
import Pipeline
import Study
import Synchronization

/// Computes the recordings of a batch on this machine: one process per worker, each with a memory limit, fed by a
/// thread of its own. A worker that goes down takes only the recording it was at with it.
public struct LocalExecutor: Sendable {
    /// What happens meanwhile.
    public enum Event: Sendable {
        /// A worker begins with a recording.
        case began(UnitPlan)
        /// A recording came to its end: computed, unchanged or failed.
        case ended(UnitPlan, UnitState)
    }

    /// The program that is started as worker, and what follows its name.
    public var worker: (program: String, arguments: [String])
    /// How many workers.
    public var count: Int
    /// The memory a worker may hold, in bytes; nil: no limit.
    public var memoryLimit: Int?
    /// Where workers put temporary files; nil: where the system says.
    public var temporary: URL?
    /// Takes what workers tell of the tables they write; nil: nothing is told.
    public var series: ToldSeries?

    /// `count` workers.
    public init(
        worker: (program: String, arguments: [String]), count: Int, memoryLimit: Int? = nil, temporary: URL? = nil
    ) {
        self.worker = worker
        self.count = count
        self.memoryLimit = memoryLimit
        self.temporary = temporary
    }

    /// Computes `plans`; what goes wrong with one of them is noted in `folder` and told as its end.
    /// - Throws: `CohortError` when workers cannot be started or the folder cannot be written.
    public func run(
        _ plans: [UnitPlan], in folder: BatchFolder, tell: @escaping @Sendable (Event) -> Void
    ) throws {
        signal(SIGPIPE, SIG_IGN)
        let queue = WorkQueue(plans, folder)
        let threads = DispatchGroup()
        for number in 0..<min(count, plans.count) {
            threads.enter()
            do {
                try SystemThread.start {
                    do { try attend(number, queue, folder, tell) } catch { queue.stop(error) }
                    threads.leave()
                }
            } catch {
                queue.stop(CohortError("\(error)", advice: "or give fewer workers with --n-cpus"))
                threads.leave()
                break
            }
        }
        threads.wait()
        if let problem = queue.problem { throw problem }
    }

    /// Feeds one worker until nothing is left, starting another when it goes down.
    private func attend(
        _ number: Int, _ queue: WorkQueue, _ folder: BatchFolder, _ tell: @escaping @Sendable (Event) -> Void
    ) throws {
        var child: ChildProcess?
        var messages = WorkerMessages(folder.messages(number))
        defer {
            _ = child?.end()
            unlink(messages.file.path)
        }
        while let plan = queue.next(settled: { tell(.ended($0, $1)) }) {
            let running = try child ?? start(folder, messages.file)
            child = running
            tell(.began(plan))
            messages.forget()
            let reply = running.send(BatchWorker.request(plan.unit.stem, tells: series != nil)) ? running.line() : nil
            guard let words = reply.map(Self.words) else {
                child = nil
                let end = running.end()
                WorkLock.release(folder.lockFile(plan.unit.stem), of: running.pid)
                if try isOver(plan, end, messages, queue, folder) { tell(.ended(plan, .failed)) }
                continue
            }
            switch words[0] {
            case "done", "unchanged":
                if words.count > 2, !words[2].isEmpty { series?.add(words[2], of: plan.unit.stem) }
                tell(.ended(plan, .done))
            case "failed": tell(.ended(plan, .failed))
            case "gone":
                child = nil
                _ = running.end()
                tell(.ended(plan, .failed))
            case "withdrawn": tell(.ended(plan, .pending))
            case "busy": queue.leaveElsewhere(plan)
            default: throw CohortError(words.count > 2 ? words[2] : "a worker said '\(words[0])'")
            }
        }
    }

    /// The words of a reply; what is told of tables is long, and is not looked at letter by letter.
    private static func words(of reply: String) -> [String] {
        reply.utf8.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    private func start(_ folder: BatchFolder, _ messages: URL) throws -> ChildProcess {
        var arguments = worker.arguments + [folder.root.path]
        if let memoryLimit { arguments += ["--memory", String(memoryLimit)] }
        // Recordings are what is done side by side; threads for matrices would only spin.
        var environment = ["SWIFT_BACKTRACE": "enable=no", "OPENBLAS_NUM_THREADS": "1"]
        // What one recording frees serves the next: given back to the system, every page of it is cleared again.
        for name in ["MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"] { environment[name] = String(4 << 20) }
        if let temporary { environment["TMPDIR"] = temporary.path }
        let child = try ChildProcess(worker.program, arguments, environment: environment, messages: messages.path)
        guard child.line()?.hasPrefix("ready") == true else {
            let end = child.end()
            throw CohortError(
                "a worker ended before it began, \(Self.words(end)): \(WorkerMessages(messages).lastLines)")
        }
        return child
    }

    /// What the end of a worker means for the recording it was at. Being killed is nobody's fault, twice is bad luck,
    /// three times is told; that a library cannot be loaded is the machine's; everything else was the recording's doing.
    /// - Returns: whether the recording is given up.
    private func isOver(
        _ plan: UnitPlan, _ end: ChildProcess.End, _ messages: WorkerMessages, _ queue: WorkQueue, _ folder: BatchFolder
    ) throws -> Bool {
        switch end {
        case .killed(SIGKILL), .killed(SIGTERM), .killed(SIGINT), .killed(SIGHUP), .exited(128...):
            if queue.retry(plan) { return false }
            try folder.note(
                FailureRecord(
                    plan, .killed,
                    "\(plan.unit.recording): its worker was ended from outside three times, \(Self.words(end)), as the "
                        + "system does when memory runs out; give fewer workers with --n-cpus, or a limit with --mem-gb",
                    place: plan.unit.recording))
            return true
        case .exited(MAREY_LIBRARY_EXIT):
            try folder.note(
                FailureRecord(
                    plan, .environment,
                    "\(plan.unit.recording): its worker lacked something of this machine: \(messages.lastLines); "
                        + "nothing is wrong with the recording, the next run tries it again"))
            return true
        default: break
        }
        let words = messages.lastLines
        try folder.note(
            FailureRecord(
                plan, .crashed,
                "\(plan.unit.recording): the worker ended \(Self.words(end))\(words.isEmpty ? "" : ": " + words); please report this",
                place: plan.unit.recording))
        return true
    }

    private static func words(_ end: ChildProcess.End) -> String {
        switch end {
        case .killed(let signal): "by signal \(signal) (\(String(cString: strsignal(signal))))"
        case .exited(let code): "with code \(code)"
        }
    }
}
