import Kernels
public import Signals
import Simulation

/// A simulated device behind a bad connection: loses, doubles, reorders, delays and holds back what it sends, adds
/// garbage, and breaks the connection, at stated moments or at random from a seed.
///
/// Messages are notifications and answers, or the pieces in which a device sends its byte stream. The same seed and the
/// same moments give the same faults.
public struct FaultInjector<Base: DeviceSimulator>: DeviceSimulator {
    /// The device itself.
    public private(set) var base: Base
    /// What goes wrong.
    public let faults: LinkFaults
    private var random: RandomSource
    private var queue: [Message] = []
    private var order = 0
    /// Nothing that keeps its place may arrive earlier than this.
    private var lastArrival: Seconds = 0
    /// The delay of what was sent last, and when that was: what is sent together travels together.
    private var lastDelay: (sent: Seconds, delay: Seconds) = (-.infinity, 0)
    private var breaks: [Seconds]
    private var nextRandomBreak: Seconds = .infinity
    private var isConnected = false
    private var moment: Seconds = 0

    private struct Message: Sendable {
        var arrival: Seconds
        var order: Int
        var action: SimulatorAction
    }

    /// `base` behind a connection with these faults.
    public init(_ base: Base, _ faults: LinkFaults) {
        self.base = base
        self.faults = faults
        random = RandomSource(seed: faults.seed, "link faults")
        breaks = faults.disconnects.sorted()
    }

    /// As the device does.
    public var servesSeveral: Bool { base.servesSeveral }

    /// What the device offers.
    public var profile: GattProfile? { base.profile }

    /// When something is sent, arrives or breaks next.
    public var due: Seconds? {
        let events = [base.due, queue.first?.arrival, isConnected ? nextBreak : nil].compactMap { $0 }
        return events.min()
    }

    private var nextBreak: Seconds? {
        let next = Swift.min(breaks.first ?? .infinity, nextRandomBreak)
        return next.isFinite ? next : nil
    }

    /// Someone connected.
    public mutating func connect(at moment: Seconds, into actions: inout [SimulatorAction]) {
        isConnected = true
        // Breaks planned for a time without connection happen to none.
        breaks.removeAll { $0 < moment }
        nextRandomBreak =
            faults.disconnectsPerHour > 0
            ? moment + random.exponential(mean: 3_600 / faults.disconnectsPerHour) : .infinity
        forward(at: moment, into: &actions) { $0.connect(at: moment, into: &$1) }
    }

    /// The connection is gone, with all that was on its way.
    public mutating func disconnect(at moment: Seconds) {
        isConnected = false
        queue = []
        base.disconnect(at: moment)
    }

    /// Passed on to the device.
    public mutating func participant(isLoaded load: Double) { base.participant(isLoaded: load) }

    /// Bytes for the device: they get through.
    public mutating func receive(
        _ bytes: [UInt8], at endpoint: Endpoint, at moment: Seconds, into actions: inout [SimulatorAction]
    ) {
        forward(at: moment, into: &actions) { $0.receive(bytes, at: endpoint, at: moment, into: &$1) }
    }

    /// Reads a characteristic.
    public mutating func read(
        _ characteristic: BluetoothUUID, at moment: Seconds, into actions: inout [SimulatorAction]
    ) {
        forward(at: moment, into: &actions) { $0.read(characteristic, at: moment, into: &$1) }
    }

    /// Asks for notifications.
    public mutating func subscribe(
        _ characteristic: BluetoothUUID, at moment: Seconds, into actions: inout [SimulatorAction]
    ) {
        forward(at: moment, into: &actions) { $0.subscribe(characteristic, at: moment, into: &$1) }
    }

    /// Does everything due, on both sides of the way, in the order of time.
    public mutating func advance(to end: Seconds, into actions: inout [SimulatorAction]) {
        while let next = due, next <= end {
            moment = Swift.max(moment, next)
            if isConnected, let broken = nextBreak, broken <= next {
                breakConnection(at: broken, into: &actions)
            } else if let first = queue.first, first.arrival <= next {
                deliver(queue.removeFirst().action, into: &actions)
            } else {
                forward(at: next, into: &actions) { $0.advance(to: next, into: &$1) }
            }
        }
    }

    private mutating func breakConnection(at moment: Seconds, into actions: inout [SimulatorAction]) {
        if let first = breaks.first, first <= moment { breaks.removeFirst() }
        if nextRandomBreak <= moment { nextRandomBreak = .infinity }
        disconnect(at: moment)
        actions.append(.close)
    }

    private mutating func deliver(_ action: SimulatorAction, into actions: inout [SimulatorAction]) {
        if action == .close {
            isConnected = false
            queue = []
        }
        actions.append(action)
    }

    /// Lets the device act and sends what it sends on its way.
    private mutating func forward(
        at moment: Seconds, into actions: inout [SimulatorAction],
        _ act: (inout Base, inout [SimulatorAction]) -> Void
    ) {
        self.moment = Swift.max(self.moment, moment)
        var sent: [SimulatorAction] = []
        act(&base, &sent)
        for action in sent {
            switch action {
            case .measured: actions.append(action)
            case .refuse: enqueue(action, at: moment)
            // What was sent before a Bluetooth device broke off is lost with it; a byte stream ends after its last byte.
            case .close: base.profile == nil ? enqueue(action, at: moment) : deliver(action, into: &actions)
            case .send(let bytes, let endpoint): send(bytes, endpoint, action, at: moment)
            }
        }
        while let first = queue.first, first.arrival <= moment { deliver(queue.removeFirst().action, into: &actions) }
    }

    private mutating func send(_ bytes: [UInt8], _ endpoint: Endpoint, _ action: SimulatorAction, at moment: Seconds) {
        if case .characteristic(let uuid) = endpoint, faults.spared.contains(uuid) {
            return enqueue(action, at: moment)
        }
        let isNumbered =
            if case .characteristic(let uuid) = endpoint { !faults.unnumbered.contains(uuid) } else { true }
        if isNumbered, happens(faults.garbage) {
            enqueue(.send(garbage(besides: bytes.count), from: endpoint), at: moment)
        }
        if happens(faults.loss) { return }
        guard isNumbered else { return enqueue(action, at: moment) }
        if happens(faults.reordering) {
            let late = random.uniform() * faults.reorderingDelay
            return insert(Message(arrival: moment + late, order: order, action: action))
        }
        enqueue(action, at: moment)
        if happens(faults.duplication) { enqueue(action, at: moment) }
    }

    /// Random bytes, of another length than the message has that they come before.
    private mutating func garbage(besides length: Int) -> [UInt8] {
        var count = 1 + Int(random.uniform() * 19)
        if count == length { count += 1 }
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.bits()) }
    }

    private mutating func happens(_ chance: Double) -> Bool { chance > 0 && random.uniform() < chance }

    /// Sends a message that keeps its place.
    private mutating func enqueue(_ action: SimulatorAction, at moment: Seconds) {
        var arrival = moment + faults.delay.lowerBound
        let span = faults.delay.upperBound - faults.delay.lowerBound
        if span > 0 {
            if lastDelay.sent != moment { lastDelay = (moment, span * random.uniform()) }
            arrival += lastDelay.delay
        }
        if let stall = faults.stalls.first(where: { $0.contains(arrival) }) { arrival = stall.upperBound }
        lastArrival = Swift.max(lastArrival, arrival)
        insert(Message(arrival: lastArrival, order: order, action: action))
    }

    private mutating func insert(_ message: Message) {
        var message = message
        if let stall = faults.stalls.first(where: { $0.contains(message.arrival) }) {
            message.arrival = stall.upperBound
        }
        order += 1
        let place = queue.lastIndex { ($0.arrival, $0.order) <= (message.arrival, message.order) }.map { $0 + 1 } ?? 0
        queue.insert(message, at: place)
    }
}
