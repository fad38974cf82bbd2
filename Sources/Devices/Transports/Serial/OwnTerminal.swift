import Foundation

/// The terminal that this program was started from, which is no port of a device: what is typed would go to the device, and
/// what that sends onto the screen.
enum OwnTerminal {
    /// `/dev/tty`, which is that of whoever opens it.
    private static let anybodys: dev_t = 5 << 8

    /// Whether an open device file is that terminal, by whatever name it was opened.
    static func isBehind(_ descriptor: CInt) -> Bool {
        guard let device = device(behind: descriptor) else { return false }
        // Programs that run in the background have the terminal as well.
        return device == anybodys || device == controlling
            || (0...2).contains { (standard: CInt) in
                isatty(standard) == 1 && self.device(behind: standard) == device
            }
    }

    private static func device(behind descriptor: CInt) -> dev_t? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
        return status.st_rdev
    }

    /// The 7th field of /proc/self/stat (proc(5)); nil where there is none.
    private static var controlling: dev_t? {
        guard let data = FileManager.default.contents(atPath: "/proc/self/stat"),
            // The name in brackets may hold anything, blanks and brackets too.
            let fields = String(decoding: data, as: UTF8.self).split(separator: ")").last?.split(separator: " "),
            fields.count > 4, let number = Int32(fields[4]), number != 0
        else { return nil }
        return dev_t(UInt32(bitPattern: number))
    }
}
