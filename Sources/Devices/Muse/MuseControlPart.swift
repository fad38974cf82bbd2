import Signals

/// The control characteristic of all Muse headbands: commands out, JSON in.
struct MuseControlPart: Sendable {
    private var text = MuseControlText()
    private var identity = DeviceIdentity()

    func send(_ command: String, into actions: inout [ConversationAction]) {
        actions.append(.send(Muse.command(command), to: .characteristic(Muse.control), acknowledged: false))
    }

    /// Forgets half an object.
    mutating func reset() { text.reset() }

    /// Takes a notification. `preset` is what was asked for, to be named when it is refused.
    mutating func take(_ bytes: [UInt8], preset: String, into actions: inout [ConversationAction]) {
        let (objects, isDamaged) = text.take(notification: bytes)
        if isDamaged {
            let problem = "expected a piece of JSON after its length"
            actions.emit(.malformed(MalformedMessage(place: "Muse control", problem: problem, bytes: bytes)))
        }
        for object in objects { take(object, preset, into: &actions) }
    }

    private mutating func take(_ reply: MuseReply, _ preset: String, into actions: inout [ConversationAction]) {
        if let code = reply.code, code != 0 {
            let text = "The headband refuses a command (code \(code)): does its model have preset \(preset)?"
            actions.emit(.failed(DeviceFailure(code: String(code), description: text)))
        }
        var known = identity
        let fields: [(String, WritableKeyPath<DeviceIdentity, String>)] = [
            ("hn", \.name), ("sn", \.serialNumber), ("fw", \.firmware), ("hw", \.hardware),
        ]
        for (key, path) in fields { if let value = reply.values[key] { known[keyPath: path] = value } }
        if reply.values["ma"] != nil || reply.values["fw"] != nil { known.manufacturer = "InteraXon" }
        for key in ["ma", "id", "ap", "sp", "tp", "bn", "bl", "pv", "ps"] {
            if let value = reply.values[key] { known.details[key] = value }
        }
        if known != identity {
            identity = known
            actions.emit(.identity(known))
        }
        if let percent = reply.values["bp"].flatMap(Double.init), (0...100).contains(percent) {
            actions.emit(.status(.battery(percent / 100)))
        }
    }
}
