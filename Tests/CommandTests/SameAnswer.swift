import Foundation
import Glibc
import Synchronization

/// A server on this machine that gives the same answer to whatever comes, and keeps what came.
final class SameAnswer: Sendable {
    /// Where it listens, at 127.0.0.1.
    let port: UInt16
    private let listener: CInt
    private let came = Mutex<[String]>([])

    init(_ answer: String) throws {
        listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isBound = withUnsafeMutablePointer(to: &place) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: place.sin_port)
        Thread.detachNewThread { [self] in serve(answer) }
    }

    /// The requests that came, without their bodies.
    var requests: [String] { came.withLock { $0 } }

    func stop() {
        shutdown(listener, CInt(SHUT_RDWR))
        close(listener)
    }

    private func serve(_ answer: String) {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            var (request, piece) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
            while !String(decoding: request, as: UTF8.self).contains("\r\n\r\n") {
                let count = recv(client, &piece, piece.count, 0)
                guard count > 0 else { break }
                request += piece[..<count]
            }
            came.withLock { $0.append(String(decoding: request, as: UTF8.self)) }
            let bytes = Array(answer.utf8)
            send(client, bytes, bytes.count, CInt(MSG_NOSIGNAL))
            close(client)
        }
    }
}
