import Foundation
import TestSupport
import Testing

/// A machine that withholds what every program takes for granted: each command ends with words, and none waits for ever.
@Suite(.serialized) struct ShortMachineTests {
    /// Ends what hangs; -9 of a run is its doing.
    private static let patience = ["timeout", "-s", "KILL", "60"]
    /// Somebody who runs nothing else: to root no limit on processes applies.
    private static let nobody = 61_234
    private static let asNobody =
        geteuid() == 0 ? ["setpriv", "--reuid", "\(nobody)", "--regid", "\(nobody)", "--clear-groups"] : []

    /// Runs a command that has a minute for it.
    private static func run(_ words: [String], in folder: URL) throws -> Program.Outcome {
        let line = (patience + words).map { "'\($0)'" }.joined(separator: " ")
        return try Program.run(line: line, in: folder)
    }

    private static func works(_ words: [String]) -> Bool {
        (try? run(words, in: FileManager.default.temporaryDirectory))?.status == 0
    }

    /// The program may lie where only root looks.
    private static let hasNobody = works(asNobody + ["prlimit", "--nproc=200", Program.url.path, "--version"])
    /// A view of the system without /proc.
    private static let withoutProc =
        ["unshare", geteuid() == 0 ? "-m" : "-rm", "sh", "-c", "mount -t tmpfs none /proc && exec \"$0\" \"$@\""]
    private static let hasOwnMounts = works(withoutProc + ["true"])

    private static func cohort(in folder: URL, as user: [String] = []) throws {
        let made = try run(
            user + [
                Program.url.path, "simulate", "cohort", "data", "--participants", "4", "--sessions", "1", "--duration",
                "60", "--signals", "ecg", "--no-faults",
            ], in: folder)
        #expect(made.status == 0, "\(made.messages)")
    }

    private static func compute(in folder: URL) throws {
        let batch = try run([Program.url.path, "batch", "data", "out", "participant", "--no-reports"], in: folder)
        #expect(batch.status == 0, "\(batch.messages)")
    }

    @Test(
        .enabled(if: hasOwnMounts, "needs the right to mount in a name space of its own (unshare -m)"),
        arguments: [["--version"], ["study", "erase", "st", "01", "--yes"], ["batch", "data", "out", "participant"]])
    func withoutProcNoCommandIsTakenForAnEmptyOne(arguments: [String]) throws {
        try withTemporaryFolder { (folder: URL) throws in
            let outcome = try Self.run(Self.withoutProc + [Program.url.path] + arguments, in: folder)
            #expect(outcome.status == 3 && outcome.messages.contains("marey needs /proc"), "\(outcome.messages)")
            #expect(outcome.output.isEmpty)
        }
    }

    @Test(.enabled(if: hasNobody, "needs setpriv, prlimit and a program that others may run"))
    func aBatchThatMayHaveNoMoreThreadsEnds() throws {
        try withTemporaryFolder { (folder: URL) throws in
            if geteuid() == 0 { chown(folder.path, uid_t(Self.nobody), gid_t(Self.nobody)) }
            try Self.cohort(in: folder, as: Self.asNobody)
            for limit in [1, 2, 3, 5, 8, 11] {
                let outcome = try Self.run(
                    Self.asNobody + [
                        "prlimit", "--nproc=\(limit)", Program.url.path, "batch", "data", "out\(limit)", "participant",
                        "--no-reports", "--n-cpus", "2",
                    ], in: folder)
                // With room for one whole worker it may do the work of both before the other begins.
                guard limit < 11 || outcome.status != 0 else { continue }
                #expect(outcome.status == 3, "\(limit): \(outcome.status) \(outcome.messages)")
                #expect(outcome.messages.contains("no more processes or threads are allowed"), "\(outcome.messages)")
            }
        }
    }

    @Test func theGroupLevelEndsWhereThereIsNoRoomForItsLibraries() throws {
        try withTemporaryFolder { (folder: URL) throws in
            try Self.cohort(in: folder)
            try Self.compute(in: folder)
            var statuses: [Int32] = []
            // From what hardly starts to what is enough, in steps smaller than what the libraries need.
            for megabytes in stride(from: 192, through: 4_096, by: 64) where statuses.last != 0 {
                let outcome = try Self.run(
                    [
                        "prlimit", "--as=\(megabytes << 20)", Program.url.path, "batch", "data", "out", "group",
                        "--no-reports",
                    ], in: folder)
                statuses.append(outcome.status)
                guard outcome.status == 71 else { continue }
                #expect(outcome.messages.contains("cannot be loaded"), "\(outcome.messages)")
                #expect(!outcome.messages.contains("install the package"), "\(outcome.messages)")
            }
            #expect(!statuses.contains(-9) && !statuses.contains(137), "something hung: \(statuses)")
            #expect(statuses.contains(71) && statuses.last == 0, "\(statuses)")
        }
    }

    @Test func aLibraryThatIsThereButDamagedIsNotToBeInstalled() throws {
        try withTemporaryFolder { (folder: URL) throws in
            try Self.cohort(in: folder)
            try Self.compute(in: folder)
            try Data("no library".utf8).write(to: folder.appendingPathComponent("libopenblas.so.0"))
            let places = [folder.path, ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? ""]
            let outcome = try Self.run(
                [
                    "env", "LD_LIBRARY_PATH=\(places.filter { !$0.isEmpty }.joined(separator: ":"))", Program.url.path,
                    "batch", "data", "out", "group",
                ], in: folder)
            #expect(outcome.status == 71, "\(outcome.status) \(outcome.messages)")
            #expect(outcome.messages.contains("libopenblas.so.0 cannot be loaded"), "\(outcome.messages)")
            #expect(!outcome.messages.contains("install the package"), "\(outcome.messages)")
        }
    }
}
