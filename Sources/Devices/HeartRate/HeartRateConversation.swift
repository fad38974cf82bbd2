public import Signals

/// Talks to any sensor with the Bluetooth Heart Rate service (Bluetooth SIG, Heart Rate Service 1.0).
///
/// Streams: `heartRate`, `ibi` (`DeviceClock.beats`: times in `deviceTime` are running sums of the intervals, so that two successive beats
/// are contiguous exactly when their times differ by the later one's interval), `energy` in kilojoules where the
/// sensor reports it, `battery`.
public struct HeartRateConversation: Conversation {
    private var heart = HeartRatePart(isRequired: true)
    private var battery = BatteryPart()
    private var information = DeviceInformationPart()
    private var silence = SilenceWatch()

    /// A conversation that has not begun.
    public init() {}

    /// Subscribes to the measurements and asks who the sensor is.
    public mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
        heart.open(at: moment, into: &actions)
        actions.emit(.ready)
        // Who it is comes before its battery's stream, whose description says so.
        information.open(at: moment, into: &actions)
        battery.open(at: moment, into: &actions)
        silence.reset()
        silence.expect(HeartRateMeasurement.characteristic, at: moment)
        arm(at: moment, &actions)
    }

    private func arm(at moment: Seconds, _ actions: inout [ConversationAction]) {
        if let due = [heart.due, silence.due(after: moment)].compactMap(\.self).min() {
            actions.append(.wake(at: due))
        }
    }

    /// Takes a notification or the answer to a read.
    public mutating func receive(
        _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        guard case .characteristic(let uuid) = endpoint else { return }
        _ =
            heart.receive(bytes, from: uuid, at: moment, into: &actions)
            || battery.receive(bytes, from: uuid, at: moment, into: &actions)
            || information.receive(bytes, from: uuid, at: moment, into: &actions)
        if uuid == HeartRateMeasurement.characteristic { silence.hear(uuid, at: moment) }
        if heart.due != nil { arm(at: moment, &actions) }
    }

    /// Hands out beats that were held to see whether more come; ends a connection whose measurements stopped.
    public mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {
        heart.wake(at: moment, into: &actions)
        if !silence.end(at: moment, into: &actions) { arm(at: moment, &actions) }
    }

    /// None but a few values a second.
    public var expectedStreams: [DeviceStream]? { [] }

    /// Some count it.
    public var mayCountEnergy: Bool { true }

    /// Ends the connection on `stop`, sets the energy back on `resetEnergy`; the sensor can do nothing else.
    public mutating func perform(
        _ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        switch request {
        case .stop:
            heart.close(at: moment, into: &actions)
            silence.reset()
            actions.emit(.finished)
            actions.append(.close)
        case .resetEnergy: heart.resetEnergy(into: &actions)
        case .pause, .resume, .abort: actions.emit(.log("a heart rate sensor cannot be paused"))
        }
    }

    /// Tells what the sensor refused.
    public mutating func refused(
        _ problem: LinkError, by endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        actions.emit(.failed(heart.failure(problem)))
    }

    /// Hands out beats that were held.
    public mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {
        silence.reset()
        heart.close(at: moment, into: &actions)
    }
}
