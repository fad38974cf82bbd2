import Foundation

/// Waits for TCP clients.
public final class TCPListener: Sendable {
    /// The port it listens at.
    public let port: UInt16
    private let descriptor: CInt
    private let closing = Interrupt()
    private let clock: any HostClock

    /// Listens at `port` of `host`; port 0 takes a free one.
    /// - Throws: `LinkError.unavailable` when that is not possible.
    public init(host: String = "127.0.0.1", port: UInt16 = 0, clock: any HostClock = SystemClock()) throws {
        self.clock = clock
        let place = "\(host):\(port)"
        let addresses = try TCPSocket.addresses(host: host, port: port, place: place, isPassive: true)
        guard let address = addresses.first else { throw LinkError.unavailable("\(place) is no address to listen at.") }
        let descriptor = socket(
            address.family,
            CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        TCPSocket.set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        let bound = address.bytes.withUnsafeBytes { raw -> CInt in
            guard let base = raw.bindMemory(to: sockaddr.self).baseAddress else { return -1 }
            return bind(descriptor, base, socklen_t(raw.count))
        }
        guard descriptor >= 0, bound == 0, listen(descriptor, 16) == 0 else {
            let reason = systemError()
            if descriptor >= 0 { Glibc.close(descriptor) }
            throw LinkError.unavailable("Cannot listen at \(place): \(reason). Does another program use the port?")
        }
        self.descriptor = descriptor
        self.port = Self.port(of: descriptor)
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// The next client.
    /// - Throws: `CancellationError` when the task is cancelled or the listener closed; `LinkError`.
    public func accept() async throws -> any Link { try await acceptLink() }

    func acceptLink() async throws -> DescriptorLink {
        let (descriptor, closing) = (descriptor, closing)
        let client = try await onThread { interrupt in try Self.accept(descriptor, interrupt, closing) }
        TCPSocket.prepare(client)
        return DescriptorLink(client, isSocket: true, place: "client of port \(port)", clock: clock)
    }

    /// Ends waiting for clients.
    public func close() { closing.fire() }

    private static func accept(_ descriptor: CInt, _ interrupt: Interrupt, _ closing: Interrupt) throws -> CInt {
        while true {
            var descriptors = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: interrupt.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: closing.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&descriptors, 3, -1)
            if descriptors[1].revents != 0 || descriptors[2].revents != 0 { throw CancellationError() }
            let client = Glibc.accept(descriptor, nil, nil)
            if client >= 0 {
                prepareDescriptor(client)
                return client
            }
            // The client may be gone again.
            guard [EAGAIN, EINTR, ECONNABORTED].contains(errno) else {
                throw LinkError.unavailable("Cannot take clients: \(systemError()).")
            }
        }
    }

    private static func port(of descriptor: CInt) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { raw in
            guard let base = raw.bindMemory(to: sockaddr.self).baseAddress, getsockname(descriptor, base, &length) == 0
            else { return 0 }
            // The port is at the same place in addresses of both families.
            return UInt16(raw[2]) << 8 | UInt16(raw[3])
        }
    }
}
