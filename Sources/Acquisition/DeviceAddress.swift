public import Devices
import Formats
import Foundation
import Signals

/// Which device to connect to, as written on the command line: `MODEL@PLACE,option=value,…`, with an optional name of
/// its own before it: `NAME=MODEL@PLACE`.
///
/// The place is a Bluetooth address, the name of a Bluetooth device (in quotes where it holds commas) or `first`,
/// `HOST:PORT`, or the path of a serial port; devices with a usual place may leave it out (`empatica`).
public struct DeviceAddress: Hashable, Sendable {
    /// What the device is called within the session; its streams' names begin with it.
    public var name: String
    /// Its kind, by the catalogue's name.
    public var model: String
    /// Where it is; empty: its usual place.
    public var place: String
    /// What was chosen about it.
    public var options: DeviceOptions

    private static let longestName = 64

    /// Reads an address.
    /// - Throws: `DeviceFailure` saying what is wrong.
    public init(_ text: String) throws(DeviceFailure) {
        // Names of LSL streams hold any characters: all behind the @ is one.
        let isStream = Self.isStream(text)
        var parts = isStream ? [text] : Self.parts(of: text)
        var head = parts.removeFirst()
        // A name ends at the first "=" before the "@", if any.
        if let equals = head.firstIndex(of: "="), equals < head.firstIndex(of: "@") ?? head.endIndex {
            name = String(head[..<equals])
            head = String(head[head.index(after: equals)...])
        } else {
            name = ""
        }
        let at = head.firstIndex(of: "@")
        model = String(head[..<(at ?? head.endIndex)])
        let written = at.map { String(head[head.index(after: $0)...]) } ?? ""
        place = isStream ? written : Self.unquoted(written)
        var values: [String: String] = [:]
        var last: String?
        for part in parts {
            if let equals = part.firstIndex(of: "=") {
                last = String(part[..<equals])
                values[last ?? ""] = String(part[part.index(after: equals)...])
            } else if let last {
                // A list: streams=ecg,acceleration
                values[last]? += "," + part
            } else {
                throw DeviceFailure(description: "\(head): options are written option=value, not “\(part)”")
            }
        }
        options = DeviceOptions(values)
        if name.isEmpty { name = model }
        guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
            throw DeviceFailure(description: "“\(name)”: a device's name is made of letters, digits and hyphens")
        }
        // A device's markers go by its name, those of the session by these.
        guard !["tags", "calibration"].contains(name) else {
            throw DeviceFailure(
                description: "“\(name)” is what the session's own markers are called: name it otherwise")
        }
        // It is part of the names of files.
        guard name.utf8.count <= Self.longestName else {
            throw DeviceFailure(
                description: "“\(name.prefix(16))…”: a device's name has at most \(Self.longestName) characters")
        }
    }

    /// The parts between commas, of which those in double quotes belong to their part.
    private static func parts(of text: String) -> [String] {
        var parts = [""]
        var isQuoted = false
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if character == ",", !isQuoted { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        // A quote without its partner is an ordinary character.
        return isQuoted ? text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) : parts
    }

    private static func unquoted(_ text: String) -> String {
        text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"") ? String(text.dropFirst().dropLast()) : text
    }

    /// True for a stream of the Lab Streaming Layer, with or without a name of its own before it.
    private static func isStream(_ text: String) -> Bool {
        guard let at = text.firstIndex(of: "@") else { return false }
        let head = text[..<at]
        return (head.firstIndex(of: "=").map { head[head.index(after: $0)...] } ?? head) == "lsl"
    }

    /// The same without the name it has in one session: what tells one device from another.
    public var unnamed: DeviceAddress {
        var address = self
        address.name = ""
        return address
    }

    /// The device, ready to be connected.
    /// - Parameters:
    ///   - logs: those that are replayed in its session.
    ///   - relay: where a service hands on what comes with the key of a name; nil: there is no service.
    ///   - central: how Bluetooth devices are reached; called when there is one.
    /// - Throws: `DeviceFailure` for unknown kinds, options and places; what `relay` and `central` throw.
    public func device(
        clock: any HostClock, logs: ReplayedLogs = ReplayedLogs(), relay: ((String) throws -> any Connector)? = nil,
        central: () throws -> any GattCentral
    ) throws -> SessionDevice {
        let (kind, options) = try known()
        if kind.transport == .replay { return try replayedDevice(clock: clock, logs: logs) }
        let conversation = try kind.conversation(options)
        return SessionDevice(
            name: name, connector: try connector(kind.transport, clock: clock, relay: relay, central: central),
            conversation: conversation, reconnection: kind.transport == .relay ? .listening : nil,
            secrets: options.secrets(of: kind))
    }

    /// How much it writes, as far as that is known before it is connected.
    /// - Throws: `DeviceFailure` for unknown kinds, options and places; what keeps a log from being read.
    public func expectedSize(clock: any HostClock) throws -> ExpectedSize {
        let (kind, options) = try model == "replay" ? DeviceModel.recorded(in: URL(fileURLWithPath: place)) : known()
        let conversation = try kind.conversation(options)
        if let streams = conversation.expectedStreams { return ExpectedSize(name, streams) }
        if kind.transport == .lsl {
            let connector = model == "replay" ? nil : try? lslConnector(clock: clock)
            return ExpectedSize(name, streamOf: connector)
        }
        // Behind a module's virtual serial port, too, it prints at its usual rate.
        let usual = MethodSCRIPTFamily.emStatPico.baudRate
        return ExpectedSize(name, baud: try DeviceTransport.baudRate(options) ?? usual)
    }

    private func known() throws(DeviceFailure) -> (DeviceModel, DeviceOptions) {
        guard let kind = DeviceModel.named(model) else {
            let known = DeviceModel.all.map(\.id).joined(separator: ", ")
            throw DeviceFailure(description: "“\(model)” is no kind of device; there are: \(known)")
        }
        try options.check(against: kind.options)
        return (kind, options)
    }

    private func lslConnector(clock: any HostClock) throws -> LSLConnector {
        guard !place.isEmpty else {
            throw DeviceFailure(description: "say which stream: lsl@NAME, lsl@type:EEG or lsl@source_id:ID")
        }
        return LSLConnector(try LSLLibrary(), LSLPlace(place), clock: clock)
    }

    private func replayedDevice(clock: any HostClock, logs: ReplayedLogs) throws -> SessionDevice {
        guard !place.isEmpty else {
            throw DeviceFailure(description: "say which log: replay@session.polar.bytes")
        }
        let log = URL(fileURLWithPath: place)
        let (kind, options) = try DeviceModel.recorded(in: log)
        let connector: any Connector
        if case .bluetooth = kind.transport {
            let central = try RecordedCentral(log, clock: clock, logs: logs)
            connector = GattConnector(central: central, address: central.address)
        } else {
            connector = try ReplayConnector(log, clock: clock, logs: logs)
        }
        return SessionDevice(
            name: name == model ? kind.id : name, connector: connector, conversation: try kind.conversation(options),
            reconnection: .replay)
    }

    /// The place of the first Bluetooth device of its kind that is heard.
    fileprivate static let first = "first"

    /// Whether it is six bytes in hexadecimal with colons between.
    private static func isBluetoothAddress(_ text: String) -> Bool {
        let bytes = text.split(separator: ":", omittingEmptySubsequences: false)
        return bytes.count == 6 && bytes.allSatisfy { $0.count == 2 && $0.allSatisfy(\.isHexDigit) }
    }

    /// Returns true for text that is nearly an address; no device has such a name.
    private static func isMistypedAddress(_ text: String) -> Bool {
        let separators = text.count { $0 == ":" || $0 == "-" }
        return separators >= 3 && text.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "-" }
    }

    /// The Bluetooth device to connect to.
    private func target(_ recognition: BluetoothRecognition) throws(DeviceFailure) -> GattTarget {
        guard !place.isEmpty else {
            throw DeviceFailure(
                description: "say which \(model): \(model)@ADDRESS, \(model)@\"NAME\" or \(model)@first; "
                    + "`marey devices scan` lists them")
        }
        if Self.isBluetoothAddress(place) { return .address(place) }
        if place.lowercased() == Self.first { return .first(recognition) }
        guard !Self.isMistypedAddress(place), !place.hasPrefix("/") else {
            throw DeviceFailure(
                description: "“\(place)” is no Bluetooth address, such as A0:9E:1A:00:11:22, and no device's name; "
                    + "`marey devices scan` lists those near")
        }
        return .name(place)
    }

    /// The parts of `HOST:PORT`, or of `[ADDRESS]:PORT` where the address itself has colons; the port may be left out.
    private static func hostAndPort(_ place: String) -> (host: String, port: UInt16?)? {
        var (host, rest) = (place[...], place[place.endIndex...])
        if place.hasPrefix("["), let end = place.firstIndex(of: "]") {
            (host, rest) = (place[..<end].dropFirst(), place[end...].dropFirst())
        } else if let colon = place.lastIndex(of: ":") {
            (host, rest) = (place[..<colon], place[colon...])
        }
        if rest.isEmpty { return (String(host), nil) }
        guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()) else { return nil }
        return (String(host), port)
    }

    private func connector(
        _ transport: DeviceTransport, clock: any HostClock, relay: ((String) throws -> any Connector)?,
        central: () throws -> any GattCentral
    ) throws -> any Connector {
        switch transport {
        case .bluetooth where place.hasPrefix("/"):
            throw DeviceFailure(
                description: "\(model) is a Bluetooth device: give its address or name, not \(place)")
        case .bluetooth(let recognition):
            let target = try target(recognition)
            return GattConnector(central: try central(), target: target, kind: model)
        case .tcp(let host, let port):
            guard let (name, number) = Self.hostAndPort(place), let port = number ?? UInt16(exactly: port) else {
                throw DeviceFailure(description: "“\(place)”: the place is written HOST:PORT, or [ADDRESS]:PORT")
            }
            return TCPConnector(host: name.isEmpty ? host : name, port: port, clock: clock)
        case .lsl:
            return try lslConnector(clock: clock)
        case .serial(let baud):
            guard !place.isEmpty else {
                throw DeviceFailure(
                    description: "say which port: \(model)@/dev/ttyUSB0; `marey devices list` shows them")
            }
            return SerialConnector(
                path: place, baudRate: try DeviceTransport.baudRate(options) ?? baud, clock: clock)
        case .relay:
            guard let relay else {
                throw DeviceFailure(
                    description: "\(model) is a phone that sends to `marey serve`: begin the session there, "
                        + "with the device \(model)@KEY")
            }
            return try relay(place)
        case .replay: return try ReplayConnector(URL(fileURLWithPath: place), clock: clock)
        }
    }
}

extension DeviceAddress {
    /// Its name, or of a log without one of its own that of the device that is replayed.
    fileprivate var sessionName: String {
        guard model == "replay", name == model,
            let (kind, _) = try? DeviceModel.recorded(in: URL(fileURLWithPath: place))
        else { return name }
        return kind.id
    }

    /// What tells the device itself from others, however it is asked: where it is, and which one behind a server.
    fileprivate var whereabouts: String {
        let kind = DeviceModel.named(model)
        var parts = [kind?.id ?? model, place]
        switch kind?.transport {
        // The first of a kind is another device for each kind.
        case .bluetooth where place.lowercased() == Self.first: break
        case .bluetooth: parts = ["bluetooth", place.lowercased()]
        case .serial: parts = ["serial", place]
        case .tcp: parts.append(options["device"]?.lowercased() ?? "")
        default: break
        }
        return parts.joined(separator: " ")
    }
}

extension [DeviceAddress] {
    /// - Throws: `DeviceFailure` where a device is named twice: it speaks to one only, or would be recorded twice.
    public func demandDistinct() throws(DeviceFailure) {
        for (index, address) in enumerated() {
            guard let first = prefix(index).first(where: { $0.whereabouts == address.whereabouts }) else { continue }
            let place = address.place.isEmpty ? "at its usual place" : "at \(address.place)"
            let same = first.model == address.model ? "" : ", once as \(first.model)"
            throw DeviceFailure(
                description: "the \(address.model) \(place) is named twice\(same): name each device once")
        }
    }

    /// The same with names made distinct: the second `polar` becomes `polar-2`.
    public var withDistinctNames: [DeviceAddress] {
        var names = DistinctNames<String>()
        return map { address in
            var address = address
            address.name = names.next(address.sessionName, separator: "-")
            return address
        }
    }
}
