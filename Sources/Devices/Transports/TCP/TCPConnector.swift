import Foundation
public import Signals

/// Connects to a TCP server.
public struct TCPConnector: Connector {
    /// Name or address of the server.
    public let host: String
    /// Its port.
    public let port: UInt16
    /// Seconds to wait for the connection.
    public let timeout: Seconds
    private let clock: any HostClock

    /// A way to `port` of `host`.
    public init(host: String, port: UInt16, timeout: Seconds = 10, clock: any HostClock = SystemClock()) {
        self.host = host
        self.port = port
        self.timeout = timeout
        self.clock = clock
    }

    /// `host:port`.
    public var place: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Connects to the first of the server's addresses that answers.
    /// - Throws: `LinkError.unreachable`, `CancellationError`.
    public func connect() async throws -> any Link {
        let (place, timeout, clock) = (place, timeout, clock)
        let (host, port) = (host, port)
        let descriptor = try await onThread { interrupt in
            try TCPSocket.connect(host: host, port: port, place: place, timeout: timeout, interrupt)
        }
        return DescriptorLink(descriptor, isSocket: true, place: place, clock: clock)
    }
}

/// The system calls of TCP.
enum TCPSocket {
    static func connect(
        host: String, port: UInt16, place: String, timeout: Seconds, _ interrupt: Interrupt
    ) throws -> CInt {
        let addresses = try addresses(host: host, port: port, place: place)
        var problem = "no address"
        for address in addresses {
            let descriptor = socket(
                CInt(address.family),
                CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else {
                problem = systemError()
                continue
            }
            if let failure = try connect(descriptor, address, timeout: timeout, interrupt) {
                Glibc.close(descriptor)
                problem = failure
                continue
            }
            prepare(descriptor)
            return descriptor
        }
        throw LinkError.unreachable(
            "Nobody answers at \(place): \(problem). Is the server running, and the address right?")
    }

    struct Address: Sendable {
        var bytes: [UInt8]
        var family: Int32
    }

    static func addresses(host: String, port: UInt16, place: String, isPassive: Bool = false) throws -> [Address] {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        hints.ai_family = AF_UNSPEC
        if isPassive { hints.ai_flags = AI_PASSIVE }
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &first)
        guard code == 0 else {
            throw LinkError.unreachable("The name in \(place) is not known: \(String(cString: gai_strerror(code))).")
        }
        defer { freeaddrinfo(first) }
        var addresses: [Address] = []
        var entry = first
        while let info = entry?.pointee {
            if let address = info.ai_addr {
                let bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen)))
                addresses.append(Address(bytes: bytes, family: info.ai_family))
            }
            entry = info.ai_next
        }
        return addresses
    }

    /// Connects; what went wrong in words, nil when it stands.
    private static func connect(
        _ descriptor: CInt, _ address: Address, timeout: Seconds, _ interrupt: Interrupt
    ) throws -> String? {
        let result = address.bytes.withUnsafeBytes { raw -> CInt in
            guard let base = raw.bindMemory(to: sockaddr.self).baseAddress else { return -1 }
            return Glibc.connect(descriptor, base, socklen_t(raw.count))
        }
        if result == 0 { return nil }
        guard errno == EINPROGRESS else { return systemError() }
        var descriptors = [
            pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: interrupt.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = CInt(min(max(timeout, 0), 3_600) * 1_000)
        var ready = poll(&descriptors, 2, milliseconds)
        while ready < 0, errno == EINTR { ready = poll(&descriptors, 2, milliseconds) }
        if descriptors[1].revents != 0 {
            Glibc.close(descriptor)
            throw CancellationError()
        }
        guard ready > 0 else { return "no answer within \(timeout) s" }
        var code: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        return code == 0 ? nil : String(cString: strerror(code))
    }

    /// Small messages at once, and a peer that vanished is noticed within half a minute.
    static func prepare(_ descriptor: CInt) {
        set(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, 1)
        set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
        set(descriptor, CInt(IPPROTO_TCP), TCP_KEEPIDLE, 10)
        set(descriptor, CInt(IPPROTO_TCP), TCP_KEEPINTVL, 5)
        set(descriptor, CInt(IPPROTO_TCP), TCP_KEEPCNT, 3)
        set(descriptor, CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, 25_000)
    }

    static func set(_ descriptor: CInt, _ level: CInt, _ option: CInt, _ value: CInt) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
    }
}
