import Foundation
import Glibc
import Service
import Testing

/// A client that sends whatever bytes it likes. It waits, so it works on a thread of its own.
struct RawClient: Sendable {
    private let descriptor: CInt

    /// Connects to an address such as `http://127.0.0.1:40000`.
    init(_ address: String) throws {
        let port = address.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        place.sin_addr.s_addr = inet_addr("127.0.0.1")
        let outcome = withUnsafePointer(to: &place) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard outcome == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    /// Sends bytes.
    /// - Returns: how many were taken.
    @discardableResult
    func send(_ bytes: some Sequence<UInt8>) async -> Int {
        let bytes = Array(bytes)
        return await Self.apart {
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                }
                guard count > 0 else { break }
                sent += count
            }
            return sent
        }
    }

    /// What comes until the other side ends, or `enough` is in it.
    func answer(until enough: String? = nil) async -> String {
        await Self.apart {
            var (all, piece) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
            while true {
                let count = recv(descriptor, &piece, piece.count, 0)
                guard count > 0 else { break }
                all += piece[..<count]
                if let enough, String(decoding: all, as: UTF8.self).contains(enough) { break }
            }
            return String(decoding: all, as: UTF8.self)
        }
    }

    func close() { _ = Glibc.close(descriptor) }

    private static func apart<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { waiting in
            Thread { waiting.resume(returning: work()) }.start()
        }
    }
}

/// A client of the ECG relay's WebSocket.
extension RawClient {
    /// A client whose handshake was agreed to.
    static func relay(_ address: String, _ key: AccessToken) async throws -> RawClient {
        let client = try RawClient(address)
        await client.send(
            """
            GET /api/relay/socket HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nHost: here\r
            Authorization: Bearer \(key.text)\r\nSec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
            """.utf8)
        #expect(await client.answer(until: "\r\n\r\n").hasPrefix("HTTP/1.1 101"))
        return client
    }

    /// A text of up to 125 bytes as a client's frame, masked with zeros.
    static func frame(_ text: String) -> [UInt8] {
        [0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8)
    }
}

extension RawClient {
    /// Sends a text to an address and tells what comes until the connection ends.
    static func exchange(_ address: String, _ text: String) async throws -> String {
        let client = try RawClient(address)
        defer { client.close() }
        await client.send(text.utf8)
        return await client.answer()
    }
}

extension ServiceLimits {
    /// The usual limits but for what `change` does to them.
    static func changed(_ change: (inout ServiceLimits) -> Void) -> ServiceLimits {
        var limits = ServiceLimits()
        change(&limits)
        return limits
    }
}
