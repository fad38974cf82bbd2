import Acquisition
import Cardiac
import Decoding
import Study

/// The forms of what the API answers.
enum Schemas {
    static let count = Schema.integer(0...9_007_199_254_740_991)
    static let seconds = Schema.number()

    static let health = Schema.object([
        .required("status", .text(among: ["ok"]), "The service answers"),
        .required("version", .text(), "Version of the software"),
    ])

    static let service = Schema.object([
        .required("study", .text(), "The study's name"),
        .required("version", .text(), "Version of the software"),
        .required("clients", count, "Clients that follow live data"),
        .required("droppedClients", count, "Clients that were let go because they did not keep up"),
        .required("running", .nullable(count), "The session that runs"),
        .required("rights", .list(.text(among: AccessRight.allCases.map(\.rawValue))), "What this key may do"),
    ])

    static let participant = Schema.object([
        .required("participant", .label, "Label, without sub-"),
        .optional("sessions", count, "Sessions recorded so far, for keys that may read"),
    ])

    static let session = Schema.object([
        .required("id", count, "The session's number"),
        .required("participant", .label, "Label, without sub-"),
        .required("session", .nullable(.label), "BIDS session label"),
        .required("task", .nullable(.label), "BIDS task label"),
        .required("run", .nullable(count), "Run number"),
        .required("status", .text(among: RunStatus.allCases.map(\.rawValue)), "Where it stands"),
        .required("isRunning", .boolean, "Whether it is being recorded by this service"),
        .required(
            "isInterrupted", .boolean, "Whether it was never ended, and no program is recording it any more"),
        .required(
            "analysis", .nullable(.text(among: AnalysisStatus.allCases.map(\.rawValue))), "How its analysis went"),
        .required("message", .nullable(.text(longest: 10_000)), "Why its analysis failed"),
        .required("start", seconds, "When it was begun, or taken into the study, in seconds since 1970"),
        .required("hasReport", .boolean, "Whether there is a report that this key may see"),
    ])

    static let file = Schema.object([
        .required("name", .text(), "Its name within the session"),
        .required("size", count, "Bytes"),
        .required("type", .text(), "Media type"),
    ])

    static let ticket = Schema.object([
        .required("url", .text(longest: 500), "A link that works once, for a minute, without a key")
    ])

    static let deviceModel = Schema.object([
        .required("id", .text(), "What an address begins with"),
        .required("title", .text(), "What it is called"),
        .required(
            "transport", .text(among: ["bluetooth", "tcp", "serial", "lsl", "relay", "replay"]), "How it is reached"),
        .required("place", .text(), "What comes after @ in an address"),
        .required("options", .map(.text(longest: 1_000)), "What can be chosen, and what it means"),
    ])

    static let devices = Schema.object([
        .required("models", .list(deviceModel), "The kinds of devices"),
        .required("serialPorts", .list(.text(longest: 500)), "Serial ports of this machine"),
    ])

    static let found = Schema.object([
        .required("device", .text(), "Its address, to start a session with"),
        .required("name", .text(longest: 1_000), "What it calls itself"),
        .required("rssi", .nullable(.number()), "Strength of its radio, dBm"),
    ])

    static let rhythmEvent = Schema.object([
        .required("id", count, "Its number"),
        .required("t", seconds, "Seconds from the recording's start"),
        .required(
            "rhythm", .text(among: RhythmKind.allCases.map(\.rawValue)), "The rhythm; a description, no diagnosis"),
        .required("stream", .text(), "The stream it was seen in"),
    ])

    static let live = Schema.object([
        .required("session", .any, "The session that runs, or null"),
        .required("notes", .list(.text(longest: 10_000)), "What is left to do after the session before, in words"),
        .required(
            "devices", .list(.any), "Each device: connection, pause, battery, electrodes, verdict, ages of what it told"
        ),
        .required(
            "streams", .list(.any),
            "Each stream: kind, channels, heart rate, quality, since when there is no signal, ages"),
        .required("task", .nullable(.text()), "The calibration task that runs, or null"),
        .required("rhythmEvents", .list(rhythmEvent), "Changes to rhythms that are not regular"),
        .required(
            "predictions", .list(.any),
            "The session's predictions that this key may see, with the last value and its age; null once it has ended"),
        .required("markers", .list(.any), "The latest 500 tags, and as many markers of calibration tasks"),
    ])

    static let relay = Schema.object([
        .required("connected", .boolean, "Whether this key sent anything, either way, since it last disconnected"),
        .required("heartRate", .nullable(.text()), "Beats per minute, as text"),
        .required("statusCode", .text(), "The status of this key's latest samples"),
        .required("status", .text(), "The status in a word"),
        .required("statuses", .map(.text()), "The word for every status code"),
        .required("events", .list(relayEvent), "Changes to an abnormal status that this key may see, oldest first"),
    ])

    static let relayEvent = Schema.object([
        .required("id", count, "Its number"),
        .required("moment", .text(), "When it happened, ISO 8601"),
    ])

    static let relayReply = Schema.object([
        .required("heartRate", .text(), "Beats per minute, as text"),
        .required("statusCode", .text(), "200 regular, 404 abnormal; no medical judgement"),
    ])

    static let prediction = Schema.object([
        .required("predictionId", count, "Its number, which never changes"),
        .required("name", .text(), "Its name in files and code"),
        .required("title", .text(), "Its name for people"),
        .required("icon", .text(), "A character that stands for it"),
        .required("unit", .text(), "The unit of its values"),
        .required("range", .nullable(.list(.number())), "The least and greatest value, where there are bounds"),
        .required("streams", .list(.list(.text())), "Kinds of streams: one out of each list is needed"),
        .required("calibrations", .list(.text()), "The predictions whose calibration tasks it needs"),
        .required("excludesOthers", .boolean, "Whether it runs alone"),
    ])

    static let standing = Schema.object([
        .required("predictionId", count, "The prediction's number"),
        .required("name", .text(), "The prediction's name"),
        .required("title", .text(), "Its name for people"),
        .required("icon", .text(), "A character that stands for it"),
        .required("status", .integer(-100...2), "-100 unknown, -1 blocked, 0, 1, 2"),
        .required("statusName", .text(), "The status in a word"),
        .required("cause", .nullable(.text(longest: 10_000)), "Why it is so"),
        .required("reason", .nullable(refusal), "The cause of a refusal, for programs"),
        .required("model", .nullable(count), "The number of the latest model"),
    ])

    static let calibration = Schema.object([
        .required("participant", .label, "Label, without sub-"),
        .required("predictions", .list(standing), "Where the participant stands with each that this key may see"),
    ])

    private static let refusal = Schema.text(among: RefusalReason.allCases.map(\.rawValue))

    static let fit = Schema.object([
        .required("accepted", .boolean, "Whether there is a model now that may be used"),
        .required("text", .text(longest: 10_000), "The scores, or why not"),
        .required("reason", .nullable(refusal), "The cause of a refusal, for programs"),
        .required("status", .integer(-100...2), "Where the participant stands"),
    ])

    static let stimulus = Schema.object([
        .required("name", .text(), "The file's name"),
        .required("type", .text(), "Media type"),
    ])

    static let time = Schema.object([
        .required("t", seconds, "Seconds from the recording's start, by the clock that stamps its samples")
    ])
}

extension Schema {
    /// Objects with these members, listed.
    static func items(_ element: Schema) -> Schema { .object([.required("items", .list(element), "In order")]) }
}

extension JSONValue {
    static func items(_ values: [JSONValue]) -> JSONValue { ["items": .list(values)] }
}
