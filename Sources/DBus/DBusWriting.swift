import CSystemd
import Foundation

extension DBusMessage {
    /// Appends values in order.
    func append(_ values: [DBusValue]) throws(DBusError) {
        for value in values { try append(value) }
    }

    private func append(_ value: DBusValue) throws(DBusError) {
        switch value {
        case .bool(let flag): try basic("b", Int32(flag ? 1 : 0))
        case .byte(let number): try basic("y", number)
        case .int16(let number): try basic("n", number)
        case .uint16(let number): try basic("q", number)
        case .int32(let number): try basic("i", number)
        case .uint32(let number): try basic("u", number)
        case .int64(let number): try basic("x", number)
        case .uint64(let number): try basic("t", number)
        case .double(let number): try basic("d", number)
        case .descriptor(let descriptor): try basic("h", descriptor)
        case .string(let text): try characters("s", text)
        case .path(let text): try characters("o", text)
        case .signature(let text): try characters("g", text)
        case .bytes(let bytes):
            let result = bytes.withUnsafeBytes {
                sd_bus_message_append_array(pointer, Self.type("y"), $0.baseAddress, $0.count)
            }
            try checkBus(result, "writing bytes")
        case .array(let elements, let element):
            try container("a", element) { () throws(DBusError) in try append(elements) }
        case .structure(let members):
            try container("r", members.map(\.typeSignature).joined()) { () throws(DBusError) in try append(members) }
        case .variant(let inner): try container("v", inner.typeSignature) { () throws(DBusError) in try append(inner) }
        case .dictionary(let entries, let key, let value): try dictionary(entries, key: key, value: value)
        }
    }

    private func dictionary(_ entries: [DBusEntry], key: String, value: String) throws(DBusError) {
        try container("a", "{\(key)\(value)}") { () throws(DBusError) in
            for entry in entries {
                try container("e", key + value) { () throws(DBusError) in
                    try append(key == "o" ? .path(entry.key) : .string(entry.key))
                    try append(entry.value)
                }
            }
        }
    }

    private func basic<Number: BitwiseCopyable>(_ type: Character, _ number: Number) throws(DBusError) {
        let result = withUnsafeBytes(of: number) {
            sd_bus_message_append_basic(pointer, Self.type(type), $0.baseAddress)
        }
        try checkBus(result, "writing a value of type \(type)")
    }

    private func characters(_ type: Character, _ text: String) throws(DBusError) {
        try checkBus(
            text.withCString { sd_bus_message_append_basic(pointer, Self.type(type), $0) }, "writing “\(text)”")
    }

    private func container(
        _ type: Character, _ contents: String, _ body: () throws(DBusError) -> Void
    ) throws(DBusError) {
        try checkBus(sd_bus_message_open_container(pointer, Self.type(type), contents), "opening \(type)\(contents)")
        try body()
        try checkBus(sd_bus_message_close_container(pointer), "closing \(type)\(contents)")
    }

    static func type(_ character: Character) -> CChar {
        CChar(bitPattern: character.asciiValue ?? 0)
    }
}
