/// Serves a simulated device on a byte stream: its bytes go out as it makes them, in order.
public struct StreamSimulatorHost: Sendable {
    /// Where clients find it: `127.0.0.1:28000`, or a device file.
    public let place: String
    private let runner: SimulatorRunner
    private let way: Way

    private enum Way: Sendable {
        case tcp(TCPListener)
        case terminal(PseudoPort, any HostClock)
    }

    /// A TCP server at `port` of `host`; port 0 takes a free one. One client at a time, others wait, unless the device
    /// serves several.
    /// - Throws: `LinkError.unavailable` when it cannot listen there.
    public init(tcp runner: SimulatorRunner, host: String = "127.0.0.1", port: UInt16 = 0) throws {
        self.runner = runner
        let listener = try TCPListener(host: host, port: port)
        way = .tcp(listener)
        place = "\(host):\(listener.port)"
    }

    /// A serial port: `place` leads to a pseudo terminal. As with a real one the device does not notice who opens it;
    /// when the device breaks the connection, the port is unplugged and plugged in again.
    /// - Throws: `LinkError.unavailable` when the system has none.
    public init(terminal runner: SimulatorRunner, clock: any HostClock = SystemClock()) throws {
        self.runner = runner
        let port = try PseudoPort()
        way = .terminal(port, clock)
        place = port.path
    }

    /// The port clients connect to; nil for a terminal.
    public var port: UInt16? {
        if case .tcp(let listener) = way { listener.port } else { nil }
    }

    /// Runs the device and serves its clients until the task is cancelled.
    /// - Throws: `LinkError`.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await runner.run() }
            group.addTask { try await serve() }
            defer { group.cancelAll() }
            do {
                try await group.next()
            } catch is CancellationError {
                // The end asked for.
            }
        }
    }

    private func serve() async throws {
        switch way {
        case .tcp(let listener):
            guard await runner.servesSeveral else {
                while !Task.isCancelled { await serve(try await listener.acceptLink(), by: runner) }
                return
            }
            try await withThrowingDiscardingTaskGroup { group in
                while !Task.isCancelled {
                    let link = try await listener.acceptLink()
                    let isFirst = await runner.reserve()
                    group.addTask {
                        if isFirst {
                            await serve(link, by: runner)
                        } else {
                            await serveAsWell(link)
                        }
                    }
                }
            }
        case .terminal(let port, let clock):
            while !Task.isCancelled {
                await serve(try port.deviceLink(clock: clock), by: runner)
                try port.replug()
            }
        }
    }

    /// Serves one more client than the first.
    private func serveAsWell(_ link: DescriptorLink) async {
        let twin = await runner.twin()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await twin.run() }
            await serve(link, by: twin)
            group.cancelAll()
        }
    }

    private func serve(_ link: DescriptorLink, by runner: SimulatorRunner) async {
        await runner.attach { actions in
            for action in actions {
                switch action {
                case .send(let bytes, _):
                    // A client that stopped reading is cut off, as a server does.
                    if !link.enqueue(bytes) { link.finish() }
                case .close: link.finish()
                case .refuse, .measured: break
                }
            }
        }
        while let event = await link.next() {
            if case .received(let bytes, let endpoint, _) = event { await runner.take(bytes, at: endpoint) }
        }
        await runner.disconnect()
        await link.close()
    }
}
