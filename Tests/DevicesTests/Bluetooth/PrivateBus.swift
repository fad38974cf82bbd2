import Foundation

/// A message bus of the test's own: a real dbus-daemon on a socket nobody else knows.
final class PrivateBus {
    let address: String
    private let daemon: Process
    private var children: [Process] = []

    /// Whether this machine has dbus-daemon.
    static let isPresent = FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon")

    /// Whether python-dbusmock can be run.
    static let hasMock: Bool = {
        guard isPresent, FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else { return false }
        let probe = Process()
        probe.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        probe.arguments = ["-c", "import dbusmock"]
        probe.standardError = FileHandle.nullDevice
        guard (try? probe.run()) != nil else { return false }
        probe.waitUntilExit()
        return probe.terminationStatus == 0
    }()

    init() throws {
        let output = Pipe()
        daemon = Process()
        daemon.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
        daemon.arguments = ["--session", "--nofork", "--print-address"]
        daemon.standardOutput = output
        daemon.standardError = FileHandle.nullDevice
        try daemon.run()
        address = Self.line(from: output.fileHandleForReading)
    }

    /// Starts python-dbusmock's BlueZ on this bus.
    func startMockedBlueZ() throws {
        let mock = Process()
        mock.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        mock.arguments = ["-m", "dbusmock", "--system", "--template", "bluez5"]
        mock.environment = ["DBUS_SYSTEM_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin"]
        mock.standardOutput = FileHandle.nullDevice
        mock.standardError = FileHandle.nullDevice
        try mock.run()
        children.append(mock)
    }

    deinit {
        for child in children { child.terminate() }
        daemon.terminate()
    }

    private static func line(from handle: FileHandle) -> String {
        var text: [UInt8] = []
        while let byte = try? handle.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { text.append(byte) }
        return String(decoding: text, as: UTF8.self)
    }
}
