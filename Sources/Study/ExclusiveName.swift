import Foundation

/// Gives a file a name that nothing has yet, at once, on whatever disk it lies.
package enum ExclusiveName {
    /// What became of it.
    package enum Outcome: Equatable {
        /// The file has the name; it may have lost its old one.
        case given
        /// Something else has it.
        case taken
        /// The system's reason.
        case refused(CInt)
    }

    /// Gives the file `draft` the name `name`, in one way of those that are tried one after another.
    package typealias Way = @Sendable (_ name: String, _ draft: String) -> Outcome

    /// A second name where the disk knows such, else another name, else another file.
    package static let ways: [Way] = [link, rename, copy]

    /// Gives the file `draft` the name `name`.
    package static func give(_ name: String, to draft: String, by ways: [Way] = ways) -> Outcome {
        var outcome = Outcome.refused(EOPNOTSUPP)
        for way in ways {
            outcome = way(name, draft)
            guard case .refused(let cause) = outcome, isUnknown(cause) else { return outcome }
        }
        return outcome
    }

    /// Whether a reason is that of a disk that knows no such thing.
    static func isUnknown(_ cause: CInt) -> Bool { [EPERM, EOPNOTSUPP, ENOSYS, EINVAL].contains(cause) }

    package static let link: Way = { name, draft in
        if Foundation.link(draft, name) == 0 { return .given }
        let cause = errno
        // On a network the answer to what was carried out may be lost, and the second request refused (open(2)).
        if names(of: draft) == 2 { return .given }
        return cause == EEXIST ? .taken : .refused(cause)
    }

    /// FAT and exFAT, Windows' and Apple's shares, and others that know one name for a file.
    package static let rename: Way = { name, draft in
        guard let renameat2 else { return .refused(ENOSYS) }
        if renameat2(AT_FDCWD, draft, AT_FDCWD, name, 1) == 0 { return .given }
        return errno == EEXIST ? .taken : .refused(errno)
    }

    /// The name may be seen before its content, by a moment.
    package static let copy: Way = { name, draft in
        guard let content = FileManager.default.contents(atPath: draft) else { return .refused(EIO) }
        let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return errno == EEXIST ? .taken : .refused(errno) }
        let bytes = [UInt8](content)
        let isWritten = write(descriptor, bytes, bytes.count) == bytes.count
        let cause = errno
        fchmod(descriptor, 0o644)
        close(descriptor)
        if isWritten { return .given }
        unlink(name)
        return .refused(cause)
    }

    private typealias Path = UnsafePointer<CChar>
    private typealias RenameAt2 = @convention(c) (CInt, Path, CInt, Path, CUnsignedInt) -> CInt

    /// rename(2) that can be told to replace nothing (RENAME_NOREPLACE, 1), which Swift does not show.
    private static let renameat2: RenameAt2? = dlsym(nil, "renameat2").map { unsafeBitCast($0, to: RenameAt2.self) }

    /// How many names a file has.
    private static func names(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_nlink) : 0
    }
}
