import Foundation

/// A connection to a message bus that says nothing: it ends with the daemon.
struct BusSocket {
    private let descriptor: Int32

    struct Refused: Error {}

    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8) + [0]) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Refused() }
    }

    /// Waits for the end.
    /// - Returns: true when it came.
    func readToEnd() -> Bool {
        defer { close(descriptor) }
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count <= 0 { return count == 0 || errno == ECONNRESET }
        }
    }
}
