import Foundation

/// Whose a file is, and who may read and write it.
struct FileRights {
    private let owner: uid_t
    private let group: gid_t
    private let mode: mode_t

    /// Those of a file.
    init(_ status: stat) {
        (owner, group, mode) = (status.st_uid, status.st_gid, status.st_mode & 0o777)
    }

    /// Gives them to an open file that is ours, as far as we may: only root gives files away, and others only to groups
    /// that they belong to.
    func give(to descriptor: CInt) {
        var mine = stat()
        guard fstat(descriptor, &mine) == 0 else { return }
        // Nothing to be changed is no reason to be refused.
        if mine.st_uid != owner { fchown(descriptor, owner, gid_t.max) }
        let hasGroup = mine.st_gid == group || fchown(descriptor, uid_t.max, group) == 0
        // What one group may, another may not, unless all may.
        let others = mode & 0o007
        fchmod(descriptor, hasGroup ? mode : mode & 0o707 | others << 3)
    }
}
