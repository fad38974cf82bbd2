public import Foundation

/// A serial port of this machine.
public struct SerialPort: Hashable, Sendable {
    /// Its device file, such as `/dev/ttyUSB0`.
    public var path: String
    /// What the USB device behind it calls itself; empty when it does not say.
    public var product: String
    /// Who made that device.
    public var manufacturer: String
    /// Its serial number.
    public var serialNumber: String

    /// A port at `path`.
    public init(path: String, product: String = "", manufacturer: String = "", serialNumber: String = "") {
        self.path = path
        self.product = product
        self.manufacturer = manufacturer
        self.serialNumber = serialNumber
    }

    /// Whether a path is that of a port with a plug or a radio behind it, as the system names those, or the link to one below
    /// `/dev/serial/by-id`: no terminal that somebody works at, nor what leads to one. It need not be plugged in.
    public static func isPort(_ path: String) -> Bool {
        let device = /\/dev\/(?:ttyUSB|ttyACM|ttyAMA|ttyS|rfcomm)[0-9]+/
        let isLink = path.wholeMatch(of: /\/dev\/serial\/by-id\/[^\/]+/) != nil && !path.hasSuffix("/..")
        guard isLink || path.wholeMatch(of: device) != nil else { return false }
        guard let end = realpath(path, nil) else { return !isLink }
        defer { free(end) }
        let real = String(cString: end)
        return isLink ? real.wholeMatch(of: device) != nil : real == path
    }

    /// The USB serial ports that are plugged in, by name. Built-in ports (`ttyS`) exist on machines without any
    /// plug and are left out.
    public static func all() -> [SerialPort] {
        all(devices: URL(fileURLWithPath: "/dev"), classes: URL(fileURLWithPath: "/sys/class/tty"))
    }

    /// The ports in a folder of device files, described by a folder as `/sys/class/tty` is.
    public static func all(devices: URL, classes: URL) -> [SerialPort] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: devices.path)) ?? []
        let ports = names.filter { name in ["ttyUSB", "ttyACM", "rfcomm"].contains { name.hasPrefix($0) } }
        return ports.sorted { $0.compare($1, options: .numeric) == .orderedAscending }.map { name in
            let device = classes.appendingPathComponent(name).appendingPathComponent("device").resolvingSymlinksInPath()
            var port = SerialPort(path: devices.appendingPathComponent(name).path)
            // The USB device is the interface's parent, or the parent of that for adapters with a port of their own.
            var folder = device
            for _ in 0..<4 where port.product.isEmpty {
                port.product = text(folder, "product")
                port.manufacturer = text(folder, "manufacturer")
                port.serialNumber = text(folder, "serial")
                folder = folder.deletingLastPathComponent()
            }
            return port
        }
    }

    private static func text(_ folder: URL, _ name: String) -> String {
        let file = folder.appendingPathComponent(name)
        guard let content = try? String(contentsOf: file, encoding: .utf8) else { return "" }
        return String(content.prefix { !$0.isNewline }.prefix(128))
    }
}
