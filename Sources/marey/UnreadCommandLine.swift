import Foundation

/// A command line that cannot be read: Swift takes it from /proc, and where that is not mounted it seems to be empty.
/// Locks and limits of memory look there as well, so the program does not go on without.
enum UnreadCommandLine {
    /// - Throws: `Failure.nothingDone` where the command line cannot be read.
    static func refuse() throws(Failure) {
        guard CommandLine.argc == 0 else { return }
        let place = "/proc/self/cmdline"
        let descriptor = open(place, O_RDONLY)
        let reason = descriptor < 0 ? String(cString: strerror(errno)) : "it holds nothing"
        if descriptor >= 0 { close(descriptor) }
        throw Failure.nothingDone(
            "the command line cannot be read from \(place): \(reason); marey needs /proc, which "
                + "mount -t proc proc /proc gives a container or chroot")
    }
}
