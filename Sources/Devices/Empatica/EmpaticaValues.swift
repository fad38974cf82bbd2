import Signals

/// Turns the values of an E4 server into events: consecutive samples into blocks, the rest as it comes.
struct EmpaticaValues: Sendable {
    private var frames: [EmpaticaSignal: StampedFrames] = [:]
    private var declared: Set<EmpaticaSignal> = []
    private var rows: [EmpaticaSignal: [DeviceValue]] = [:]
    /// What came of the signals without a rate.
    private var memories: [EmpaticaSignal: FrameMemory] = [:]
    /// Presses of the button, by the device's clock.
    private var tags: [Seconds] = []
    /// The signals whose stamps did not go on, since all was handed out.
    private var broken: Set<EmpaticaSignal> = []
    /// The regular signals in a fixed order, so that the same bytes give the same events.
    private static let regular = EmpaticaSignal.allCases.filter { $0.sampleRate > 0 }
    private static let irregular = EmpaticaSignal.allCases.filter { $0.sampleRate == 0 }

    init(_ subscriptions: [EmpaticaSubscription]) {
        for signal in Self.regular {
            frames[signal] = StampedFrames(
                stream: signal.rawValue, rate: signal.sampleRate, memory: FrameMemory())
        }
    }

    /// Announces the streams of a subscription, once.
    mutating func declare(_ subscription: EmpaticaSubscription, _ actions: inout [ConversationAction]) {
        for signal in subscription.signals { declare(signal, &actions) }
    }

    private mutating func declare(_ signal: EmpaticaSignal, _ actions: inout [ConversationAction]) {
        guard declared.insert(signal).inserted, let stream = signal.stream else { return }
        actions.emit(.stream(stream))
    }

    /// What comes has no known distance to what came.
    mutating func restart() {
        for signal in Self.regular { frames[signal]?.restart() }
        memories = [:]
    }

    /// Adds what one line says.
    mutating func add(
        _ signal: EmpaticaSignal, _ values: [Double], at time: Seconds, _ line: [UInt8],
        _ actions: inout [ConversationAction]
    ) {
        // Data may overtake the answer to the subscription.
        declare(signal, &actions)
        switch signal {
        case .tag:
            if isNew(signal, values, at: time, line, &actions) { tags.append(time) }
        case .ibi, .heartRate, .battery:
            guard isNew(signal, values, at: time, line, &actions) else { return }
            rows[signal, default: []].append(DeviceValue(values, deviceTime: time))
        case .acceleration, .bvp, .eda, .temperature:
            guard let added = frames[signal]?.add(values, at: time) else { return }
            if let finished = added.finished { actions.emit(.samples(finished)) }
            if added.isBroken { separate(signal, &actions) }
            if let jump = added.jump { actions.emit(.status(.clockJump(stream: signal.rawValue, by: jump))) }
            if let problem = added.problem { tell(problem, signal, line, &actions) }
        }
    }

    /// Whether a value that comes when it happens did not come before.
    private mutating func isNew(
        _ signal: EmpaticaSignal, _ values: [Double], at time: Seconds, _ line: [UInt8],
        _ actions: inout [ConversationAction]
    ) -> Bool {
        if let problem = memories[signal, default: FrameMemory()].problem(of: values, at: time) {
            tell(problem, signal, line, &actions)
            return false
        }
        memories[signal, default: FrameMemory()].keep(values, at: time)
        return true
    }

    private func tell(
        _ problem: String, _ signal: EmpaticaSignal, _ line: [UInt8], _ actions: inout [ConversationAction]
    ) {
        actions.emit(.malformed(MalformedMessage(place: signal.word, problem: problem, bytes: line)))
    }

    /// A signal's stamps do not go on. Where the clock was set, the others' follow, and what was told before it goes
    /// before what is told after it.
    private mutating func separate(_ signal: EmpaticaSignal, _ actions: inout [ConversationAction]) {
        guard broken.isEmpty || broken.contains(signal) else {
            broken.insert(signal)
            return
        }
        flush(&actions, but: signal)
        broken = [signal]
    }

    /// Hands out what was gathered.
    /// - Parameter kept: the signal whose frames are gathered further; nil: none.
    mutating func flush(_ actions: inout [ConversationAction], but kept: EmpaticaSignal? = nil) {
        for signal in Self.regular where signal != kept {
            if let finished = frames[signal]?.flush() { actions.emit(.samples(finished)) }
        }
        for signal in Self.irregular {
            guard let values = rows.removeValue(forKey: signal) else { continue }
            actions.emit(.values(stream: signal.rawValue, values))
            if signal == .battery, let level = values.last?.values.first { actions.emit(.status(.battery(level))) }
        }
        // After the samples, which tell when it was.
        for time in tags { actions.emit(.marker(label: "tag", deviceTime: time)) }
        tags = []
        broken = []
    }
}
