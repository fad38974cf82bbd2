import Foundation

/// Opens a serial port: 8 data bits, no parity, one stop bit, raw, no flow control, for this program alone.
public struct SerialConnector: Connector {
    /// The port's device file, such as `/dev/ttyUSB0`.
    public let path: String
    /// Symbols per second.
    public let baudRate: Int
    private let clock: any HostClock

    /// A way to the port at `path`.
    public init(path: String, baudRate: Int, clock: any HostClock = SystemClock()) {
        self.path = path
        self.baudRate = baudRate
        self.clock = clock
    }

    /// The device file.
    public var place: String { path }

    /// Rates a port can be opened with.
    public static var baudRates: [Int] { speeds.keys.sorted() }

    /// Opens the port. A port that hangs up, as one that is unplugged does, ends with `LinkError.lost`.
    /// - Throws: `LinkError`.
    public func connect() async throws -> any Link {
        guard let speed = Self.speeds[baudRate] else {
            let rates = Self.baudRates.map(String.init).joined(separator: ", ")
            throw LinkError.unavailable("\(baudRate) baud is no rate of serial ports; there are \(rates).")
        }
        let descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.cannotOpen(path, errno) }
        do {
            guard !OwnTerminal.isBehind(descriptor) else {
                throw LinkError.unavailable(
                    "\(path) is the terminal that this program was started from: name the port of the device, such as "
                        + "/dev/ttyUSB0.")
            }
            let before = try Self.prepare(descriptor, path, speed)
            return DescriptorLink(
                descriptor, isSocket: false, place: path, clock: clock,
                loss: .lost("\(path) hung up: was the device unplugged or switched off?")
            ) {
                var before = before
                tcsetattr(descriptor, TCSANOW, &before)
                flock(descriptor, LOCK_UN)
            }
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    private static func cannotOpen(_ path: String, _ code: CInt) -> LinkError {
        let reason = String(cString: strerror(code))
        switch code {
        case EACCES:
            return .unavailable(
                "\(path) may not be opened: \(reason). Add yourself to the group that owns it (dialout).")
        case ENOENT, ENXIO, ENODEV: return .unreachable("There is no serial port \(path): \(reason). Is it plugged in?")
        default: return .unreachable("\(path) cannot be opened: \(reason).")
        }
    }

    /// Locks the port and sets its mode; returns the mode it had.
    private static func prepare(_ descriptor: CInt, _ path: String, _ speed: speed_t) throws -> termios {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw LinkError.refused("Another program uses \(path).")
        }
        var mode = termios()
        guard tcgetattr(descriptor, &mode) == 0 else {
            throw LinkError.refused("\(path) is no serial port: \(systemError()).")
        }
        let before = mode
        _ = ioctl(descriptor, UInt(TIOCEXCL))
        cfmakeraw(&mode)
        mode.c_cflag &= ~(tcflag_t(CSTOPB) | tcflag_t(PARENB) | tcflag_t(CRTSCTS))
        mode.c_cflag |= tcflag_t(CLOCAL | CREAD | CS8)
        mode.c_iflag &= ~tcflag_t(IXON | IXOFF | IXANY)
        withUnsafeMutableBytes(of: &mode.c_cc) { controls in
            controls[Int(VMIN)] = 1
            controls[Int(VTIME)] = 0
        }
        cfsetispeed(&mode, speed)
        cfsetospeed(&mode, speed)
        guard tcsetattr(descriptor, TCSANOW, &mode) == 0 else {
            throw LinkError.refused("\(path) cannot be set to its rate: \(systemError()).")
        }
        // What came before the port was opened belongs to nobody.
        tcflush(descriptor, TCIOFLUSH)
        return before
    }

    private static let speeds: [Int: speed_t] = [
        9_600: speed_t(B9600), 19_200: speed_t(B19200), 38_400: speed_t(B38400), 57_600: speed_t(B57600),
        115_200: speed_t(B115200), 230_400: speed_t(B230400), 460_800: speed_t(B460800), 500_000: speed_t(B500000),
        921_600: speed_t(B921600), 1_000_000: speed_t(B1000000), 1_500_000: speed_t(B1500000),
        2_000_000: speed_t(B2000000), 3_000_000: speed_t(B3000000), 4_000_000: speed_t(B4000000),
    ]
}
