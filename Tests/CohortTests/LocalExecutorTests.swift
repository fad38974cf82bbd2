import Cohort
import Foundation
import TestSupport
import Testing

/// What is noted when a worker goes down.
struct LocalExecutorTests {
    /// What stands in for a worker: says much while it is at its first recording, and goes down with its second.
    private static let worker = #"""
        #!/bin/sh
        printf 'ready\t-\t\n'
        read -r stem
        number=0
        while [ $number -lt 400 ]; do
            number=$((number + 1))
            echo "remark $number on another recording" >&2
        done
        printf 'done\t%s\t\n' "$stem"
        read -r stem
        echo 'first words' >&2
        echo 'Fatal error: it fell' >&2
        exit 1
        """#

    @Test("the note says what the worker said last of the recording that it was at, and nothing of others")
    func lastWords() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...2 { try cohort.add("0\(person)_1_rest", 60) }
            let program = folder.appendingPathComponent("worker")
            try Data(Self.worker.utf8).write(to: program)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
            let work = try cohort.plan().work()
            try LocalExecutor(worker: (program.path, []), count: 1).run(work, in: cohort.batch) { _ in }
            let failures = work.compactMap { cohort.batch.failure($0.unit.stem) }
            let failure = try #require(failures.first)
            #expect(failures.count == 1 && failure.kind == .crashed)
            #expect(
                failure.message.contains("with code 1: first words / Fatal error: it fell; please"),
                "\(failure.message)")
        }
    }

    /// What stands in for a worker that a library cannot be loaded into.
    private static let bare = #"""
        #!/bin/sh
        printf 'ready\t-\t\n'
        read -r stem
        echo 'marey: libany.so.0 cannot be loaded: no memory' >&2
        exit 71
        """#

    @Test func whatTheMachineLacksIsNotHeldAgainstARecording() throws {
        try withTemporaryFolder { (folder: URL) throws in
            let cohort = try IntervalCohort(in: folder)
            try cohort.add("01_1_rest", 60)
            let program = folder.appendingPathComponent("worker")
            try Data(Self.bare.utf8).write(to: program)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
            let work = try cohort.plan().work()
            try LocalExecutor(worker: (program.path, []), count: 1).run(work, in: cohort.batch) { _ in }
            let failure = try #require(cohort.batch.failure(work[0].unit.stem))
            #expect(failure.kind == .environment && failure.message.contains("libany.so.0 cannot be loaded: no memory"))
            #expect(!failure.message.contains("please report"), "\(failure.message)")
            #expect(try cohort.plan().work() == work)
        }
    }
}
