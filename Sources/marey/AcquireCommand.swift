import Acquisition
import ArgumentParser
import Cohort
import Decoding
import Devices
import Foundation
import Pipeline
import Quality
import Recorder
import Sessions
import Signals
import Study

struct AcquireCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "acquire", abstract: "Record a session from one or more devices, computing as it comes.",
        discussion: """
            Example: marey acquire session.xdf heart-rate@A0:9E:1A:00:11:22 \\
                       empatica-e4@127.0.0.1:28000
                     marey acquire --study my-study --subject 01 --task rest \\
                       --duration 600 polar@A0:9E:1A:00:11:22

            A device is written MODEL@PLACE,option=value; `marey devices list` shows the models with their options and \
            what is connected, `marey devices scan` what is near. The place of a Bluetooth device is its address, its name \
            ('polar@"Polar H10 8C1A2B"') or first (heart-rate@first). Devices that vanish are connected again for as long as \
            the session lasts. Every sample is written within half a second and secured within a second; a recording is \
            never overwritten. Ctrl-C ends the session in order.

            marey acquire session.xdf lsl --all records every stream of the Lab Streaming Layer on this network; with \
            --require NAME it waits ten seconds for that stream, and refuses to begin without it.

            On a terminal a picture of the session is kept up to date: t sets a tag, 1-9 a numbered one, p pauses the \
            devices and lets them go on, q finishes. While a MethodSCRIPT runs, s shows its log and its table, x \
            stops it, h halts it and lets it go on. With --json every event is a line of JSON instead. With \
            --commands lines of JSON on standard input are obeyed: {"tag":"LABEL"}, or \
            {"command":"pause","device":"NAME"} with pause, resume, disconnect, connect, abort (a script) or \
            resetEnergy (of a heart rate sensor); without a device all are meant. {"command":"finish"} ends the \
            session. Marey is a research tool, not a medical device.
            """)

    @Argument(help: "The recording to make (.xdf; not with --study), then the devices.")
    var arguments: [String]

    @Option(help: "Record into this study instead of a file.")
    var study: String?

    @Option(help: "Participant label, for --study.")
    var subject: String?

    @Option(help: "Session label, for --study.")
    var session: String?

    @Option(help: "Task label.")
    var task: String?

    @Option(name: .customLong("run"), help: "Run number, from 1 on (default: the next free one), for --study.")
    var number: Int?

    @Option(parsing: .unconditional, help: "Seconds after which the session ends by itself.")
    var duration: Double?

    @Option(help: "The time of day, HH:MM, at which the session ends by itself.")
    var until: String?

    @Flag(help: "Print every event as a line of JSON.")
    var json = false

    @Flag(help: "Obey tags and commands that come as lines of JSON on standard input.")
    var commands = false

    @Flag(help: "Also publish what is recorded and every live result on the Lab Streaming Layer.")
    var lsl = false

    @Flag(help: "With the device lsl: record every stream of the Lab Streaming Layer on this network.")
    var all = false

    @Option(help: "With --all: a stream that has to be there before the session begins; may be given several times.")
    var require: [String] = []

    @Flag(help: "Also keep every device's raw bytes, in files beside the recording.")
    var rawLog = false

    @Flag(
        help: "At the end analyze the recording and compare it with what was computed live: the same to the bit.")
    var verify = false

    @Option(help: "With replays only: how many times as fast as it happened, or max.")
    var speed = ReplaySpeed.asItHappened

    @Option(help: "Predictions to tell as it goes on, separated by commas, such as focus,heartRate; for --study.")
    var predictions: String?

    @Option(help: "The Bluetooth adapter, such as hci1 (default: the first).")
    var adapter: String?

    @OptionGroup var parameterOptions: ParameterOptions

    func run() throws {
        // A reader of the events that goes away is no reason to end.
        signal(SIGPIPE, SIG_IGN)
        let (wanted, named) = try recordingPlace()
        let devices = try devices(among: named)
        let planned = try plannedDuration()
        let parameters = try parameterOptions.parameters(standing: wanted.study?.parametersFile)
        var plan = try SessionPlan(wanted, devices: devices, parameters: parameters)
        for index in plan.addresses.indices { try DeviceSecretOptions.complete(&plan.addresses[index]) }
        (plan.duration, plan.task, plan.adapter) = (planned, task, adapter)
        plan.predictions = try predictionPlan(wanted)
        plan.keepsRawLog = rawLog
        let clock = try sessionClock(plan.addresses)
        // Before anything is recorded it is known whether there is what publishes it.
        let library = lsl ? try LSLLibrary() : nil
        let prepared = try plan.prepare(clock: clock, at: .now)
        if !json, !prepared.assumptions.isEmpty {
            Terminal.note("for the room on the disk: " + prepared.assumptions.joined(separator: "; "))
        }
        let target = plan.target
        let log = try byteLog(of: plan, clock)
        let (summary, results) = try record(prepared, planned, log, library, parameters)
        // The recording is what counts: it is concluded whatever became of the raw bytes beside it.
        let unlogged = log?.close() ?? []
        for problem in unlogged { Terminal.complain("\(problem)") }
        try finish(summary, target, parameters)
        if verify { try check(results, target.file, parameters) }
        guard unlogged.isEmpty else { throw Failure(code: ExitStatus.someFailed, message: "") }
    }

    /// What keeps the raw bytes, where they are asked for. A run without it has failed: it is not begun.
    private func byteLog(of plan: SessionPlan, _ clock: any HostClock) throws -> SessionByteLog? {
        guard rawLog else { return nil }
        do { return try SessionByteLog(of: plan, clock: clock) } catch {
            _ = try? plan.target.note(.failed, because: "\(error)", at: .now)
            throw error
        }
    }

    /// The predictions that are asked for, when the participant may have them.
    private func predictionPlan(_ target: SessionTarget) throws -> PredictionPlan? {
        guard let predictions else { return nil }
        guard let study = target.study, let subject else { throw Failure.misuse("--predictions needs --study") }
        let names = try OptionList.some(in: predictions, of: "--predictions", leftOut: "none are wanted")
        do {
            return try CalibrationDesk(study).plan(names, of: subject)
        } catch let refusal as PredictionRefusal {
            throw Failure.nothingDone(refusal.description)
        }
    }

    /// Where the session goes, and the devices among the arguments.
    private func recordingPlace() throws -> (SessionTarget, devices: [String]) {
        if let study {
            guard let subject else { throw Failure.misuse("--study needs --subject") }
            let folder = try StudyFolder(opening: URL(fileURLWithPath: study, isDirectory: true))
            let target = try SessionTarget(
                study: folder, subject: subject, session: session, task: task, run: number)
            return (target, arguments)
        }
        let labels = [("--subject", subject != nil), ("--session", session != nil), ("--run", number != nil)]
        if let label = labels.first(where: \.1) { throw Failure.misuse("\(label.0) needs --study") }
        guard let first = arguments.first, first.lowercased().hasSuffix(".xdf") else {
            throw Failure.misuse("name the recording to make first, such as session.xdf, or give --study")
        }
        return (SessionTarget(file: URL(fileURLWithPath: first)), Array(arguments.dropFirst()))
    }

    /// The devices, with the streams of the network in place of `lsl` where all of them are wanted.
    private func devices(among named: [String]) throws -> [String] {
        guard all else {
            guard require.isEmpty else { throw Failure.misuse("--require needs --all") }
            return named
        }
        guard named.contains("lsl") else {
            throw Failure.misuse("--all needs the device lsl, as in: session.xdf lsl --all")
        }
        let streams = try DevicesLSL.streams(with: require.map { LSLPlace($0) })
        let others = named.filter { $0 != "lsl" }
        return others + streams.map { "lsl@\(LSLPlace($0, among: streams).text)" }
    }

    /// Runs the session on this thread until it is over.
    private func record(
        _ prepared: PreparedSession, _ planned: Double?, _ log: SessionByteLog?, _ library: LSLLibrary?,
        _ parameters: Parameters
    ) throws -> (SessionSummary, StreamResults) {
        LSLLog.follow { line in
            prepared.recorder.note("log", device: "liblsl", at: SystemClock().now, ["text": line])
        }
        defer { LSLLog.follow(nil) }
        let lines = json ? SessionLines() : nil
        let screen =
            !json && Terminal.redrawsMessages
            ? SessionScreen(file: prepared.recorder.session.url.relativePath, planned: planned) : nil
        let outlets = try library.map { library throws(LinkError) in
            try SessionOutlets(
                library, start: prepared.recorder.startMoment, eeg: parameters.eeg.features
            ) { Terminal.complain($0) }
        }
        return try waiting { () async throws -> (SessionSummary, StreamResults) in
            let show: @Sendable (SessionEvent) -> Void = { event in
                lines?.show(event)
                screen?.show(event)
                outlets?.show(event)
                if screen == nil { Self.note(event, isJSON: lines != nil) }
            }
            var keep: (@Sendable (DeviceReport) -> Void)?
            if let log { keep = { log.take($0) } }
            var watch: (@Sendable (RecordedPiece) -> Void)?
            if let outlets { watch = { outlets.watch($0) } }
            let session = try await prepared.session(keepsResults: verify, log: keep, watch: watch, show: show)
            StopRequest.handle { Task { await session.stop() } }
            let keys =
                screen == nil || commands
                ? nil
                : KeyReader { key in
                    if key == "s" { screen?.toggleScripts() }
                    Task { await Self.pressed(key, session) }
                }
            let obeying = Task { [commands] in
                guard commands else { return }
                for await line in CommandLines.read() { await session.obey(json: line) }
            }
            let drawing = Task { await screen?.draw() }
            let writing = Task { await lines?.write() }
            let summary = await session.run(for: planned)
            keys?.end()
            obeying.cancel()
            drawing.cancel()
            await drawing.value
            lines?.end()
            await writing.value
            return (summary, await session.results)
        }
    }

    private static func pressed(_ key: Character, _ session: LiveSession) async {
        switch key {
        case "q", "\u{3}": await session.stop()
        case "x": try? await session.obey(.abort(device: nil))
        case "h": await session.toggleHalt()
        case "p": await session.togglePause()
        case "t", " ": await session.tag("tag")
        case "1"..."9": await session.tag(String(key))
        default: break
        }
    }

    /// What is worth a line where there is no terminal; where a program reads the events, only that nothing can be written.
    private static func note(_ event: SessionEvent, isJSON: Bool) {
        switch event {
        case .disk(let problem, _): Terminal.note(problem?.description ?? "the recording is written again")
        case _ where isJSON: break
        case .connection(let device, let state, let reason, _, _):
            Terminal.note("\(device): \(state)" + (reason.map { " (\($0))" } ?? ""))
        case .remark(let device, let text, _, _): Terminal.note("\(device): \(text)")
        case .verdict(let device, let verdict, _) where !verdict.passed:
            Terminal.note("\(device): \(verdict.reasons.map(\.rawValue).joined(separator: ", "))")
        default: break
        }
    }

    /// Computes the results and fills the bookkeeping.
    private func finish(_ summary: SessionSummary, _ target: SessionTarget, _ parameters: Parameters) throws {
        if !json { Terminal.note("\n" + Self.text(summary)) }
        if let problem = summary.problem {
            do { try target.note(.failed, because: problem, at: .now) } catch { Terminal.complain("\(error)") }
            throw Failure(
                code: ExitStatus.someFailed,
                message: problem + "; see: marey recover \(ShellWord.quoted(summary.file))")
        }
        let hasSignals = summary.streams.contains { $0.count > 0 }
        let conclusion = try target.conclude(hasArrived: summary.hasArrived, markers: summary.events, now: { .now }) {
            guard hasSignals, let study = target.study, let name = target.name else { return }
            var analysis = StudyAnalysis(study: study, parameters: parameters)
            analysis.takesFinishing = true
            try StudyProgress.analyze(analysis, only: name, isQuiet: json)
        }
        if let study = target.study, let text = conclusion.copying(of: study) { Terminal.note(text) }
        for problem in conclusion.problems.dropFirst() { Terminal.complain("\(problem)") }
        if let problem = conclusion.problems.first { throw problem }
        guard summary.hasArrived else {
            throw Failure(
                code: ExitStatus.someFailed,
                message: "nothing arrived: the recording is kept, but there is nothing to compute")
        }
    }

    private func check(_ results: StreamResults, _ file: URL, _ parameters: Parameters) throws {
        let check = try LiveCheck(results, recording: file, parameters: parameters)
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let sources = String(decoding: try encoder.encode(check.sources), as: UTF8.self)
            // A session whose reader is gone has not failed.
            StandardOutput.follow("{\"event\":\"verified\",\"same\":\(check.isSame),\"sources\":\(sources)}")
        } else {
            if check.sources.isEmpty { Terminal.note("  nothing was compared: nothing is computed of these streams") }
            for source in check.sources {
                let what = source.differing.isEmpty ? "as shown, to the bit" : source.differing.joined(separator: ", ")
                Terminal.note("  \(source.name): \(source.compared) values: \(what)")
            }
        }
        guard check.isSame else {
            throw Failure(code: ExitStatus.someFailed, message: "what was shown is not what the recording gives")
        }
    }

    private static func text(_ summary: SessionSummary) -> String {
        var lines = ["\(summary.file): \(Int(summary.duration.rounded())) s"]
        for stream in summary.streams { lines.append("  \(stream.name): \(stream.count) (\(stream.lost) lost)") }
        for (device, count) in summary.malformed.sorted(by: { $0.key < $1.key }) {
            let what =
                count == 1 ? "1 message broke the protocol and was" : "\(count) messages broke the protocol and were"
            lines.append("  \(device): \(what) left out")
        }
        for (device, count) in summary.reconnections.sorted(by: { $0.key < $1.key }) {
            lines.append("  \(device): connected again \(count == 1 ? "once" : "\(count) times")")
        }
        if summary.unwritten > 0 {
            lines.append("  not written: \(summary.unwritten) samples and values that arrived are not in the recording")
        }
        return lines.joined(separator: "\n")
    }

    private func plannedDuration() throws -> Double? {
        var planned = duration
        if let duration, !(duration > 0 && duration.isFinite) { throw Failure.misuse("--duration must be above 0 s") }
        if let until {
            let parts = until.split(separator: ":").compactMap { Int($0) }
            let isWritten = until.wholeMatch(of: /\d\d?:\d\d/) != nil
            guard isWritten, parts.count == 2, (0..<24).contains(parts[0]), (0..<60).contains(parts[1]) else {
                throw Failure.misuse("--until is written HH:MM, not “\(until)”")
            }
            let time = DateComponents(hour: parts[0], minute: parts[1])
            let end = Calendar.current.nextDate(after: Date(), matching: time, matchingPolicy: .nextTime)
            let left = end?.timeIntervalSinceNow ?? 0
            planned = planned.map { Swift.min($0, left) } ?? left
        }
        return planned
    }

    private func sessionClock(_ addresses: [DeviceAddress]) throws -> any HostClock {
        guard speed != .asItHappened else { return SystemClock() }
        guard !lsl else { throw Failure.misuse("--lsl needs --speed 1: LSL keeps this computer's time") }
        guard addresses.allSatisfy({ $0.model == "replay" }) else {
            throw Failure.misuse("--speed is for replays only: devices keep their own time")
        }
        return speed.clock
    }
}
