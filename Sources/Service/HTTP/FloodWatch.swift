import Foundation
import Glibc

/// Ends connections that send without end and wait for no answer: the server below reads a request's head, however long
/// it is, into memory. Once a second is enough, since what a connection can bring in a second is bounded by its buffers.
struct FloodWatch {
    /// The most bytes a connection may send before it takes an answer.
    let most: UInt64
    private var marks: [CInt: (acknowledged: UInt64, received: UInt64)] = [:]

    init(most: Int) {
        self.most = UInt64(max(0, most))
    }

    /// Whether a connection has sent too much since it last took something.
    mutating func isTooMuch(_ descriptor: CInt, received: UInt64, acknowledged: UInt64) -> Bool {
        // A descriptor that is used again begins anew: its connection has received less.
        if let mark = marks[descriptor], mark.acknowledged == acknowledged, mark.received <= received {
            return received - mark.received > most
        }
        let isNew = marks[descriptor] == nil
        marks[descriptor] = (acknowledged, isNew && acknowledged == 0 ? 0 : received)
        return isNew && acknowledged == 0 && received > most
    }

    /// Looks at all connections of a port and breaks those that send too much.
    mutating func sweep(port: UInt16) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let open = names.compactMap { CInt($0) }
        marks = marks.filter { open.contains($0.key) }
        for descriptor in open where Self.port(of: descriptor) == port {
            guard let (received, acknowledged) = Self.counts(of: descriptor) else { continue }
            if isTooMuch(descriptor, received: received, acknowledged: acknowledged) {
                Self.cut(descriptor)
            }
        }
    }

    /// Ends a connection, and what it sent and nobody has read yet: it would still be read, at the pace of the server
    /// below, which takes the longer for each byte the longer the line is.
    private static func cut(_ descriptor: CInt) {
        shutdown(descriptor, CInt(SHUT_RDWR))
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while recv(descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT)) > 0 {}
    }

    /// The local port of a socket; nil for what is none.
    private static func port(of descriptor: CInt) -> UInt16? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let found = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard found == 0 else { return nil }
        return withUnsafeBytes(of: &address) { bytes in
            switch CInt(bytes.load(as: sa_family_t.self)) {
            // The port follows the family in both.
            case AF_INET, AF_INET6: UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
            default: nil
            }
        }
    }

    /// Bytes received, and bytes sent that the other side has acknowledged; nil where the system does not say.
    private static func counts(of descriptor: CInt) -> (received: UInt64, acknowledged: UInt64)? {
        // `struct tcp_info` of the kernel goes on after what the C library knows of it: tcpi_bytes_acked at 120 and
        // tcpi_bytes_received at 128 (linux/tcp.h).
        var bytes = [UInt8](repeating: 0, count: 256)
        var length = socklen_t(bytes.count)
        guard getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_INFO, &bytes, &length) == 0, length >= 136 else {
            return nil
        }
        return bytes.withUnsafeBytes { raw in
            (
                raw.loadUnaligned(fromByteOffset: 128, as: UInt64.self),
                raw.loadUnaligned(fromByteOffset: 120, as: UInt64.self)
            )
        }
    }
}
