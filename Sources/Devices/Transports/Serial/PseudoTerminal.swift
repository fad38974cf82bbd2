import Foundation

/// A pair of terminals: what is written to one is read from the other. Programs open the named one as a serial port.
public final class PseudoTerminal: Sendable {
    /// The device file of the end that stands for a serial port.
    public let path: String
    private let master: CInt
    /// Held open, so that clients may come and go.
    private let slave: CInt
    /// `TIOCSPTLCK` and `TIOCGPTN` of Linux, whose macros Swift does not see.
    private static let unlock: UInt = 0x4004_5431
    private static let number: UInt = 0x8004_5430

    /// A new pair.
    /// - Throws: `LinkError.unavailable` when the system has none.
    public init() throws {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: CInt = 0
        var number: CUnsignedInt = 0
        guard master >= 0, ioctl(master, Self.unlock, &isLocked) == 0, ioctl(master, Self.number, &number) == 0
        else {
            let reason = systemError()
            if master >= 0 { Glibc.close(master) }
            throw LinkError.unavailable("No pseudo terminal can be made: \(reason).")
        }
        path = "/dev/pts/\(number)"
        slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        self.master = master
        guard slave >= 0 else { throw LinkError.unavailable("\(path) cannot be opened: \(systemError()).") }
        var mode = termios()
        tcgetattr(slave, &mode)
        cfmakeraw(&mode)
        tcsetattr(slave, TCSANOW, &mode)
    }

    deinit {
        Glibc.close(master)
        Glibc.close(slave)
    }

    /// The end of the device. Closing it unplugs the port.
    /// - Throws: `LinkError.unavailable`.
    func deviceLink(clock: any HostClock) throws -> DescriptorLink {
        let descriptor = fcntl(master, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw LinkError.unavailable("\(path): \(systemError()).") }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        return DescriptorLink(descriptor, isSocket: false, place: path, clock: clock)
    }
}
