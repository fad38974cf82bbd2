import Devices
import Foundation

/// A message bus of the test's own, and python-dbusmock's BlueZ on it.
final class MockedBus {
    private let bus: PrivateBus
    private var mock: PrivateBus.Keeper?
    var address: String { bus.address }

    /// True if python-dbusmock can be run.
    static let isPresent: Bool = {
        guard PrivateBus.isPresent, FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else {
            return false
        }
        let probe = Process()
        probe.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        probe.arguments = ["-c", "import dbusmock"]
        probe.standardError = FileHandle.nullDevice
        guard (try? probe.run()) != nil else { return false }
        probe.waitUntilExit()
        return probe.terminationStatus == 0
    }()

    init() throws { bus = try PrivateBus() }

    func start() throws {
        mock = try PrivateBus.Keeper(
            ["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "bluez5"],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "PATH": "/usr/bin:/bin"])
    }
}
