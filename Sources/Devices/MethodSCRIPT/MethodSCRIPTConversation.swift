public import Formats
public import Signals

/// The host's side of MethodSCRIPT: asks who the instrument is, sends a script, turns its packages into streams, and
/// can halt, resume and abort it.
///
/// `.pause` halts the script, `.resume` goes on, `.abort` and `.stop` abort it; the script's own `on_finished:` runs.
public struct MethodSCRIPTConversation: Conversation {
    /// Who the instrument is, once known.
    public internal(set) var firmware: MethodSCRIPTFirmware?

    let settings: MethodSCRIPTSettings
    var lines = LineBuffer(limit: 4096)
    var streams = MethodSCRIPTStreams()
    var layouts = MethodSCRIPTLayouts()
    var identity = DeviceIdentity()
    /// The lines of the answer to `t` so far.
    var versionLines: [String] = []
    var phase = Phase.closed
    var nesting: [MethodSCRIPTOutput] = []
    /// Lines not yet sent, with the earliest moment of the next.
    var outgoing: ArraySlice<String> = []
    var sendDue: Seconds?
    var replyDue: Seconds?
    var wakeSet: Seconds?
    var isLeaving = false
    /// The script was told to halt, and does.
    var isHalted = false
    var hasRecovered = false
    /// The watch of the output while a script runs over Bluetooth.
    var watch = MethodSCRIPTWatch()
    /// A script was sent, and the instrument did not say that it ended.
    var mayRun = false
    /// The connection broke while a script ran: it may run still.
    var isInterrupted = false
    /// The script that runs was not sent from here: it is listened to, and left running.
    var isForeign = false

    enum Phase: Hashable, Sendable {
        case closed
        /// Rousing the module after connecting; what comes is dropped.
        case rousing(Int)
        /// A script of somebody else runs; it is aborted.
        case recovering
        case asking(Question)
        case idle
        /// The script was sent; `e` is awaited.
        case loading
        case running
        case aborting
    }

    enum Question: String, Hashable, Sendable {
        case version = "t"
        case serialNumber = "i"
        case language = "v"
    }

    /// A conversation with the instrument that `settings` say.
    public init(_ settings: MethodSCRIPTSettings = MethodSCRIPTSettings()) {
        self.settings = settings
    }

    /// Not before a script runs.
    public var speaksUnasked: Bool { false }

    /// Whether a script runs.
    public var isRunning: Bool { phase == .running || phase == .aborting }

    /// Rouses the instrument: some modules send junk after connecting.
    public mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
        reset()
        if settings.link == .bluetooth { actions.append(.subscribe(MethodSCRIPTSettings.output, isRequired: true)) }
        isInterrupted ? ask(.version, at: moment, &actions) : rouse(1, at: moment, &actions)
        schedule(&actions)
    }

    /// Takes what the instrument says, cut anywhere.
    public mutating func receive(
        _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        if settings.link == .bluetooth {
            guard endpoint == .characteristic(MethodSCRIPTSettings.output) else { return }
            watch.hear(at: moment)
        }
        for line in lines.append(bytes) {
            switch line {
            case .complete(let line): take(line, at: moment, &actions)
            case .tooLong(let start):
                if case .rousing = phase { continue }
                actions.emit(
                    .malformed(
                        MalformedMessage(place: "MethodSCRIPT line", problem: "longer than 4096 bytes", bytes: start)))
            }
        }
        streams.flush(&actions)
        schedule(&actions)
    }

    /// Sends the next line of a script, asks on, or gives up waiting.
    public mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {
        wakeSet = nil
        if let due = sendDue, moment >= due {
            if case .rousing(let count) = phase {
                count < 3 ? rouse(count + 1, at: moment, &actions) : ask(.version, at: moment, &actions)
            } else {
                sendNext(at: moment, &actions)
            }
        }
        if let due = replyDue, moment >= due { giveUp(at: moment, &actions) }
        if isWatched { look(at: moment, &actions) }
        schedule(&actions)
    }

    /// Halts, resumes, aborts.
    public mutating func perform(
        _ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        switch request {
        case .pause, .resume:
            guard phase == .running else { return actions.emit(.log("no script runs that could be halted")) }
            send([request == .pause ? "h" : "H"], at: moment, &actions)
        case .abort: abort(at: moment, &actions)
        case .resetEnergy: actions.emit(.failed(.countsNoEnergy))
        case .stop:
            isLeaving = true
            let isOurs = !isForeign && (isRunning || phase == .loading || phase == .idle && mayRun)
            isOurs ? abort(at: moment, &actions) : leave(&actions)
        }
        schedule(&actions)
    }

    /// Hands out what was gathered; a line that was torn by the end is told.
    public mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {
        streams.flush(&actions)
        var isRousing: Bool { if case .rousing = phase { true } else { false } }
        if !isLeaving, !isRousing, let torn = lines.torn(at: "MethodSCRIPT line") { actions.emit(.malformed(torn)) }
        isInterrupted = isRunning
        reset()
    }

    mutating func reset() {
        lines.reset()
        nesting = []
        outgoing = []
        (sendDue, replyDue, wakeSet) = (nil, nil, nil)
        (isLeaving, isHalted) = (false, false)
        watch = MethodSCRIPTWatch()
        hasRecovered = false
        phase = .closed
    }
}
