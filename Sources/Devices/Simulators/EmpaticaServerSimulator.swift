import Foundation
public import Signals
public import Simulation

/// What determines a simulated E4 and its server.
public struct EmpaticaSimulation: Hashable, Sendable {
    /// The devices the server lists; the first allowed one is worn.
    public var devices = [FoundDevice(id: "9ff167", model: "Empatica_E4")]
    /// The wearer's heart.
    public var rhythm = HeartRhythmParameters()
    /// Where all randomness comes from.
    public var seed: UInt64 = 1
    /// What the server's clock shows at the simulator's start.
    public var start = Timestamp(secondsSince1970: 1_700_000_000)
    /// By how many parts per million the device samples faster than its stamps say.
    public var drift: Double = 0
    /// When the clock that stamps is set, and by how much.
    public var clockJumps: [DeviceFaults.ClockJump] = []
    /// Stretches in which the wristband is off the skin.
    public var contactLost: [Range<Seconds>] = []
    /// Seconds without inter-beat intervals at the start.
    public var settling: Seconds = 20
    /// Presses of the button.
    public var tags: [Seconds] = []
    /// Charge at the start, 0…1.
    public var battery: Double = 0.9
    /// Charge lost per hour.
    public var batteryPerHour: Double = 0.03
    /// Stretches in which the server has lost its device: what is measured then is gone.
    public var losses: [Range<Seconds>] = []
    /// Moments at which the connection to the client breaks.
    public var cuts: [Seconds] = []
    /// When the wearer turns the device off; nil: never.
    public var turnedOff: Seconds?
    /// Whether numbers have a decimal comma, as servers of some countries write them.
    public var hasDecimalComma = false
    /// The end of lines: `\r\n` as on Windows, or `\n`.
    public var lineEnd = "\r\n"
    /// Seconds between two transmissions of the device.
    public var interval: Seconds = 0.125

    /// One worn device, undisturbed.
    public init() {}
}

/// An E4 with its streaming server: the server's side of the TCP protocol, with the texts of the documentation.
public struct EmpaticaServerSimulator: DeviceSimulator {
    private let simulation: EmpaticaSimulation
    private var wearer: WristSignals
    private var lines = LineBuffer(limit: 4096)
    private var isConnected = false
    private var bound: String?
    private var subscriptions: Set<EmpaticaSubscription> = []
    private var isPaused = false
    private var transmitted = 0
    private var frames: [EmpaticaSignal: Int] = [:]
    private var beatCount = 0
    private var lastBattery: Double?
    private var tags: ArraySlice<Seconds>
    private var cuts: ArraySlice<Seconds>
    private var isLost = false
    private var isOff = false

    /// A line of the stream, with the moment it tells of.
    private struct Line {
        var moment: Seconds
        var text: String
    }

    /// The server of `simulation`, nobody connected.
    public init(_ simulation: EmpaticaSimulation = EmpaticaSimulation()) {
        self.simulation = simulation
        wearer = WristSignals(simulation.rhythm, seed: simulation.seed)
        tags = simulation.tags.sorted()[...]
        cuts = simulation.cuts.sorted()[...]
    }

    /// The server does.
    public var servesSeveral: Bool { true }

    /// When the device next transmits, by its own clock.
    public var due: Seconds? { Double(transmitted + 1) * simulation.interval / clockRate }

    private var clockRate: Double { 1 + simulation.drift * 1e-6 }

    /// A client connected; it is bound to no device yet.
    public mutating func connect(at moment: Seconds, into actions: inout [SimulatorAction]) {
        isConnected = true
        forget()
    }

    /// The client is gone.
    public mutating func disconnect(at moment: Seconds) {
        isConnected = false
        forget()
    }

    private mutating func forget() {
        bound = nil
        subscriptions = []
        isPaused = false
        lines.reset()
    }

    /// Requests of the client.
    public mutating func receive(
        _ bytes: [UInt8], at endpoint: Endpoint, at moment: Seconds, into actions: inout [SimulatorAction]
    ) {
        for line in lines.append(bytes) {
            guard case .complete(let line) = line else { continue }
            answer(String(decoding: line, as: UTF8.self), &actions)
        }
    }

    /// Transmits everything measured up to `moment`.
    public mutating func advance(to moment: Seconds, into actions: inout [SimulatorAction]) {
        while let due, due <= moment {
            transmitted += 1
            transmit(until: due, &actions)
        }
    }
}

/// The device.
extension EmpaticaServerSimulator {
    private mutating func transmit(until moment: Seconds, _ actions: inout [SimulatorAction]) {
        if let cut = cuts.first, cut <= moment {
            cuts = cuts.drop { $0 <= moment }
            forget()
            isConnected = false
            actions.append(.close)
        }
        follow(moment, &actions)
        guard !isOff else { return }
        var lines: [Line] = []
        for signal in [EmpaticaSignal.acceleration, .bvp, .eda, .temperature] {
            measure(signal, until: moment, &lines, &actions)
        }
        measureBeats(until: moment, &lines, &actions)
        while let tag = tags.first, tag <= moment {
            tags.removeFirst()
            if isHeard(.tag) { lines.append(line(.tag, tag, [])) }
        }
        let level = max(0, simulation.battery - simulation.batteryPerHour * moment / 3_600)
        let shown = (level * 100).rounded() / 100
        if isHeard(.battery), shown != lastBattery {
            lastBattery = shown
            lines.append(line(.battery, moment, [number(shown, 2)]))
        }
        // What was measured first is told first.
        send(lines.sorted { $0.moment < $1.moment }.map(\.text).joined(), &actions)
    }

    /// Tells the client when the device is lost, found again, turned off.
    private mutating func follow(_ moment: Seconds, _ actions: inout [SimulatorAction]) {
        let id = bound ?? ""
        let lost = simulation.losses.contains { $0.contains(moment) }
        if lost != isLost {
            isLost = lost
            if bound != nil {
                send(
                    lost ? "R connection lost to device \(id)" : "R connection re-established to device \(id)", &actions
                )
            }
        }
        if let end = simulation.turnedOff, end <= moment, !isOff {
            isOff = true
            if bound != nil { send("R device \(id) turned off via button", &actions) }
        }
    }

    private mutating func measure(
        _ signal: EmpaticaSignal, until moment: Seconds, _ lines: inout [Line], _ actions: inout [SimulatorAction]
    ) {
        let rate = signal.sampleRate * clockRate
        let first = frames[signal] ?? 0
        // The frame that falls on the moment belongs to it, whatever rounding does.
        let end = Int((moment * rate + 1e-6).rounded(.down)) + 1
        guard first < end else { return }
        frames[signal] = end
        let (values, digits) = values(of: signal, first..<end)
        let isHeard = isHeard(signal)
        for (place, frame) in (first..<end).enumerated() where isHeard {
            lines.append(line(signal, Double(frame) / rate, values.map { number($0[place], digits) }))
        }
        let scale = pow(10, Double(digits))
        let samples = values.flatMap { channel in
            channel.map { signal == .acceleration ? Float($0 / 64) : Float(($0 * scale).rounded() / scale) }
        }
        actions.append(
            .measured(
                MeasuredSamples(
                    stream: signal.rawValue, index: first, time: Double(first) / rate, rate: rate,
                    block: SampleBlock(channelCount: values.count, samples: samples))))
    }

    private mutating func values(of signal: EmpaticaSignal, _ frames: Range<Int>) -> ([[Double]], digits: Int) {
        let (values, digits): ([[Double]], Int) =
            switch signal {
            case .acceleration: (wearer.acceleration(frames), 0)
            case .bvp: ([wearer.pulse(frames)], 2)
            case .eda: ([wearer.conductance(frames)], 6)
            default: ([wearer.temperature(frames)], 2)
            }
        guard let off = Self.offSkin(signal), !simulation.contactLost.isEmpty else { return (values, digits) }
        let rate = signal.sampleRate * clockRate
        let worn = zip(frames, values[0]).map { hasContact(at: Double($0) / rate) ? $1 : off }
        return ([worn], digits)
    }

    /// What a signal shows when the wristband is off the skin: no pulse, no conductance, the room's temperature; nil for
    /// what shows itself all the same.
    private static func offSkin(_ signal: EmpaticaSignal) -> Double? {
        switch signal {
        case .bvp, .eda: 0
        case .temperature: 22
        default: nil
        }
    }

    private func hasContact(at moment: Seconds) -> Bool { !simulation.contactLost.contains { $0.contains(moment) } }

    private mutating func measureBeats(
        until moment: Seconds, _ lines: inout [Line], _ actions: inout [SimulatorAction]
    ) {
        for beat in wearer.beats(until: moment) where beat.onset >= simulation.settling {
            // An interval lies between two beats that were seen.
            guard hasContact(at: beat.onset), hasContact(at: beat.onset - beat.interval) else { continue }
            // Stamps and intervals are multiples of the pulse's sample interval, so that intervals add up.
            let onset = (beat.onset * clockRate * 64).rounded() / 64
            let interval = onset - ((beat.onset - beat.interval) * clockRate * 64).rounded() / 64
            let moment = onset / clockRate
            actions.append(
                .measured(
                    MeasuredSamples(
                        stream: EmpaticaSignal.ibi.rawValue, index: beatCount, time: moment,
                        block: SampleBlock([Float(interval)]))))
            beatCount += 1
            guard isHeard(.ibi) else { continue }
            lines.append(line(.ibi, moment, [number(interval, 6)]))
            lines.append(line(.heartRate, moment, [number(60 / interval, 4)]))
        }
    }

    private func isHeard(_ signal: EmpaticaSignal) -> Bool {
        guard isConnected, bound != nil, !isPaused, !isLost, !isOff else { return false }
        return subscriptions.contains { $0.signals.contains(signal) }
    }

    /// What the clock that stamps shows at a moment.
    private func stamp(_ moment: Seconds) -> Seconds {
        let jumps = simulation.clockJumps.filter { $0.moment <= moment }.map(\.by).reduce(0, +)
        return simulation.start.secondsSince1970 + (moment * clockRate + jumps)
    }

    private func line(_ signal: EmpaticaSignal, _ moment: Seconds, _ values: [String]) -> Line {
        let words = [signal.word, number(stamp(moment), 6)] + values
        return Line(moment: moment, text: words.joined(separator: " ") + simulation.lineEnd)
    }

    private func number(_ value: Double, _ digits: Int) -> String {
        let text = String(format: "%.\(digits)f", value)
        return simulation.hasDecimalComma ? text.replacingOccurrences(of: ".", with: ",") : text
    }

    private func send(_ text: String, _ actions: inout [SimulatorAction]) {
        guard isConnected, !text.isEmpty else { return }
        let isWhole = text.hasSuffix("\n")
        actions.append(.send(Array((isWhole ? text : text + simulation.lineEnd).utf8), from: .stream))
    }
}

/// The server.
extension EmpaticaServerSimulator {
    private mutating func answer(_ request: String, _ actions: inout [SimulatorAction]) {
        let words = request.split(separator: " ").map(String.init)
        guard let command = words.first else { return }
        func reply(_ text: String) -> String { "R \(command) \(text)" }
        switch command {
        case "device_list":
            send(reply(list(simulation.devices.filter(\.isAllowed), withPermission: false)), &actions)
        case "device_discover_list": send(reply(list(simulation.devices, withPermission: true)), &actions)
        case "device_connect_btle", "device_disconnect_btle":
            send(reply(known(words) == nil ? "ERR The device has not been discovered yet" : "OK"), &actions)
        case "device_connect": connect(words, &actions)
        case "device_subscribe": subscribe(words, &actions)
        case "pause":
            guard bound != nil else { return send(reply("ERR You are not connected to any device"), &actions) }
            isPaused = words.last == "ON"
            send(reply(isPaused ? "ON" : "OFF"), &actions)
        case "device_disconnect":
            guard bound != nil else { return send(reply("ERR No connected device."), &actions) }
            send(reply("OK"), &actions)
            forget()
            isConnected = false
            actions.append(.close)
        case "server_status": send(reply("OK"), &actions)
        default: send(reply("ERR unknown command"), &actions)
        }
    }

    private func list(_ devices: [FoundDevice], withPermission: Bool) -> String {
        ([String(devices.count)]
            + devices.map { device in
                "\(device.id) \(device.model)"
                    + (withPermission ? (device.isAllowed ? " allowed" : " not_allowed") : "")
            }).joined(separator: " | ")
    }

    private func known(_ words: [String]) -> String? {
        guard words.count > 1 else { return nil }
        return simulation.devices.first { $0.isAllowed && $0.id.lowercased() == words[1].lowercased() }?.id
    }

    private mutating func connect(_ words: [String], _ actions: inout [SimulatorAction]) {
        guard let id = known(words), !isLost, !isOff else {
            return send("R device_connect ERR The device requested for connection is not available.", &actions)
        }
        bound = id
        subscriptions = []
        lastBattery = nil
        send("R device_connect OK", &actions)
    }

    private mutating func subscribe(_ words: [String], _ actions: inout [SimulatorAction]) {
        let name = words.count > 1 ? words[1] : ""
        guard bound != nil else {
            return send("R device_subscribe \(name) ERR You are not connected to any device", &actions)
        }
        guard let subscription = EmpaticaSubscription(rawValue: name), words.count == 3 else {
            return send("R device_subscribe \(name) ERR The stream is not known", &actions)
        }
        if words[2] == "ON" {
            subscriptions.insert(subscription)
        } else {
            subscriptions.remove(subscription)
        }
        send("R device_subscribe \(name) OK", &actions)
    }
}
