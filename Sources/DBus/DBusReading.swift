import CSystemd
import Foundation

extension DBusMessage {
    /// All values of the message from its beginning. Descriptors among them are the caller's to close.
    func values() throws(DBusError) -> [DBusValue] {
        descriptors = []
        do throws(DBusError) {
            try checkBus(sd_bus_message_rewind(pointer, 1), "reading a message")
            return try rest()
        } catch {
            // Nobody gets those that were read before it failed.
            for descriptor in descriptors { close(descriptor) }
            throw error
        }
    }

    private func rest() throws(DBusError) -> [DBusValue] {
        var values: [DBusValue] = []
        while let value = try next() { values.append(value) }
        return values
    }

    private func next() throws(DBusError) -> DBusValue? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard try checkBus(sd_bus_message_peek_type(pointer, &type, &contents), "reading a message") > 0 else {
            return nil
        }
        let inside = contents.map { String(cString: $0) } ?? ""
        switch Character(UnicodeScalar(UInt8(bitPattern: type))) {
        case "b": return .bool(try basic(type, Int32(0)) != 0)
        case "y": return .byte(try basic(type, UInt8(0)))
        case "n": return .int16(try basic(type, Int16(0)))
        case "q": return .uint16(try basic(type, UInt16(0)))
        case "i": return .int32(try basic(type, Int32(0)))
        case "u": return .uint32(try basic(type, UInt32(0)))
        case "x": return .int64(try basic(type, Int64(0)))
        case "t": return .uint64(try basic(type, UInt64(0)))
        case "d": return .double(try basic(type, 0.0))
        case "s": return .string(try characters(type))
        case "o": return .path(try characters(type))
        case "g": return .signature(try characters(type))
        case "h": return .descriptor(try duplicate(try basic(type, Int32(-1))))
        case "a" where inside == "y": return .bytes(try bytes())
        case "a" where inside.hasPrefix("{"): return try dictionary(type, inside)
        case "a": return .array(try inContainer(type, inside), of: inside)
        case "r": return .structure(try inContainer(type, inside))
        case "v":
            guard let value = try inContainer(type, inside).first else { return nil }
            return .variant(value)
        default:
            throw DBusError(name: "type", message: "The message holds a value of an unknown type.")
        }
    }

    /// A descriptor of our own, which programs that are started do not inherit.
    private func duplicate(_ descriptor: Int32) throws(DBusError) -> Int32 {
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { throw DBusError(result: -errno, doing: "taking a descriptor") }
        descriptors.append(own)
        return own
    }

    private func dictionary(_ type: CChar, _ contents: String) throws(DBusError) -> DBusValue {
        let inner = contents.dropFirst().dropLast()
        var entries: [DBusEntry] = []
        try checkBus(sd_bus_message_enter_container(pointer, type, contents), "reading a dictionary")
        while try checkBus(sd_bus_message_enter_container(pointer, Self.type("e"), String(inner)), "reading an entry")
            > 0
        {
            guard let key = try next(), let value = try next() else { break }
            entries.append(DBusEntry(key: key.text ?? "\(key)", value: value))
            try checkBus(sd_bus_message_exit_container(pointer), "reading an entry")
        }
        try checkBus(sd_bus_message_exit_container(pointer), "reading a dictionary")
        return .dictionary(entries, key: String(inner.prefix(1)), value: String(inner.dropFirst()))
    }

    private func inContainer(_ type: CChar, _ contents: String) throws(DBusError) -> [DBusValue] {
        try checkBus(sd_bus_message_enter_container(pointer, type, contents), "reading a container")
        let values = try rest()
        try checkBus(sd_bus_message_exit_container(pointer), "reading a container")
        return values
    }

    private func basic<Number: BitwiseCopyable>(_ type: CChar, _ zero: Number) throws(DBusError) -> Number {
        var number = zero
        let result = withUnsafeMutableBytes(of: &number) { sd_bus_message_read_basic(pointer, type, $0.baseAddress) }
        try checkBus(result, "reading a value")
        return number
    }

    private func characters(_ type: CChar) throws(DBusError) -> String {
        var text: UnsafePointer<CChar>?
        try checkBus(sd_bus_message_read_basic(pointer, type, &text), "reading a text")
        return text.map { String(cString: $0) } ?? ""
    }

    private func bytes() throws(DBusError) -> [UInt8] {
        var start: UnsafeRawPointer?
        var count = 0
        try checkBus(sd_bus_message_read_array(pointer, Self.type("y"), &start, &count), "reading bytes")
        return Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}

extension [DBusValue] {
    /// Closes the descriptors among the values, which nobody wants.
    func closeDescriptors() {
        for value in self {
            switch value {
            case .descriptor(let descriptor): close(descriptor)
            case .array(let members, _), .structure(let members): members.closeDescriptors()
            case .dictionary(let entries, _, _): entries.map(\.value).closeDescriptors()
            case .variant(let inner): [inner].closeDescriptors()
            default: break
            }
        }
    }
}
