public import Signals

/// Talks to a Polar sensor: the Polar Measurement Data service, and the Heart Rate, Battery and Device Information
/// services beside it.
///
/// Each measurement's settings are asked for, the nearest possible ones started, and its frames decoded; streams are
/// named after `PMDType.stream`. Stamps become `deviceTime` in seconds since 1970 on the device's clock, which starts
/// in 2019 when nobody set it. A failed command fails its stream alone.
public struct PolarConversation: Conversation {
    private let wanted: [PolarStream]?
    private var heart = HeartRatePart(isRequired: false)
    private var battery = BatteryPart()
    private var information = DeviceInformationPart()
    private var control = PMDControlQueue()
    private var receivers: [PMDType: PMDReceiver] = [:]
    private var announced: Set<PMDType> = []
    private var phase = Phase.closed
    /// Until when the sensor may take to say what it can measure.
    private var featuresDue: Seconds = 0
    /// Measurements whose start was tried again because they ran already.
    private var retried: Set<PMDType> = []
    /// Kinds of frames that cannot be read and were told.
    private var unreadable: Set<[UInt8]> = []
    /// Whether it refused a measurement because it is plugged in, and has not measured since.
    private var isInCharger = false
    /// The measurements that are due for a restart.
    private var restarts = PMDRestarts()

    private enum Phase {
        case closed, waitingForFeatures, starting, streaming, pausing, paused, stopping
    }

    /// Asks for these measurements; nil: all of ECG, acceleration, PPG and pulse intervals that the device has.
    public init(streams: [PolarStream]? = nil) {
        wanted = streams
    }

    /// The measurements wanted, else those of the sensor that has all that are taken.
    public var expectedStreams: [DeviceStream]? {
        (wanted ?? [PMDType.ecg, .acceleration, .ppg, .pulseIntervals].map { PolarStream($0) }).map {
            DeviceStream(id: $0.type.stream, header: $0.header(sampleRate: $0.sampleRate), clock: .deviceTime)
        }
    }

    /// Subscribes, and asks what the device can measure.
    public mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
        control = PMDControlQueue()
        receivers = [:]
        retried = []
        restarts = PMDRestarts()
        phase = .waitingForFeatures
        actions.append(.subscribe(PMD.controlPoint, isRequired: true))
        actions.append(.subscribe(PMD.data, isRequired: true))
        actions.append(.read(PMD.controlPoint))
        heart.open(at: moment, into: &actions)
        // Who it is comes before its battery's stream, whose description says so.
        information.open(at: moment, into: &actions)
        battery.open(at: moment, into: &actions)
        featuresDue = moment + PMDControlQueue.patience
        arm(&actions)
    }

    /// Takes a notification, an indication or the answer to a read.
    public mutating func receive(
        _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        guard case .characteristic(let uuid) = endpoint else { return }
        switch uuid {
        case PMD.data: takeFrame(bytes, at: moment, into: &actions)
        case PMD.controlPoint:
            if bytes.first == 0x0F {
                takeFeatures(bytes, at: moment, into: &actions)
            } else {
                takeIndication(bytes, at: moment, into: &actions)
            }
        default:
            _ =
                heart.receive(bytes, from: uuid, at: moment, into: &actions)
                || battery.receive(bytes, from: uuid, at: moment, into: &actions)
                || information.receive(bytes, from: uuid, at: moment, into: &actions)
        }
        if heart.due != nil || uuid == PMD.controlPoint { arm(&actions) }
    }

    /// Asks for a wake at the first deadline.
    private func arm(_ actions: inout [ConversationAction]) {
        let features = phase == .waitingForFeatures ? featuresDue : nil
        let silence = phase == .streaming ? restarts.due : nil
        if let due = [heart.due, control.due, features, silence].compactMap(\.self).min() {
            actions.append(.wake(at: due))
        }
    }

    /// Hands out beats that were held, sends an unanswered command again, or gives it up.
    public mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {
        heart.wake(at: moment, into: &actions)
        defer { arm(&actions) }
        if phase == .waitingForFeatures {
            guard moment >= featuresDue else { return }
            let text = "The sensor does not say what it can measure: is it a Polar sensor with measurement streams?"
            actions.emit(.failed(DeviceFailure(code: "features", description: text)))
            return actions.append(.close)
        }
        restartWhatEnded(at: moment, into: &actions)
        guard let command = control.expire(at: moment, into: &actions) else { return }
        let text = "The sensor does not answer (\(command)); the measurement is left out."
        actions.emit(.failed(DeviceFailure(code: "timeout", description: text)))
        if let type = command.type, receivers[type] != nil, phase == .streaming { restarts.failed(type, at: moment) }
        proceed(at: moment, into: &actions)
    }

    /// Stops, pauses or resumes all measurements.
    public mutating func perform(
        _ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        switch request {
        case .stop, .pause, .abort:
            if request == .pause, phase != .streaming { return }
            phase = request == .pause ? .pausing : .stopping
            restarts = PMDRestarts()
            control.replaceWaiting(with: receivers.keys.sorted { $0.rawValue < $1.rawValue }.map { .stop($0) })
            proceed(at: moment, into: &actions)
            arm(&actions)
        case .resume:
            guard phase == .paused else { return }
            actions.emit(.status(.paused(false)))
            begin(Array(receivers.keys), at: moment, into: &actions)
            arm(&actions)
        case .resetEnergy: heart.resetEnergy(into: &actions)
        }
    }

    /// Its heart rate service may.
    public var mayCountEnergy: Bool { true }

    /// Tells what the sensor refused.
    public mutating func refused(
        _ problem: LinkError, by endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        actions.emit(.failed(heart.failure(problem)))
    }

    /// Forgets what was under way; hands out beats that were held.
    public mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {
        heart.close(at: moment, into: &actions)
        control = PMDControlQueue()
        receivers = [:]
        restarts = PMDRestarts()
        phase = .closed
    }
}

// MARK: - Starting and stopping

extension PolarConversation {
    private mutating func takeFeatures(
        _ bytes: [UInt8], at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        guard let features = PMDFeatures(bytes) else {
            let problem = "expected a list of features"
            return actions.emit(
                .malformed(MalformedMessage(place: "PMD control point", problem: problem, bytes: bytes)))
        }
        guard phase == .waitingForFeatures else { return }
        let standard: [PMDType] = [.ecg, .acceleration, .ppg, .pulseIntervals]
        for stream in wanted ?? [] where !features.types.contains(stream.type) {
            let text = "The sensor can't measure \(stream.type.stream); the stream is left out."
            actions.emit(.failed(DeviceFailure(code: "unsupported", description: text)))
        }
        begin((wanted?.map(\.type) ?? standard).filter(features.types.contains), at: moment, into: &actions)
    }

    private mutating func begin(_ types: [PMDType], at moment: Seconds, into actions: inout [ConversationAction]) {
        phase = .starting
        receivers = [:]
        // Acceleration first: a pulse is judged by it, and what comes later finds it declared.
        func order(_ type: PMDType) -> Int { type == .acceleration ? -1 : Int(type.rawValue) }
        for type in types.sorted(by: { order($0) < order($1) }) {
            control.add(type == .pulseIntervals ? .start(type, PMDSettings()) : .getSettings(type))
        }
        proceed(at: moment, into: &actions)
    }

    /// Sends the next command, or says that all are done.
    private mutating func proceed(at moment: Seconds, into actions: inout [ConversationAction]) {
        if control.sendNext(at: moment, into: &actions) { return }
        guard control.isIdle else { return }
        switch phase {
        case .starting:
            phase = .streaming
            if receivers.isEmpty {
                let text = "None of the measurements could be started."
                actions.emit(.failed(DeviceFailure(code: "nothing", description: text)))
            }
            actions.emit(.ready)
        case .pausing:
            phase = .paused
            actions.emit(.status(.paused(true)))
        case .stopping:
            phase = .closed
            actions.emit(.finished)
            actions.append(.close)
        default: break
        }
    }

    private mutating func takeIndication(
        _ bytes: [UInt8], at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        do {
            switch try PMDIndication(bytes) {
            case .stopped(let types): stoppedByDevice(types, at: moment, into: &actions)
            case .reply(let reply):
                guard let (command, parameters) = try control.take(reply) else { return }
                answered(command, reply, parameters, at: moment, into: &actions)
                proceed(at: moment, into: &actions)
            }
        } catch {
            guard case PMDError.malformed(let problem) = error else { return }
            actions.emit(.malformed(MalformedMessage(place: "PMD control point", problem: problem, bytes: bytes)))
        }
    }

    private mutating func stoppedByDevice(
        _ types: [PMDType], at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        for type in types where receivers[type] != nil {
            let isExpected = [.starting, .streaming].contains(phase)
            if isExpected { restarts.stopped(type, at: moment) } else { receivers[type] = nil }
            let text =
                "The sensor stopped measuring \(type.stream) by itself\(isExpected ? "; it is started again" : "")."
            actions.emit(.failed(DeviceFailure(code: "stopped", description: text)))
        }
        arm(&actions)
    }

    /// Restarts measurements that stopped or became silent; ends the connection when a restart did not help.
    private mutating func restartWhatEnded(at moment: Seconds, into actions: inout [ConversationAction]) {
        guard phase == .streaming else { return }
        for ended in restarts.take(at: moment) where receivers[ended.type] != nil {
            if ended.isSilent {
                let text = "The sensor sends nothing of \(ended.type.stream) though it measures; it is started again."
                actions.emit(.failed(.silent(text)))
                guard !ended.isRepeated else { return actions.append(.close) }
                control.add(.stop(ended.type))
            }
            control.add(ended.type == .pulseIntervals ? .start(ended.type, PMDSettings()) : .getSettings(ended.type))
        }
        _ = control.sendNext(at: moment, into: &actions)
    }

    private mutating func answered(
        _ command: PMDCommand, _ reply: PMDReply, _ parameters: [UInt8], at moment: Seconds,
        into actions: inout [ConversationAction]
    ) {
        guard reply.code == 0 else { return refused(command, reply, at: moment, into: &actions) }
        let settings: PMDSettings
        do {
            settings = try PMDSettings(parameters)
        } catch {
            let problem = "settings can't be read"
            return actions.emit(
                .malformed(MalformedMessage(place: "PMD settings", problem: problem, bytes: parameters)))
        }
        switch command {
        case .getSettings(let type):
            let rate = wanted?.first { $0.type == type }?.sampleRate ?? PolarStream(type).sampleRate
            let chosen = settings.chosen(sampleRate: rate)
            if let found = chosen[.sampleRate], wanted?.first(where: { $0.type == type })?.sampleRate == rate,
                Double(found) != rate
            {
                actions.emit(.log("\(type.stream) is not to be had at \(rate) Hz; it is recorded at \(found) Hz"))
            }
            control.addFirst(.start(type, chosen))
        case .start(let type, let asked):
            // A sensor says only by its refusals that it is plugged in: once it measures it no longer is.
            if isInCharger { actions.emit(.status(.charging(false))) }
            isInCharger = false
            let rate = Double(asked[.sampleRate] ?? 0)
            let stream = PolarStream(type)
            let isNew = announced.insert(type).inserted
            let header = stream.header(sampleRate: rate)
            // Which channels a PPG has, only its frames tell.
            if isNew, type != .ppg {
                actions.emit(.stream(DeviceStream(id: type.stream, header: header, clock: .deviceTime)))
            }
            restarts.started(type, isWatched: type != .pulseIntervals, at: moment)
            receivers[type] = PMDReceiver(
                type: type, rate: rate > 0 ? rate : 1, factor: settings.factor ?? 1, isResumed: !isNew,
                header: type == .ppg ? header : nil)
        case .stop(let type): if phase == .stopping { receivers.removeValue(forKey: type) }
        case .getStatus: break
        }
    }

    private mutating func refused(
        _ command: PMDCommand, _ reply: PMDReply, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        if reply.status == .alreadyInState {
            switch command {
            case .stop: return
            // Left running by whoever was connected before.
            case .start(let type, _) where retried.insert(type).inserted:
                control.addFirst(command)
                return control.addFirst(.stop(type))
            default: break
            }
        }
        if reply.status == .inCharger {
            isInCharger = true
            actions.emit(.status(.charging(true)))
        }
        // A measurement that was running is still wanted.
        if let type = command.type, receivers[type] != nil, phase == .streaming {
            switch command {
            case .getSettings, .start: restarts.failed(type, at: moment)
            case .stop, .getStatus: break
            }
            if restarts.isRepeated(type) { return }
        }
        let reason = reply.status?.description ?? "code \(reply.code)"
        let name = reply.type?.stream ?? "a measurement"
        let text = "The sensor refuses \(name): \(reason)."
        actions.emit(.failed(DeviceFailure(code: String(reply.code), description: text)))
    }

    private mutating func takeFrame(
        _ bytes: [UInt8], at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        func report(_ problem: String) {
            actions.emit(.malformed(MalformedMessage(place: "PMD data", problem: problem, bytes: bytes)))
        }
        do throws(PMDError) {
            let frame = try PMDFrame(bytes)
            guard receivers[frame.type] != nil else {
                return report("a frame of \(frame.type.stream), which was not started")
            }
            restarts.heard(frame.type, at: moment)
            if let problem = try receivers[frame.type]?.take(frame, at: moment, into: &actions) { report(problem) }
        } catch {
            switch error {
            case .malformed(let problem): report(problem)
            case .unsupportedFrame(let type, let frameType): leaveOut(type, frameType, into: &actions)
            }
        }
    }

    /// Tells once of each kind of frames that cannot be read.
    private mutating func leaveOut(_ type: PMDType, _ frameType: UInt8, into actions: inout [ConversationAction]) {
        guard unreadable.insert([type.rawValue, frameType]).inserted else { return }
        let name = type == .ecg || type == .ppg ? type.stream.uppercased() : type.stream
        let kind = "\(frameType & 0x7F)" + (frameType & 0x80 != 0 ? ", compressed," : "")
        let text =
            "unsupported frame type \(kind) of \(name): these samples are left out, all else goes on. --raw-log keeps "
            + "the sensor's bytes; without \(type.stream) among its streams it does not send them."
        actions.emit(.failed(DeviceFailure(code: "frame", description: text)))
    }
}
