import Cohort
import Foundation
import Pipeline
import Signals
import Synchronization
import TestSupport
import Testing

/// What a batch says to a Slurm cluster, and what it makes of the answers.
struct SlurmTests {
    /// A cluster that notes what it is asked and answers from a script.
    private final class Cluster: Sendable {
        struct State {
            var commands: [[String]] = []
            var scripts: [String] = []
            var jobs = 100
            var queues: [String]
        }
        private let state: Mutex<State>
        private let limit: Int

        init(limit: Int = 1001, queues: [String] = []) {
            self.limit = limit
            state = Mutex(State(queues: queues))
        }

        var slurm: Slurm { Slurm { [self] words, input in answer(words, input) } }
        var commands: [[String]] { state.withLock { $0.commands } }
        var scripts: [String] { state.withLock { $0.scripts } }

        private func answer(_ words: [String], _ input: String?) -> Slurm.Outcome {
            state.withLock { state in
                state.commands.append(words)
                switch words[0] {
                case "sbatch":
                    state.scripts.append(input ?? "")
                    state.jobs += 1
                    return Slurm.Outcome(status: 0, output: "\(state.jobs);here\n")
                case "scontrol" where words.contains("config"):
                    return Slurm.Outcome(status: 0, output: "MaxArraySize            = \(limit)\n")
                case "squeue":
                    let next = state.queues.isEmpty ? "" : state.queues.removeFirst()
                    if next == "down" { return Slurm.Outcome(status: 1, output: "", messages: "Unable to contact") }
                    return Slurm.Outcome(status: 0, output: next)
                default: return Slurm.Outcome(status: 0, output: "")
                }
            }
        }
    }

    private static func cohort(_ count: Int, in folder: URL) throws -> BatchPlan {
        for number in 1...count { try Data("x".utf8).write(to: folder.appendingPathComponent("p\(number).edf")) }
        let units = try CohortMapping(recordings: ["p{subject}.edf"]).units(in: folder)
        let batch = BatchFolder(folder.appendingPathComponent("out"))
        try batch.make(derivedFrom: "cohort")
        let plan = try BatchPlan(units, of: folder, into: batch, parameters: .init())
        try plan.keep(parameters: .init())
        return plan
    }

    private static func executor(_ cluster: Cluster, _ options: SlurmOptions = SlurmOptions()) -> SlurmExecutor {
        var executor = SlurmExecutor(cluster.slurm, options, worker: ("/opt/my marey/marey", ["batch", "task"]))
        executor.interval = 0.001
        return executor
    }

    @Test func arraysStayWithinTheSitesLimitAndTheGroupWaitsForAll() throws {
        try withTemporaryFolder { folder in
            let plan = try Self.cohort(10, in: folder)
            let cluster = Cluster(limit: 4)
            var options = SlurmOptions()
            (options.partition, options.account, options.time, options.memory) = ("short", "lab", "30", "2G")
            (options.throttle, options.others) = (2, ["--qos=long"])
            var executor = Self.executor(cluster, options)
            executor.group = ["/bin/true", "it's"]
            #expect(try executor.submit(plan.work(), in: plan.folder) == ["101", "102", "103", "104"])
            let sbatch = cluster.commands.filter { $0[0] == "sbatch" }
            #expect(
                sbatch.map { $0.first { $0.hasPrefix("--array") } } == [
                    "--array=0-3%2", "--array=0-3%2", "--array=0-1%2", nil,
                ])
            #expect(sbatch[0].contains("--partition=short") && sbatch[0].contains("--account=lab"))
            #expect(
                sbatch[0].contains("--time=30") && sbatch[0].contains("--mem=2G") && sbatch[0].contains("--qos=long"))
            #expect(sbatch[1].contains("--dependency=afterany:101"))
            #expect(sbatch[3].contains("--dependency=afterany:101:102:103"))
            #expect(cluster.scripts[2].contains("SLURM_ARRAY_TASK_ID + 8"))
            #expect(cluster.scripts[0].contains("'/opt/my marey/marey' batch task"))
            #expect(cluster.scripts[3].hasSuffix("exec /bin/true 'it'\\''s'\n"))
        }
    }

    @Test func everyRecordingIsInOneTask() throws {
        try withTemporaryFolder { folder in
            let plan = try Self.cohort(7, in: folder)
            let cluster = Cluster()
            var options = SlurmOptions()
            options.unitsPerTask = 3
            try Self.executor(cluster, options).submit(plan.work(), in: plan.folder)
            #expect(cluster.commands.last?.contains("--array=0-2") == true)
            let words = cluster.scripts[0].split(separator: " ").map(String.init)
            let place = try #require(words.firstIndex(of: "--list"))
            let list = URL(fileURLWithPath: words[place + 1])
            let tasks = try (0..<3).map {
                try plan.folder.plans(ofTask: $0, unitsPerTask: 3, list: list).map(\.unit.stem)
            }
            #expect(tasks.map(\.count) == [3, 3, 1])
            #expect(Set(tasks.joined()) == Set(plan.entries.map(\.plan.unit.stem)))
            #expect(throws: CohortError.self) { try plan.folder.plans(ofTask: 4, unitsPerTask: 3, list: list) }
        }
    }

    @Test("a task beyond the last recording is refused, also where all tasks are full")
    func beyondTheLastRecording() throws {
        try withTemporaryFolder { folder in
            let plan = try Self.cohort(6, in: folder)
            let list = folder.appendingPathComponent("list")
            try Data(plan.entries.map { $0.plan.unit.stem + "\n" }.joined().utf8).write(to: list)
            #expect(try plan.folder.plans(ofTask: 1, unitsPerTask: 3, list: list).count == 3)
            for task in [-1, 2, Int.max] {
                #expect(throws: CohortError.self) {
                    try plan.folder.plans(ofTask: task, unitsPerTask: 3, list: list)
                }
            }
        }
    }

    @Test("a controller that does not answer is waited for until all recordings and the group have ended, not longer")
    func settledWhileTheControllerIsSilent() throws {
        try withTemporaryFolder { folder in
            let plan = try Self.cohort(2, in: folder)
            let run = UnitRun(plan.folder)
            let stems = plan.entries.map(\.plan.unit.stem)
            // One failed yesterday, and is tried again.
            #expect(try run.perform(stems[0]) == .failed)
            let note = plan.folder.root.appendingPathComponent(".marey/batch/failed/\(stems[0]).json")
            try FileManager.default.setAttributes([.modificationDate: Date() - 86_400], ofItemAtPath: note.path)
            let cluster = Cluster(queues: Array(repeating: "down", count: 8))
            var executor = Self.executor(cluster)
            (executor.rounds, executor.group) = (1, ["/bin/true"])
            var looks: [Set<String>] = []
            try executor.run(in: plan.folder, all: plan.entries.map(\.plan)) {
                plan.work()
            } tell: { event in
                guard case .state(_, let ended) = event else { return }
                looks.append(ended)
                if looks.count == 1 { for stem in stems { _ = try? run.perform(stem) } }
                if looks.count == 3 { plan.folder.noteEnd(of: "102") }
            }
            #expect(looks == [[], Set(stems), Set(stems)])
        }
    }

    @Test func whatTheClusterLosesIsSubmittedAgainButNotForEver() throws {
        try withTemporaryFolder { folder in
            let plan = try Self.cohort(2, in: folder)
            let cluster = Cluster(queues: ["101_0|RUNNING|None\n", "", "down", "102_0|RUNNING|None\n"])
            var notes: [String] = []
            try Self.executor(cluster).run(in: plan.folder, all: plan.entries.map(\.plan)) {
                plan.work()
            } tell: {
                if case .note(let words) = $0 { notes.append(words) }
            }
            #expect(cluster.scripts.count == 3)
            #expect(notes.contains { $0.contains("does not answer") })
            #expect(notes.contains { $0.contains("answers again") })
        }
    }

    @Test func heldTasksAreReleasedAndThoseThatStayHeldGivenUp() throws {
        try withTemporaryFolder { folder in
            let plan = try Self.cohort(1, in: folder)
            let held = "101_0|PENDING|launch failed requeued held\n"
            let cluster = Cluster(queues: Array(repeating: held, count: 6))
            var executor = Self.executor(cluster)
            executor.rounds = 1
            try executor.run(in: plan.folder, all: plan.entries.map(\.plan)) {
                plan.work()
            } tell: { _ in
            }
            #expect(cluster.commands.contains(["scontrol", "release", "101_0"]))
            #expect(cluster.commands.last == ["scancel", "101"])
        }
    }

    @Test func aTaskThatEndedAndCountsAsRunningIsTakenOutOfTheQueue() throws {
        try withTemporaryFolder { folder in
            let plan = try Self.cohort(2, in: folder)
            let running = "101_0|RUNNING|None\n101_1|RUNNING|None\n"
            let cluster = Cluster(queues: Array(repeating: running, count: 6))
            var executor = Self.executor(cluster)
            (executor.rounds, executor.patience) = (1, 3.5 * executor.interval)
            var looks = 0
            try executor.run(in: plan.folder, all: plan.entries.map(\.plan)) {
                plan.work()
            } tell: {
                // The other task works on.
                if case .submitted = $0 { plan.folder.noteEnd(of: "101_0") }
                if case .state = $0, !cluster.commands.contains(["scancel", "101_0"]) { looks += 1 }
            }
            #expect(cluster.commands.filter { $0[0] == "scancel" } == [["scancel", "101_0"]])
            #expect(looks == 4)
        }
    }

    @Test func whatIsInTheQueueIsNotSubmittedAgainAndStaysKnown() throws {
        try withTemporaryFolder { folder in
            let plan = try Self.cohort(3, in: folder)
            let all = plan.work()
            // Asked three times: the first array runs on, is joined by another, and is over.
            let cluster = Cluster(queues: ["101_[0-1]|PENDING|None\n", "101_1|RUNNING|None\n102_0|PENDING|None\n", ""])
            let executor = Self.executor(cluster)
            #expect(try executor.submit(Array(all.prefix(2)), in: plan.folder) == ["101"])
            var notes: [String] = []
            let second = try executor.submit(all, in: plan.folder) {
                if case .note(let words) = $0 { notes.append(words) }
            }
            #expect(second == ["102"] && notes.count == 1 && notes[0].contains("101"))
            #expect(cluster.commands.last?.contains("--array=0-0") == true)
            #expect(try executor.submit(all, in: plan.folder).isEmpty)
            #expect(cluster.scripts.count == 2)
            executor.cancel(in: plan.folder)
            #expect(cluster.commands.last == ["scancel", "101", "102"])
            // They left the queue undone: all is submitted once more.
            #expect(try executor.submit(all, in: plan.folder) == ["103"])
            executor.cancel(in: plan.folder)
            #expect(cluster.commands.last == ["scancel", "103"])
        }
    }

    @Test func theGroupWaitsForWhatIsInTheQueueAndIsNotSubmittedTwice() throws {
        try withTemporaryFolder { folder in
            let plan = try Self.cohort(2, in: folder)
            let queue = "101_[0-1]|PENDING|None\n"
            let cluster = Cluster(queues: [queue, queue + "102|PENDING|Dependency\n"])
            var executor = Self.executor(cluster)
            #expect(try executor.submit(plan.work(), in: plan.folder) == ["101"])
            executor.group = ["/bin/true"]
            #expect(try executor.submit(plan.work(), in: plan.folder) == ["102"])
            #expect(cluster.commands.last?.contains("--dependency=afterany:101") == true)
            #expect(try executor.submit(plan.work(), in: plan.folder).isEmpty)
        }
    }

    @Test func nothingIsSubmittedWhereItCannotBeToldWhatIsInTheQueue() throws {
        try withTemporaryFolder { folder in
            let plan = try Self.cohort(1, in: folder)
            let cluster = Cluster(queues: Array(repeating: "down", count: 10))
            let executor = Self.executor(cluster)
            try executor.submit(plan.work(), in: plan.folder)
            #expect(throws: CohortError.self) { try executor.submit(plan.work(), in: plan.folder) }
            #expect(throws: CohortError.self) {
                try executor.run(in: plan.folder, all: plan.entries.map(\.plan)) {
                    plan.work()
                } tell: { _ in
                }
            }
            #expect(cluster.scripts.count == 1)
        }
    }

    @Test func aGroupStepThatDoesNotSayItIsDoneHasALog() throws {
        try withTemporaryFolder { folder in
            let plan = try Self.cohort(1, in: folder)
            var executor = Self.executor(Cluster())
            executor.group = ["/bin/true"]
            #expect(plan.folder.logOfLostGroup == nil)
            #expect(try executor.submit(plan.work(), in: plan.folder) == ["101", "102"])
            #expect(plan.folder.logOfLostGroup == "logs/slurm/group_102.log")
            plan.folder.noteEnd(of: "99")
            #expect(plan.folder.logOfLostGroup != nil)
            plan.folder.noteEnd(of: "102")
            #expect(plan.folder.logOfLostGroup == nil)
        }
    }

    @Test func jobsOfAnEarlierRunAreWatchedBeforeAnythingIsSubmitted() throws {
        try withTemporaryFolder { folder in
            let plan = try Self.cohort(1, in: folder)
            let cluster = Cluster(queues: ["101_0|RUNNING|None\n", "101_0|RUNNING|None\n", "", ""])
            let executor = Self.executor(cluster)
            try executor.submit(plan.work(), in: plan.folder)
            var events: [String] = []
            try executor.run(in: plan.folder, all: plan.entries.map(\.plan)) {
                events.isEmpty ? plan.work() : []
            } tell: {
                if case .joined(let jobs) = $0 { events.append("joined \(jobs[0])") }
            }
            #expect(events == ["joined 101"])
            #expect(cluster.scripts.count == 1)
        }
    }
}
