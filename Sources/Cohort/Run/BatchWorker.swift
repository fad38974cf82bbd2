import Formats
import Foundation
import Pipeline
import Study
import Synchronization

/// The process that computes recordings, one after another, as the batch that started it says: a line with a stem
/// comes in, a line with the outcome goes out. When the batch ends, however it ends, so does its worker.
public struct BatchWorker {
    private let folder: BatchFolder
    private let memoryLimit: Int?

    /// A worker on the batch in `folder`.
    /// - Parameter memoryLimit: bytes it may hold; a recording that needs more fails.
    public init(_ folder: BatchFolder, memoryLimit: Int?) {
        self.folder = folder
        self.memoryLimit = memoryLimit
    }

    /// Works until standard input ends.
    /// - Throws: `ThreadShortage` where it cannot have the threads that watch over it.
    public func run() throws {
        let current = CurrentWork(folder)
        try Self.leaveOnTermination(current)
        let requests = Requests(current)
        try requests.listen()
        if let memoryLimit { Self.refuse(above: memoryLimit) }
        try watch(current)
        var unit = UnitRun(folder)
        unit.holding = { [memoryLimit] plan in
            current.set(plan)
            // A short recording can be done before the first look from beside.
            if plan != nil { Self.end(current, above: memoryLimit) }
        }
        unit.concluding = current.conclude
        Self.reply("ready", "-")
        let series = ToldSeries()
        while let request = requests.next() {
            let words = request.split(separator: "\t").map(String.init)
            guard let stem = words.first else { continue }
            unit.series = words.count > 1 ? series : nil
            do {
                let outcome = try unit.perform(stem)
                Self.reply(outcome.rawValue, stem, series.take(stem))
            } catch {
                Self.reply("broken", stem, "\(error)")
            }
        }
    }

    /// What asks for a recording.
    /// - Parameter tells: whether the reply tells of its tables, for `ToldSeries`.
    static func request(_ stem: String, tells: Bool) -> String { tells ? stem + "\ttell" : stem }

    static func reply(_ outcome: String, _ stem: String, _ message: String = "") {
        var rest = Array("\(outcome)\t\(stem)\t".utf8) + message.utf8.map { $0 == 0x0A ? 0x20 : $0 } + [0x0A]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest.removeFirst(count)
        }
    }

    /// Ends with nothing half-done left behind when it is told to, as a cluster does before it kills. Before any other
    /// thread begins, so that none takes the signal the usual way.
    private static func leaveOnTermination(_ current: CurrentWork) throws(ThreadShortage) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        try SystemThread.start {
            var (signals, signal): (sigset_t, Int32) = (sigset_t(), 0)
            sigemptyset(&signals)
            sigaddset(&signals, SIGTERM)
            sigwait(&signals, &signal)
            current.abandon()
            _exit(128 + SIGTERM)
        }
    }

    /// A second wall: what asks for far more than the limit at once is refused by the system.
    private static func refuse(above limit: Int) {
        var wall = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &wall)
        wall.rlim_cur = rlim_t(limit) * 2 + (512 << 20)
        setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &wall)
    }

    /// Touches the lock that is held, and ends the worker when it holds more memory than it may.
    private func watch(_ current: CurrentWork) throws(ThreadShortage) {
        let limit = memoryLimit
        try SystemThread.start {
            var lastTouch = Date()
            while true {
                usleep(limit == nil ? 1_000_000 : 40_000)
                if Date().timeIntervalSince(lastTouch) > WorkLock.touchInterval {
                    current.touch()
                    lastTouch = Date()
                }
                Self.end(current, above: limit)
            }
        }
    }

    private static func end(_ current: CurrentWork, above limit: Int?) {
        if let limit, residentBytes > limit { current.endForMemory(limit) }
    }

    private static var residentBytes: Int {
        guard let data = FileManager.default.contents(atPath: "/proc/self/statm") else { return 0 }
        let fields = String(decoding: data, as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
    }
}

/// What a worker is at, known to the threads that watch it.
final class CurrentWork: Sendable {
    private let folder: BatchFolder
    private let plan = Mutex<UnitPlan?>(nil)

    init(_ folder: BatchFolder) {
        self.folder = folder
    }

    func set(_ plan: UnitPlan?) { self.plan.withLock { $0 = plan } }

    func touch() {
        plan.withLock { if let plan = $0 { WorkLock.touch(folder.lockFile(plan.unit.stem)) } }
    }

    /// Runs what must not happen to work that is being left: that waits until it is over, or keeps it from beginning.
    func conclude(_ body: () throws -> Void) throws { try plan.withLock { _ in try body() } }

    /// Leaves nothing half-done behind and ends the process, if it is at something.
    func abandon() {
        plan.withLock { plan in
            guard let plan else { return }
            leave(plan.unit.stem)
            _exit(128 + SIGTERM)
        }
    }

    func endForMemory(_ limit: Int) {
        plan.withLock { plan in
            guard let plan else { return }
            var failure = FailureRecord(
                plan, .memory,
                "\(plan.unit.recording): needs more than the \(limit >> 20) MB a worker may have; give more with "
                    + "--mem-gb, or fewer workers with --n-cpus",
                place: plan.unit.recording)
            failure.memoryLimit = limit
            try? folder.note(failure)
            leave(plan.unit.stem)
            // Not just that it failed: whoever listens must not send the next one here.
            BatchWorker.reply("gone", plan.unit.stem)
            _exit(1)
        }
    }

    private func leave(_ stem: String) {
        UnfinishedFiles.deleteAll()
        try? FileManager.default.removeItem(at: folder.partialFolder(stem))
        WorkLock.release(folder.lockFile(stem))
    }
}

/// The recordings that a worker is told to compute.
private final class Requests: Sendable {
    private let waiting = Mutex<[String]>([])
    private let arrived = DispatchSemaphore(value: 0)
    private let current: CurrentWork

    init(_ current: CurrentWork) {
        self.current = current
    }

    func listen() throws(ThreadShortage) {
        try SystemThread.start { [self] in
            while let line = readLine() {
                waiting.withLock { $0.append(line) }
                arrived.signal()
            }
            // Whoever started this worker is gone, or has no more work.
            current.abandon()
            arrived.signal()
        }
    }

    /// The next stem; nil when there will be none.
    func next() -> String? {
        arrived.wait()
        return waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
