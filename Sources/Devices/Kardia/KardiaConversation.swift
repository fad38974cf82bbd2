public import Signals

/// Talks to an Arduino ECG board of the Kardia relay: one characteristic whose value is ASCII text such as `4.995`,
/// 17 to 20 times a second, without time or counter.
///
/// One stream, `ecg`, in the board's arbitrary unit, timed by arrival: a regular one where the amplitudes come evenly
/// (`EvenSignal`); and `battery` where there is one.
public struct KardiaConversation: Conversation {
    private var text = KardiaText()
    private var battery = BatteryPart()
    private var signal = EvenSignal(KardiaConversation.stream(clock: .arrival), KardiaConversation.subject)
    private var silence = SilenceWatch()

    /// The board's service.
    public static let service = BluetoothUUID("713D0000-503E-4C75-BA94-3148F18D941E")!
    /// The characteristic the amplitudes come from.
    public static let data = BluetoothUUID("713D0002-503E-4C75-BA94-3148F18D941E")!
    /// Nominal seconds between two amplitudes.
    static let period: Seconds = 0.05
    /// Amplitudes a second as they come at least: Bluetooth takes 60 ms for each.
    static let pace = 1 / 0.06

    /// The beginning of notes on the board's ECG.
    static let subject = "the board sends no sample rate"

    /// The board's ECG; its volts are arbitrary.
    static func stream(clock: DeviceClock) -> DeviceStream {
        let channel = Channel(label: "ECG", unit: .unknown)
        let header = StreamHeader(name: "ecg", kind: .ecg, channels: [channel], sampleRate: 0)
        return DeviceStream(id: "ecg", header: header, clock: clock, pace: pace)
    }

    /// The ECG.
    public var expectedStreams: [DeviceStream]? { [Self.stream(clock: .arrival)] }

    /// A conversation that has not begun.
    public init() {}

    /// Subscribes to the amplitudes.
    public mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
        text.reset()
        signal.restart(into: &actions)
        actions.append(.subscribe(Self.data, isRequired: true))
        actions.emit(.ready)
        battery.open(at: moment, into: &actions)
        silence.reset()
        silence.expect(Self.data, at: moment)
        arm(at: moment, &actions)
    }

    private func arm(at moment: Seconds, _ actions: inout [ConversationAction]) {
        let due = [silence.due(after: moment), signal.due].compactMap { $0 }.min()
        if let due { actions.append(.wake(at: due)) }
    }

    /// Takes a notification.
    public mutating func receive(
        _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        guard case .characteristic(let uuid) = endpoint else { return }
        guard uuid == Self.data else {
            _ = battery.receive(bytes, from: uuid, at: moment, into: &actions)
            return
        }
        silence.hear(uuid, at: moment)
        let reading = text.read(bytes)
        let count = reading.amplitudes.count
        let samples = reading.amplitudes.enumerated().map { index, amplitude in
            EvenSignal.Sample(value: amplitude, arrival: moment - Double(count - 1 - index) * Self.period)
        }
        signal.take(samples, at: moment, into: &actions)
        if reading.isStacked {
            report("several amplitudes run together; the first was kept", bytes, &actions)
        } else if reading.rejected > 0 {
            report("expected an amplitude such as 4.995", bytes, &actions)
        }
    }

    private func report(_ problem: String, _ bytes: [UInt8], _ actions: inout [ConversationAction]) {
        actions.emit(.malformed(MalformedMessage(place: "ECG text", problem: problem, bytes: bytes)))
    }

    /// Ends a connection whose amplitudes stopped.
    public mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {
        signal.wake(at: moment, into: &actions)
        if !silence.end(at: moment, into: &actions) { arm(at: moment, &actions) }
    }

    /// Ends the connection on `stop`; the board can do nothing else.
    public mutating func perform(
        _ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        switch request {
        case .stop:
            silence.reset()
            actions.emit(.finished)
            actions.append(.close)
        case .pause, .resume, .abort: actions.emit(.log("the board cannot be paused"))
        case .resetEnergy: actions.emit(.failed(.countsNoEnergy))
        }
    }

    /// Hands out what is held, and forgets half an amplitude.
    public mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {
        signal.settle(into: &actions)
        silence.reset()
        text.reset()
    }
}
