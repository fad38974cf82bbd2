import Foundation
import Testing

/// A device that is said to be at the terminal where somebody works.
struct OwnTerminalTests {
    @Test("the terminal that the program was started from is no port, by whatever name", arguments: [true, false])
    func refused(byItsName: Bool) throws {
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        defer { close(terminal) }
        // TIOCSPTLCK and TIOCGPTN: the other end is unlocked, and called by its number.
        var (lock, number): (CInt, CInt) = (0, 0)
        let isOpen = ioctl(terminal, 0x4004_5431, &lock) == 0 && ioctl(terminal, 0x8004_5430, &number) == 0
        try #require(isOpen)
        let place = "/dev/pts/\(number)"
        let end = open(place, O_RDWR | O_NOCTTY)
        try #require(end >= 0, "there is no terminal")
        defer { close(end) }
        let process = Process()
        let messages = Pipe()
        process.executableURL = Program.url
        process.arguments = [
            "devices", "probe", "methodscript@" + (byItsName ? place : "/dev/fd/0"), "--duration", "2",
        ]
        process.standardInput = FileHandle(fileDescriptor: end)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = messages
        try process.run()
        let told = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(
            process.terminationStatus == 3 && told.contains("the terminal that this program was started from"),
            "\(told)")
    }
}
