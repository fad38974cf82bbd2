import Signals

/// Runs a simulated device along a clock, for whoever moves its bytes.
public actor SimulatorRunner {
    private var device: any DeviceSimulator
    private let clock: any HostClock
    private let start: Seconds
    private let measured: @Sendable (MeasuredSamples) -> Void
    private var sink: (@Sendable ([SimulatorAction]) -> Void)?
    private var sleeper: Task<Void, Never>?
    private var isTaken = false

    /// A runner of `device`, switched on now.
    /// - Parameters:
    ///   - clock: what its time follows.
    ///   - measured: told of everything it measures, whether or not it arrives.
    public init(
        _ device: any DeviceSimulator, clock: any HostClock = SystemClock(),
        measured: @escaping @Sendable (MeasuredSamples) -> Void = { _ in }
    ) {
        self.device = device
        self.clock = clock
        self.measured = measured
        start = clock.now
    }

    private init(_ device: any DeviceSimulator, clock: any HostClock, start: Seconds) {
        self.device = device
        self.clock = clock
        self.start = start
        measured = { _ in }
    }

    /// Whether several clients at a time get what the device measures.
    var servesSeveral: Bool { device.servesSeveral }

    /// Takes the device for one client until it disconnects.
    /// - Returns: whether no other had it.
    func reserve() -> Bool {
        defer { isTaken = true }
        return !isTaken
    }

    /// The same device for another client: it measures the same, which is told once alone.
    func twin() -> SimulatorRunner {
        var twin = device
        twin.disconnect(at: elapsed)
        return SimulatorRunner(twin, clock: clock, start: start)
    }

    /// What it offers over Bluetooth.
    public nonisolated func profile() async -> GattProfile? { await device.profile }

    /// Runs until the task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            var actions: [SimulatorAction] = []
            device.advance(to: elapsed, into: &actions)
            deliver(actions)
            await rest(until: device.due)
        }
    }

    /// Someone connects; from now on `sink` gets what the device sends by itself.
    /// - Returns: what it sends at once.
    public func connect(_ sink: @escaping @Sendable ([SimulatorAction]) -> Void) -> [SimulatorAction] {
        self.sink = sink
        return act { device, moment, actions in device.connect(at: moment, into: &actions) }
    }

    /// Bytes for the device.
    /// - Returns: its answer.
    public func receive(_ bytes: [UInt8], at endpoint: Endpoint) -> [SimulatorAction] {
        act { device, moment, actions in device.receive(bytes, at: endpoint, at: moment, into: &actions) }
    }

    /// Someone connects; everything the device sends from now on, answers included, goes to `sink` in order.
    public func attach(_ sink: @escaping @Sendable ([SimulatorAction]) -> Void) {
        let first = connect(sink)
        if !first.isEmpty { sink(first) }
    }

    /// Bytes for the device; its answer goes to the sink, in order with what it sends by itself.
    public func take(_ bytes: [UInt8], at endpoint: Endpoint) {
        let answer = receive(bytes, at: endpoint)
        if !answer.isEmpty { sink?(answer) }
    }

    /// A characteristic is read.
    /// - Returns: the reply.
    public func read(_ characteristic: BluetoothUUID) -> [SimulatorAction] {
        act { device, moment, actions in device.read(characteristic, at: moment, into: &actions) }
    }

    /// A characteristic's notifications are asked for.
    /// - Returns: what it sends at once.
    public func subscribe(_ characteristic: BluetoothUUID) -> [SimulatorAction] {
        act { device, moment, actions in device.subscribe(characteristic, at: moment, into: &actions) }
    }

    /// The participant's mind is loaded so much from now on, 0 at rest … 1.
    public func participant(isLoaded load: Double) {
        _ = act { device, _, _ in device.participant(isLoaded: load) }
    }

    /// The connection is gone.
    public func disconnect() {
        sink = nil
        isTaken = false
        device.disconnect(at: elapsed)
    }

    private var elapsed: Seconds { clock.now - start }

    private func act(
        _ body: (inout any DeviceSimulator, Seconds, inout [SimulatorAction]) -> Void
    ) -> [SimulatorAction] {
        let moment = elapsed
        var earlier: [SimulatorAction] = []
        device.advance(to: moment, into: &earlier)
        deliver(earlier)
        var actions: [SimulatorAction] = []
        body(&device, moment, &actions)
        sleeper?.cancel()
        return report(actions)
    }

    private func deliver(_ actions: [SimulatorAction]) {
        let rest = report(actions)
        if !rest.isEmpty { sink?(rest) }
    }

    /// Hands the truth out and returns the rest.
    private func report(_ actions: [SimulatorAction]) -> [SimulatorAction] {
        actions.filter { action in
            guard case .measured(let samples) = action else { return true }
            measured(samples)
            return false
        }
    }

    private func rest(until due: Seconds?) async {
        let moment = due.map { start + $0 } ?? .infinity
        let sleeper = Task { [clock] in
            _ = try? await clock.sleep(until: Swift.min(moment, clock.now + 3_600))
        }
        self.sleeper = sleeper
        await withTaskCancellationHandler {
            await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
    }
}
