import Signals

/// A part of a conversation that serves the characteristics of one GATT service; devices are put together from these.
protocol GattPart: Sendable {
    /// The connection stands: asks for what the service needs.
    mutating func open(at moment: Seconds, into actions: inout [ConversationAction])
    /// A value arrived. Returns false when the characteristic is another part's.
    mutating func receive(
        _ bytes: [UInt8], from characteristic: BluetoothUUID, at moment: Seconds,
        into actions: inout [ConversationAction]
    ) -> Bool
}

/// The Heart Rate service, 0x180D: streams `heartRate` (bpm, as the sensor says) and `ibi` (s, exact multiples of
/// 1/1024 s), both without the sensor's own time.
struct HeartRatePart: GattPart {
    private let isRequired: Bool
    private var announced: Set<String> = []
    private var clock = BeatClock()
    private var contact: Bool??
    private var energy: Int?

    /// `isRequired`: without heart rate the device is of no use.
    init(isRequired: Bool) {
        self.isRequired = isRequired
    }

    static let service = BluetoothUUID(0x180D)

    mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
        clock.restart()
        contact = nil
        actions.append(.subscribe(HeartRateMeasurement.characteristic, isRequired: isRequired))
        actions.append(.read(BodySensorLocation.characteristic))
    }

    /// When it wants to be woken, because messages that came late are held until then.
    var due: Seconds? { clock.due }

    /// Tells the beats that were held, when that is over.
    mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {
        tell(clock.settle(by: moment), into: &actions)
    }

    /// Tells the beats that are held: nothing comes any more.
    mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {
        tell(clock.settle(at: moment), into: &actions)
    }

    /// Has the sensor count energy from 0 again.
    func resetEnergy(into actions: inout [ConversationAction]) {
        let endpoint = Endpoint.characteristic(HeartRateControlPoint.characteristic)
        actions.append(.send(HeartRateControlPoint.resetEnergy, to: endpoint, acknowledged: true))
    }

    /// What it means that the sensor refused something.
    func failure(_ problem: LinkError) -> DeviceFailure {
        // Sensors that count energy have the control point (Heart Rate Service 1.0, 3.3).
        if problem == .missing(HeartRateControlPoint.characteristic) { return .countsNoEnergy }
        return DeviceFailure(code: "refused", description: problem.description)
    }

    mutating func receive(
        _ bytes: [UInt8], from characteristic: BluetoothUUID, at moment: Seconds,
        into actions: inout [ConversationAction]
    ) -> Bool {
        switch characteristic {
        case HeartRateMeasurement.characteristic:
            do {
                let measurement = try HeartRateMeasurement(bytes)
                take(measurement, bytes, at: moment, into: &actions)
            } catch {
                let problem = "the value ends before its \(error.field)"
                actions.emit(
                    .malformed(MalformedMessage(place: "Heart Rate Measurement", problem: problem, bytes: bytes)))
            }
        case BodySensorLocation.characteristic:
            guard bytes.count == 1 else {
                let problem = "expected 1 byte, got \(bytes.count)"
                actions.emit(
                    .malformed(MalformedMessage(place: "Body Sensor Location", problem: problem, bytes: bytes)))
                return true
            }
            var identity = DeviceIdentity()
            identity.details["sensorLocation"] = BodySensorLocation(bytes[0]).name
            actions.emit(.identity(identity))
        default: return false
        }
        return true
    }

    private mutating func take(
        _ measurement: HeartRateMeasurement, _ bytes: [UInt8], at moment: Seconds,
        into actions: inout [ConversationAction]
    ) {
        let hasContactChanged = contact != .some(measurement.contact)
        if hasContactChanged {
            contact = .some(measurement.contact)
            actions.emit(.status(.contact(measurement.contact)))
        }
        if let energy = measurement.energy, energy != self.energy {
            self.energy = energy
            announce("energy", .other, Channel(label: "energy expended", unit: Unit("kJ")), .arrival, &actions)
            actions.emit(.values(stream: "energy", [DeviceValue([Double(energy)])]))
        }
        // 0 means that nothing was measured yet, or that the contact is lost.
        if measurement.heartRate > 0 {
            announce("heartRate", .heartRate, Channel(label: "HR", unit: .beatsPerMinute), .arrival, &actions)
            actions.emit(.values(stream: "heartRate", [DeviceValue([Double(measurement.heartRate)])]))
        }
        takeIntervals(of: measurement, bytes, at: moment, into: &actions)
        // Beats without contact are not seen.
        if measurement.contact == false, hasContactChanged || measurement.intervals.isEmpty { clock.forget() }
    }

    private mutating func takeIntervals(
        of measurement: HeartRateMeasurement, _ bytes: [UInt8], at moment: Seconds,
        into actions: inout [ConversationAction]
    ) {
        func report(_ problem: String) {
            actions.emit(.malformed(MalformedMessage(place: "RR intervals", problem: problem, bytes: bytes)))
        }
        if !measurement.intervals.isEmpty {
            announce("ibi", .ibi, Channel(label: "IBI", unit: .seconds), .beats, &actions)
        }
        tell(clock.take(measurement.intervals, at: moment), into: &actions)
        if measurement.intervals.contains(0) { report("an interval of 0") }
        if measurement.excess > 0 {
            report("half an interval at the end")
            clock.forget()
        }
    }

    private func tell(_ beats: [BeatClock.Beat], into actions: inout [ConversationAction]) {
        guard !beats.isEmpty else { return }
        let values = beats.map { beat in
            DeviceValue([Double(beat.interval) / BeatClock.ticksPerSecond], deviceTime: beat.time, age: beat.age)
        }
        actions.emit(.values(stream: "ibi", values))
    }

    private mutating func announce(
        _ id: String, _ kind: StreamKind, _ channel: Channel, _ clock: DeviceClock,
        _ actions: inout [ConversationAction]
    ) {
        guard announced.insert(id).inserted else { return }
        let header = StreamHeader(name: id, kind: kind, channels: [channel], sampleRate: 0)
        actions.emit(.stream(DeviceStream(id: id, header: header, clock: clock)))
    }
}
