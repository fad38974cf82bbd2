import Foundation
import Kernels
public import Signals
import Simulation

/// What determines a simulated phone of the Kardia relay.
public struct RelaySimulation: Hashable, Sendable {
    /// The sketch that runs on the board.
    public var sketch = Sketch.regular
    /// Seconds between two samples: 0.05 in the sketches, about 0.06 over Bluetooth.
    public var interval: Seconds = 0.06
    /// Where all randomness comes from.
    public var seed: UInt64 = 1
    /// What the phone's clock shows at the simulator's start.
    public var start = Timestamp(secondsSince1970: 1_421_422_223)
    /// Stretches in which the phone has lost the board.
    public var lost: [Range<Seconds>] = []
    /// Every so many samples two are run together; nil: never.
    public var stacksEvery: Int?

    /// The regular sketch, undisturbed.
    public init() {}

    /// The sketches of the board.
    public enum Sketch: String, Hashable, Sendable, Codable, CaseIterable {
        /// 15 samples a beat.
        case regular
        /// 10 to 14 samples a beat.
        case arrhythmia
    }
}

/// A phone that relays a board's ECG: a client of the Kardia relay. Its bytes are text frames of a WebSocket.
public struct RelayPhoneSimulator: DeviceSimulator {
    /// What can go wrong in it.
    public static let faults: Set<DeviceFault> = [.losses]

    private let simulation: RelaySimulation
    private var random: RandomSource
    private var isJoined = false
    private var isBoardThere = true
    private var count = 0
    private var beat: ArraySlice<Double> = []
    private var pingDue: Seconds = .infinity
    private var pingInterval: Seconds = 25
    private static let wave = [4.4, 4.58, 4.35, 4.0, 7.0, 3.0, 4.3, 4.56, 4.5, 4.35]

    /// The phone of `simulation`.
    public init(_ simulation: RelaySimulation = RelaySimulation()) {
        self.simulation = simulation
        random = RandomSource(seed: simulation.seed, "board")
    }

    /// When the board next samples.
    public var due: Seconds? { Double(count + 1) * simulation.interval }

    /// Reached the relay, whose greeting is awaited.
    public mutating func connect(at moment: Seconds, into actions: inout [SimulatorAction]) {}

    /// The relay is gone.
    public mutating func disconnect(at moment: Seconds) {
        isJoined = false
        pingDue = .infinity
    }

    /// Frames of the relay.
    public mutating func receive(
        _ bytes: [UInt8], at endpoint: Endpoint, at moment: Seconds, into actions: inout [SimulatorAction]
    ) {
        guard let packet = try? EngineIOPacket(bytes) else { return }
        switch packet.kind {
        case .open:
            guard let handshake = EngineIOHandshake(json: packet.text) else { return }
            pingInterval = Double(handshake.pingInterval) / 1_000
            pingDue = moment + pingInterval
        case .message: isJoined = isJoined || (try? SocketIOPacket(packet.text))?.kind == .connect
        default: break
        }
    }

    /// Samples everything up to `moment`.
    public mutating func advance(to moment: Seconds, into actions: inout [SimulatorAction]) {
        while let due, due <= moment {
            count += 1
            if due >= pingDue {
                pingDue = due + pingInterval
                send(EngineIOPacket(.ping), &actions)
            }
            sample(at: due, &actions)
        }
    }

    private mutating func sample(at moment: Seconds, _ actions: inout [SimulatorAction]) {
        let value = nextValue()
        actions.append(
            .measured(
                MeasuredSamples(stream: "ecg", index: count - 1, time: moment, block: SampleBlock([Float(value)]))))
        let isThere = !simulation.lost.contains { $0.contains(moment) }
        if !isThere, isBoardThere { send(EngineIOPacket(.event("/BLEDisconnect")), &actions) }
        isBoardThere = isThere
        guard isThere else { return }
        var text = String(format: "%.3f", value)
        if let every = simulation.stacksEvery, every > 0, count % every == 0 { text += "4.300" }
        let time = (simulation.start + moment).description
        send(EngineIOPacket(.event("message", RelaySample(amplitude: text, time: time).json)), &actions)
    }

    private mutating func nextValue() -> Double {
        if beat.isEmpty {
            let flat = simulation.sketch == .regular ? 5 : Int(random.uniform() * 5)
            beat = (Array(repeating: 4.3, count: flat) + Self.wave)[...]
        }
        return beat.removeFirst()
    }

    private func send(_ packet: EngineIOPacket, _ actions: inout [SimulatorAction]) {
        if isJoined { actions.append(.send(Array(packet.encoded.utf8), from: .stream)) }
    }
}
