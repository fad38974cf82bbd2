import Foundation
import Pipeline
import Study

/// What happened to one recording, run after run, for people.
struct UnitLog {
    private let url: URL
    private let began = Date()
    private let usageAtStart = ProcessUsage.now

    init(_ url: URL) {
        self.url = url
    }

    func begin(_ plan: UnitPlan) {
        add(
            """
            \(began.formatted(.iso8601)) Marey \(plan.version) on \(ProcessIdentity.thisHost), process \(getpid())
            recording: \(plan.unit.recording) (\(plan.unit.bytes) bytes)
            parameters: \(plan.parametersSHA256)
            """)
    }

    func end() {
        let usage = ProcessUsage.now
        let elapsed = Date().timeIntervalSince(began)
        add(
            String(
                format: "done in %.2f s, %.2f s of CPU, peak memory of the process %d MB", elapsed,
                usage.cpu - usageAtStart.cpu, usage.peakBytes >> 20))
    }

    /// Adds a line; what cannot be logged is not worth failing for.
    func add(_ text: String) {
        let descriptor = open(url.path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array((text + "\n").utf8)
        _ = write(descriptor, bytes, bytes.count)
    }
}

/// What a process has used.
struct ProcessUsage {
    /// Seconds of CPU, user and system.
    var cpu: Double
    /// The most memory it ever held, in bytes.
    var peakBytes: Int

    /// Of this process.
    static var now: ProcessUsage {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return ProcessUsage(usage)
    }

    init(_ usage: rusage) {
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
        cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime)
        peakBytes = usage.ru_maxrss << 10
    }
}
