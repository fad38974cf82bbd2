import Formats
import Signals

/// Turns packages into the rows of irregular streams, one per variable. The instrument's own time is preferred where
/// the script sends it.
struct MethodSCRIPTStreams: Sendable {
    private var known: [String: Bool] = [:]
    private var order: [String] = []
    private var rows: [String: [DeviceValue]] = [:]
    private var lastTime: Seconds?
    /// More variables than any script has; beyond that it is garbage.
    private static let mostStreams = 64

    /// Adds a package; what cannot be a stream any more is told.
    mutating func add(
        _ package: MethodSCRIPTPackage, family: MethodSCRIPTFamily?, _ actions: inout [ConversationAction]
    ) {
        let time = package["eb"]?.value.number
        let deviceTime = time.flatMap { $0.isFinite ? $0 : nil }
        if let deviceTime {
            // Scripts set the instrument's time back, as where each measurement begins at 0.
            if let lastTime, deviceTime < lastTime {
                flush(&actions)
                for id in order where known[id] == true {
                    actions.emit(.status(.clockJump(stream: id, by: deviceTime - lastTime)))
                }
            }
            lastTime = deviceTime
        }
        var seen: [String] = []
        for variable in package.variables {
            let type = MethodSCRIPTVariableType(anyCode: variable.type)
            let occurrence = seen.count { $0 == variable.type }
            seen.append(variable.type)
            if type.isTime, occurrence == 0 { continue }
            let id = type.name + (occurrence == 0 ? "" : "_\(occurrence + 1)")
            guard declare(id, type, family, hasTime: time != nil, &actions) else {
                actions.emit(
                    .malformed(
                        MalformedMessage(
                            place: "package", problem: "more than \(Self.mostStreams) different variables",
                            bytes: Array(package.text.utf8))))
                return
            }
            rows[id, default: []].append(DeviceValue(variable.numbers(of: family), deviceTime: deviceTime))
        }
    }

    private mutating func declare(
        _ id: String, _ type: MethodSCRIPTVariableType, _ family: MethodSCRIPTFamily?, hasTime: Bool,
        _ actions: inout [ConversationAction]
    ) -> Bool {
        if known[id] != nil { return true }
        guard known.count < Self.mostStreams else { return false }
        known[id] = hasTime
        order.append(id)
        let header = StreamHeader(name: id, kind: type.kind, channels: type.channels(of: family), sampleRate: 0)
        actions.emit(.stream(DeviceStream(id: id, header: header, clock: hasTime ? .deviceTime : .arrival)))
        return true
    }

    /// Hands out what was gathered.
    mutating func flush(_ actions: inout [ConversationAction]) {
        guard !rows.isEmpty else { return }
        for id in order {
            if let values = rows.removeValue(forKey: id) { actions.emit(.values(stream: id, values)) }
        }
    }
}
