import Acquisition
import Cardiac
import Decoding
import Devices
import Foundation
import Pipeline
import Quality
import Recorder
import Signals

/// What a session's events have come to, for somebody who begins to look in the middle of it.
struct LivePicture: Sendable {
    /// The session that runs.
    struct Session: Sendable {
        /// Where it stands.
        enum Phase: String, Sendable { case checking, running, analyzing }

        var id: Int
        var participant: String
        var task: String?
        var start: Timestamp
        var planned: Seconds?
        /// The predictions it tells.
        var predictions: [String] = []
        var phase: Phase
    }

    /// A stretch that begins with a change to a rhythm that is not regular.
    struct AbnormalRhythm: Sendable {
        var id: Int
        var onset: Seconds
        var kind: RhythmKind
        var stream: String
    }

    private struct LiveStream: Sendable {
        var header: StreamHeader
        var device: String
        var heartRate: Double?
        var heartRateMoment: Seconds?
        var quality: Double?
        var qualityMoment: Seconds?
        var reasons: [String] = []
        /// The end of the last sample, where samples come no more, and why.
        var silence: (since: Seconds, reason: LapseReason)?
    }

    /// A prediction's last value, and how many came.
    private struct ToldPrediction: Sendable {
        var last: PredictionValue
        var count: Int
        /// True when the last value has ended, and no newer one came.
        var hasLapsed = false
    }

    /// Most that are kept of each: abnormal rhythms, tags, markers of calibration tasks.
    private static let mostKept = 500
    /// Seconds within which two changes to one rhythm are one.
    private static let sameMoment: Seconds = 10

    var session: Session?
    /// What is left to do after the session before, in words.
    var notes: [String] = []
    /// The calibration task that was begun last.
    private(set) var lastTask: LiveTask?
    /// Seconds without a word after which a task's page is gone.
    private let absence: Seconds
    private var devices = DeviceStates()
    private var streams: [LiveStream] = []
    private(set) var rhythms: [AbnormalRhythm] = []
    private var nextRhythm = 1
    /// Tags and the markers of calibration tasks, as they came.
    private var markers: [Marker] = []
    private var pulse: SessionPulse?
    private var rhythm: (name: String, stream: Int, onset: Seconds)?
    private var values: [String: ToldPrediction] = [:]

    /// Nothing has happened yet.
    init(absence: Seconds) { self.absence = absence }

    // MARK: - Events

    mutating func take(_ event: SessionEvent) {
        devices.take(event)
        switch event {
        case .stream(_, let device, let header, _, _): streams.append(LiveStream(header: header, device: device))
        case .marker(let marker): take(marker)
        case .pulse(let pulse): self.pulse = pulse
        case .update(let update): take(update)
        case .signal(let signal, _): take(signal)
        case .lapse(let lapse, _): take(lapse)
        case .connection, .retrying, .status, .identity, .verdict, .remark, .script, .gap, .disk, .finished: break
        }
    }

    /// As many tags are kept as markers of calibration tasks, of which one task alone has hundreds: neither drives out
    /// the others.
    private mutating func take(_ marker: Marker) {
        markers.append(marker)
        if marker.isOfCalibration { lastTask = LiveTask.after(marker, lastTask) }
        let alike = markers.indices.filter { markers[$0].isOfCalibration == marker.isOfCalibration }
        if alike.count > Self.mostKept { markers.remove(at: alike[0]) }
    }

    private mutating func take(_ update: LiveUpdate) {
        guard streams.indices.contains(update.stream) else { return }
        switch update {
        case .heartRate(_, let onset, let rate):
            (streams[update.stream].heartRate, streams[update.stream].heartRateMoment) = (rate, onset)
        case .quality(_, let window):
            streams[update.stream].quality = window.coverage > 0 ? window.quality : nil
            streams[update.stream].qualityMoment = window.onset + window.duration
            streams[update.stream].reasons = window.reasons.map(\.rawValue)
        case .prediction(_, let value):
            values[value.prediction] = ToldPrediction(last: value, count: (values[value.prediction]?.count ?? 0) + 1)
        case .rhythm(let stream, let change) where isHeart(stream): take(change, of: stream)
        default: break
        }
    }

    private mutating func take(_ signal: StreamSignal) {
        guard streams.indices.contains(signal.stream) else { return }
        streams[signal.stream].silence = signal.isPresent ? nil : (signal.since, signal.reason ?? .silent)
    }

    private mutating func take(_ lapse: LiveLapse) {
        guard streams.indices.contains(lapse.stream) else { return }
        switch lapse.value {
        case .heartRate: streams[lapse.stream].heartRate = nil
        case .quality: (streams[lapse.stream].quality, streams[lapse.stream].reasons) = (nil, [])
        case .rhythm: if rhythm?.stream == lapse.stream { rhythm = nil }
        case .prediction(let name): values[name]?.hasLapsed = true
        case .variability, .electrodes, .respiration, .pulseRate: break
        }
    }

    private mutating func take(_ change: RhythmChange, of index: Int) {
        let stream = streams[index].header.name
        rhythm = (change.kind.rawValue, index, change.onset)
        guard change.kind != .regular, change.kind != .unreadable, change.kind != .undetermined else { return }
        // The rate within a rhythm may change many times.
        guard change.kind != change.previous else { return }
        // Channels of one stream see the same heart.
        let isKnown = rhythms.contains { $0.kind == change.kind && abs($0.onset - change.onset) < Self.sameMoment }
        guard !isKnown else { return }
        let abnormal = AbnormalRhythm(id: nextRhythm, onset: change.onset, kind: change.kind, stream: stream)
        rhythms = (rhythms + [abnormal]).suffix(Self.mostKept)
        nextRhythm += 1
    }

    /// Whether a stream is the one the rhythm is told from: the first ECG, else intervals that a device measured, else
    /// the first pulse.
    private func isHeart(_ stream: Int) -> Bool {
        for kind in [StreamKind.ecg, .ibi, .bvp] {
            if let first = streams.firstIndex(where: { $0.header.kind == kind }) { return first == stream }
        }
        return false
    }

    /// Takes an abnormal rhythm off the list.
    /// - Returns: whether there was one of this number.
    mutating func deleteRhythm(_ id: Int) -> Bool {
        guard let index = rhythms.firstIndex(where: { $0.id == id }) else { return false }
        rhythms.remove(at: index)
        return true
    }

    /// Whether a device is connected, and whether and why not its signals pass.
    func verdict(of device: String) -> (isConnected: Bool, passes: Bool, reasons: [String]) {
        guard let known = devices[device] else { return (false, false, []) }
        return (known.isConnected, known.verdict?.passed == true, known.verdict?.reasons.map(\.rawValue) ?? [])
    }

    /// The kinds of streams that devices have declared.
    var kinds: Set<StreamKind> { Set(streams.map(\.header.kind)) }

    /// What the devices of these names have declared.
    func headers(of names: Set<String>) -> [StreamHeader] {
        streams.filter { names.contains($0.device) }.map(\.header)
    }

    /// The calibration task that runs, by its prediction's name; nil when none does.
    var task: String? {
        guard let lastTask, lastTask.runs(at: pulse?.moment ?? lastTask.heard, absence: absence) else { return nil }
        return lastTask.name
    }

    /// The page of a task says that it is there.
    /// - Returns: whether the task goes on: not when it is over, or another was begun since.
    mutating func attend(_ name: String, seed: Int, at moment: Seconds) -> Bool {
        guard var task = lastTask, !task.isOver, task.name == name, task.seed == seed else { return false }
        (task.heard, task.isAttended) = (max(task.heard, moment), true)
        lastTask = task
        return true
    }

    // MARK: - As JSON

    /// All there is to know.
    /// - Parameters:
    ///   - allowed: the predictions that may be seen; nil: all of them.
    ///   - moment: the present moment, seconds from the recording's start, from which ages count; nil: ages are null.
    func json(for allowed: Set<String>?, at moment: Seconds?) -> JSONValue {
        let seesHeart = allowed?.contains(Prediction.heartRate.name) ?? true
        return [
            "session": sessionJSON, "notes": .list(notes.map { .text($0) }),
            "devices": .list(devices.all.sorted { $0.name < $1.name }.map { json($0.name, $0.device, moment) }),
            "streams": .list(streams.enumerated().map { json($0.offset, $0.element, allowed, moment) }),
            "rhythm": .optional(seesHeart ? rhythm?.name : nil),
            "rhythmAge": .optional(seesHeart ? Self.age(rhythm?.onset, moment) : nil),
            "task": .optional(task),
            "rhythmEvents": seesHeart ? rhythmsJSON : .list([]),
            "predictions": .list(predictions(for: allowed, at: moment)),
            "markers": .list(
                markers.filter { $0.isSeen(by: allowed) }.map {
                    ["t": .number($0.onset), "label": .text($0.label), "stream": .optional($0.stream)]
                }),
            "t": .optional(moment ?? pulse?.moment), "written": .optional(pulse.map { Double($0.recorder.written) }),
            "free": .optional(pulse?.recorder.free.map(Double.init)),
        ]
    }

    var rhythmsJSON: JSONValue {
        .list(
            rhythms.map { event in
                [
                    "id": .integer(event.id), "t": .number(event.onset), "rhythm": .text(event.kind.rawValue),
                    "stream": .text(event.stream),
                ]
            })
    }

    private static func age(_ end: Seconds?, _ moment: Seconds?) -> Double? {
        guard let end, let moment else { return nil }
        return max(0, moment - end)
    }

    private func predictions(for allowed: Set<String>?, at moment: Seconds?) -> [JSONValue] {
        (session?.predictions ?? []).filter { allowed?.contains($0) ?? true }.compactMap(Prediction.named).map {
            prediction in
            let told = values[prediction.name]
            return [
                "name": .text(prediction.name), "title": .text(prediction.title), "icon": .text(prediction.icon),
                "unit": .text(prediction.unit.rawValue), "isMetric": .boolean(!prediction.models.isEmpty),
                "t": .optional(told?.last.onset), "duration": .optional(told?.last.duration),
                "value": .optional(told.flatMap { $0.hasLapsed ? nil : $0.last.value }),
                "age": .optional(Self.age(told?.last.time, moment)),
                "count": .integer(told?.count ?? 0),
            ]
        }
    }

    private var sessionJSON: JSONValue {
        guard let session else { return .null }
        return [
            "id": .integer(session.id), "participant": .text(session.participant), "task": .optional(session.task),
            "start": .number(session.start.secondsSince1970), "planned": .optional(session.planned),
            "phase": .text(session.phase.rawValue),
        ]
    }

    /// True where a device is connected but none of its regular streams brings samples any more.
    private func isSilent(_ device: String) -> Bool {
        let regular = streams.filter { $0.device == device && $0.header.sampleRate > 0 }
        return !regular.isEmpty && regular.allSatisfy { $0.silence != nil }
    }

    private func json(_ name: String, _ device: DeviceStates.Device, _ moment: Seconds?) -> JSONValue {
        let age = Self.age
        var verdict = JSONValue.null
        if let found = device.verdict {
            verdict = [
                "passed": .boolean(found.passed), "code": .integer(found.code),
                "reasons": .list(found.reasons.map { .text($0.rawValue) }), "warning": .optional(found.warning),
            ]
        }
        return [
            "device": .text(name), "state": .text("\(device.connection)"), "reason": .optional(device.reason),
            "wait": .optional(device.wait),
            "battery": .optional(device.isConnected && !isSilent(name) ? device.battery : nil),
            "lastBattery": .optional(device.battery), "title": .text(device.title),
            "contact": device.contact.map(JSONValue.boolean) ?? .null, "paused": .boolean(device.isPaused),
            "electrodes": .object(device.electrodes.mapValues { .number($0) }), "qa": verdict,
            "ages": [
                "battery": .optional(age(device.batteryMoment, moment)),
                "contact": .optional(device.contact == nil ? nil : age(device.contactMoment, moment)),
                "electrodes": .optional(device.electrodes.isEmpty ? nil : age(device.electrodesMoment, moment)),
            ],
        ]
    }

    private func json(_ index: Int, _ stream: LiveStream, _ allowed: Set<String>?, _ moment: Seconds?) -> JSONValue {
        // The pulse has the age of the last sample at its own moment.
        let pulsed = pulse.flatMap { $0.streams.indices.contains(index) ? $0.streams[index].age : nil }
        let sample = moment.flatMap { moment in pulsed.map { $0 + max(0, moment - (pulse?.moment ?? moment)) } }
        let tellsRate = allowed?.contains(Prediction.heartRate.name) ?? true
        return [
            "index": .integer(index), "stream": .text(stream.header.name), "device": .text(stream.device),
            "kind": .text(stream.header.kind.rawValue), "sampleRate": .number(stream.header.sampleRate),
            "channels": .list(
                stream.header.channels.map { ["label": .text($0.label), "unit": .text($0.unit.rawValue)] }),
            "heartRate": .optional(tellsRate ? stream.heartRate : nil), "quality": .optional(stream.quality),
            "reasons": .list(stream.reasons.map { .text($0) }),
            "noSignalSince": .optional(stream.silence?.since),
            "noSignalReason": .optional(stream.silence?.reason.rawValue),
            "ages": [
                "sample": .optional(sample ?? pulsed),
                "heartRate": .optional(tellsRate ? Self.age(stream.heartRateMoment, moment) : nil),
                "quality": .optional(Self.age(stream.qualityMoment, moment)),
            ],
        ]
    }
}
