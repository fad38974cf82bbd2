import Foundation
import Kernels
public import Signals
import Simulation

/// What determines a simulated Arctop stream server.
public struct ArctopSimulation: Hashable, Sendable {
    /// The key it wants.
    public var key = "marey"
    /// The range of its metrics.
    public var scale = ArctopScale.hundred
    /// The metrics it sends, by key.
    public var metrics = ["focus", "enjoyment", "zone_state", "heart_rate", "avg_motion"]
    /// Values per second of each metric.
    public var rate = 4.0
    /// Seconds of the session; then it is complete.
    public var duration: Seconds = 600
    /// What its clock shows at the simulator's start.
    public var start = Timestamp(secondsSince1970: 1_700_000_000)
    /// Where all randomness comes from.
    public var seed: UInt64 = 1
    /// Stretches in which the headband is off: quality fails, metrics are −1, every tenth NaN.
    public var offHead: [Range<Seconds>] = []
    /// Stretches in which the phone has lost the headband: nothing is sent.
    public var lost: [Range<Seconds>] = []
    /// When an error is told; nil: never.
    public var failsAt: Seconds?

    /// A session of ten minutes, undisturbed.
    public init() {}
}

/// An Arctop stream server: wants a key, tells the headband's connection and quality, sends metrics, ends.
public struct ArctopSimulator: DeviceSimulator {
    private let simulation: ArctopSimulation
    private var random: RandomSource
    private var frames = ArctopFrames()
    private var isConnected = false
    private var isAuthorized = false
    private var ticks = 0
    private var levels: [Double]
    private var state = ConnectionState.unknown
    private var quality = HeadbandQuality?.none
    private var hasFailed = false
    private var isOver = false
    private var counts: [String: Int] = [:]

    /// The server of `simulation`, nobody connected.
    public init(_ simulation: ArctopSimulation = ArctopSimulation()) {
        self.simulation = simulation
        random = RandomSource(seed: simulation.seed, "arctop")
        levels = simulation.metrics.map { _ in 0.5 }
    }

    /// When it next sends values; nil after the session.
    public var due: Seconds? { isOver ? nil : Double(ticks + 1) / simulation.rate }

    /// A client connected; it must show its key.
    public mutating func connect(at moment: Seconds, into actions: inout [SimulatorAction]) {
        isConnected = true
        isAuthorized = false
        frames.reset()
        (state, quality) = (.unknown, nil)
    }

    /// The client is gone.
    public mutating func disconnect(at moment: Seconds) {
        isConnected = false
        isAuthorized = false
    }

    /// Frames of the client.
    public mutating func receive(
        _ bytes: [UInt8], at endpoint: Endpoint, at moment: Seconds, into actions: inout [SimulatorAction]
    ) {
        for frame in frames.append(bytes) {
            guard let fields = try? JSONDecoder().decode([String: String].self, from: Data(frame)),
                fields["command"] == "auth"
            else { continue }
            isAuthorized = fields["apiKey"] == simulation.key
            send(isAuthorized ? "{\"command\":\"auth-success\"}" : "{\"command\":\"auth-failed\"}", &actions)
            if !isAuthorized { actions.append(.close) }
        }
    }

    /// Sends everything due up to `moment`.
    public mutating func advance(to moment: Seconds, into actions: inout [SimulatorAction]) {
        while let due, due <= moment {
            ticks += 1
            tick(due, &actions)
        }
    }

    private mutating func tick(_ moment: Seconds, _ actions: inout [SimulatorAction]) {
        if moment > simulation.duration {
            isOver = true
            guard isAuthorized else { return }
            send("{\"command\":\"sessionComplete\"}", &actions)
            return actions.append(.close)
        }
        let time = Int(((simulation.start.secondsSince1970 + moment) * 1_000).rounded())
        let isLost = simulation.lost.contains { $0.contains(moment) }
        follow(isLost ? .disconnected : .connected, time, &actions)
        if let fails = simulation.failsAt, fails <= moment, !hasFailed {
            hasFailed = true
            send(
                "{\"command\":\"error\",\"timestamp\":\(time),\"errorCode\":-10,\"message\":\"server error\"}", &actions
            )
        }
        let isOff = simulation.offHead.contains { $0.contains(moment) }
        let judged: HeadbandQuality = isOff ? .headbandOffHead : .passed
        if judged != quality, isAuthorized {
            quality = judged
            let passed = judged == .passed
            send(
                "{\"command\":\"qa\",\"passed\":\(passed),\"type\":\(judged.rawValue),\"timestamp\":\(time)}", &actions)
        }
        for index in levels.indices where !isLost { sendValue(index, isOff, moment, time, &actions) }
    }

    private mutating func follow(_ now: ConnectionState, _ time: Int, _ actions: inout [SimulatorAction]) {
        guard isAuthorized, now != state else { return }
        send(
            "{\"command\":\"connection\",\"timestamp\":\(time),\"previous\":\(state.rawValue),\"current\":\(now.rawValue)}",
            &actions)
        state = now
    }

    private mutating func sendValue(
        _ index: Int, _ isOff: Bool, _ moment: Seconds, _ time: Int, _ actions: inout [SimulatorAction]
    ) {
        let key = simulation.metrics[index]
        let metric = ArctopMetric(key: key)
        // A walk that is drawn back to the middle.
        levels[index] += 0.05 * random.gaussian() + 0.02 * (0.5 - levels[index])
        levels[index] = min(1, max(0, levels[index]))
        var sent = metric.isScaled ? levels[index] * simulation.scale.rawValue : levels[index]
        if metric.kind == .heartRate { sent = min(ArctopMetric.heartRateCap, 60 + 80 * levels[index]) }
        sent = (sent * 10_000).rounded() / 10_000
        if isOff { sent = ticks % 10 == 0 ? .nan : -1 }
        let count = counts[metric.name, default: 0]
        counts[metric.name] = count + 1
        let value = metric.value(sent, scale: simulation.scale)
        actions.append(
            .measured(
                MeasuredSamples(stream: metric.name, index: count, time: moment, block: SampleBlock([Float(value)]))))
        guard isAuthorized else { return }
        let text = sent.isNaN ? "NaN" : "\(sent)"
        send(
            "{\"command\":\"valueChange\",\"timestamp\":\(time),\"key\":\(ArctopFrames.quoted(key)),\"value\":\(text)}",
            &actions)
    }

    private func send(_ text: String, _ actions: inout [SimulatorAction]) {
        guard isConnected, let frame = ArctopFrames.frame(text) else { return }
        actions.append(.send(frame, from: .stream))
    }
}
