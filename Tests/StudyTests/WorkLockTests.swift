import Foundation
import Study
import TestSupport
import Testing

/// Who holds the lock of a recording, whatever machine, container and disk it was taken on.
struct WorkLockTests {
    /// A lock as a file.
    private struct Content: Encodable {
        var host = ProcessIdentity.thisHost
        var pid = Int32.max
        var processStart = "1"
        var boot = ProcessIdentity.current.boot
        var namespace = ProcessIdentity.current.namespace
    }

    private static func write(_ content: Content, to lock: URL) throws {
        try JSONEncoder().encode(content).write(to: lock)
    }

    private static func age(_ lock: URL, by seconds: Double) throws {
        try FileManager.default.setAttributes([.modificationDate: Date() - seconds], ofItemAtPath: lock.path)
    }

    private static let out: [(String?, String?)] = [
        ("another boot", ProcessIdentity.current.namespace), (ProcessIdentity.current.boot, "pid:[1]"), ("", ""),
        (ProcessIdentity.current.boot, nil), (nil, ProcessIdentity.current.namespace),
    ]

    @Test(
        "a process of another container lives while its lock is touched, though none of its number is seen",
        arguments: out)
    func anotherContainer(boot: String?, namespace: String?) throws {
        try withTemporaryFolder { folder in
            let lock = folder.appendingPathComponent("sub-1.lock")
            try Self.write(Content(boot: boot, namespace: namespace), to: lock)
            let isTaken = try WorkLock.take(lock)
            #expect(WorkLock.isHeld(lock) && !isTaken)
            try Self.age(lock, by: 3_600)
            #expect(WorkLock.isLost(lock))
            let isTakenOver = try WorkLock.take(lock)
            #expect(isTakenOver)
        }
    }

    @Test("a process of this container that is gone is known to be at once, by locks of earlier versions, too")
    func thisContainer() throws {
        try withTemporaryFolder { folder in
            let lock = folder.appendingPathComponent("sub-1.lock")
            for content in [Content(), Content(boot: nil, namespace: nil)] {
                try Self.write(content, to: lock)
                #expect(WorkLock.isLost(lock))
            }
            let isTaken = try WorkLock.take(lock)
            let isTakenAgain = try WorkLock.take(lock)
            #expect(isTaken && !isTakenAgain)
            WorkLock.release(lock)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test func aLockCanBeReadByWhoeverSharesTheFolder() throws {
        try withTemporaryFolder { folder in
            let lock = folder.appendingPathComponent("sub-1.lock")
            _ = try WorkLock.take(lock)
            let mode = try FileManager.default.attributesOfItem(atPath: lock.path)[.posixPermissions]
            #expect(mode as? Int == 0o644)
        }
    }

    @Test func theLockOfAWorkerThatEndedIsTakenAwayAndNoneOfItsNumberElsewhere() throws {
        try withTemporaryFolder { folder in
            let lock = folder.appendingPathComponent("sub-1.lock")
            let foreign = [Content(host: "elsewhere", pid: 7), Content(pid: 7, namespace: "pid:[1]"), Content(pid: 8)]
            for content in foreign {
                try Self.write(content, to: lock)
                WorkLock.release(lock, of: 7)
                #expect(FileManager.default.fileExists(atPath: lock.path))
            }
            try Self.write(Content(pid: 7), to: lock)
            WorkLock.release(lock, of: 7)
            #expect(!FileManager.default.fileExists(atPath: lock.path))
        }
    }

    /// A disk that knows no such way.
    private static let missing: ExclusiveName.Way = { _, _ in .refused(EPERM) }

    @Test(
        "on a disk without hard links one at a time holds a lock, and one of the dead is taken over",
        arguments: [[ExclusiveName.link], [missing, ExclusiveName.rename], [missing, missing, ExclusiveName.copy]])
    func withoutHardLinks(ways: [ExclusiveName.Way]) throws {
        try withTemporaryFolder { folder in
            let lock = folder.appendingPathComponent("sub-1.lock")
            for _ in 1...2 {
                let isTaken = try WorkLock.take(lock, by: ways)
                let isTakenAgain = try WorkLock.take(lock, by: ways)
                #expect(isTaken && !isTakenAgain && WorkLock.isHeld(lock))
                #expect(WorkLock(at: lock)?.pid == getpid())
                try Self.write(Content(), to: lock)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["sub-1.lock"])
        }
    }

    @Test func aDiskThatKnowsNoWayIsNamed() throws {
        try withTemporaryFolder { folder in
            let lock = folder.appendingPathComponent("sub-1.lock")
            let error = #expect(throws: StudyError.self) { try WorkLock.take(lock, by: [Self.missing]) }
            #expect(error?.advice == "this disk knows no hard links; give the output a folder on another")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left.isEmpty)
        }
    }

    @Test("a lock that is seen before its content holds for a moment; one that says nonsense does not")
    func withoutContent() throws {
        try withTemporaryFolder { folder in
            let lock = folder.appendingPathComponent("sub-1.lock")
            try Data().write(to: lock)
            #expect(WorkLock.isHeld(lock))
            try Self.age(lock, by: 60)
            #expect(WorkLock.isLost(lock))
            try Data("{".utf8).write(to: lock)
            #expect(WorkLock.isLost(lock))
        }
    }
}
