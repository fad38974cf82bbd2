/// A value as D-Bus carries it (D-Bus Specification, "Type System").
package indirect enum DBusValue: Hashable, Sendable {
    case bool(Bool)
    case byte(UInt8)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case path(String)
    case signature(String)
    /// An open file descriptor; whoever receives it closes it.
    case descriptor(Int32)
    /// `ay`.
    case bytes([UInt8])
    /// Any other array of plain values; `of` is the signature of its elements.
    case array([DBusValue], of: String)
    /// `a{…}` with string-like keys, `key` and `value` being signatures.
    case dictionary([DBusEntry], key: String, value: String)
    case structure([DBusValue])
    case variant(DBusValue)
}

/// One entry of a dictionary.
package struct DBusEntry: Hashable, Sendable {
    package var key: String
    package var value: DBusValue

    package init(key: String, value: DBusValue) {
        self.key = key
        self.value = value
    }
}

extension DBusValue {
    /// The value's type signature.
    package var typeSignature: String {
        switch self {
        case .bool: "b"
        case .byte: "y"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .path: "o"
        case .signature: "g"
        case .descriptor: "h"
        case .bytes: "ay"
        case .array(_, let element): "a\(element)"
        case .dictionary(_, let key, let value): "a{\(key)\(value)}"
        case .structure(let members): "(\(members.map(\.typeSignature).joined()))"
        case .variant: "v"
        }
    }

    /// `a{sv}` from properties.
    package static func properties(_ values: KeyValuePairs<String, DBusValue>) -> DBusValue {
        .dictionary(values.map { DBusEntry(key: $0.key, value: .variant($0.value)) }, key: "s", value: "v")
    }

    /// The value itself, without the variant around it.
    package var bare: DBusValue {
        if case .variant(let inner) = self { return inner.bare }
        return self
    }

    /// The text of a string, path or signature.
    package var text: String? {
        switch bare {
        case .string(let text), .path(let text), .signature(let text): text
        default: nil
        }
    }

    /// The truth value of a boolean.
    package var flag: Bool? {
        if case .bool(let flag) = bare { flag } else { nil }
    }

    /// The number of any integer type.
    package var integer: Int? {
        switch bare {
        case .byte(let number): Int(number)
        case .int16(let number): Int(number)
        case .uint16(let number): Int(number)
        case .int32(let number): Int(number)
        case .uint32(let number): Int(number)
        case .int64(let number): Int(exactly: number)
        case .uint64(let number): Int(exactly: number)
        default: nil
        }
    }

    /// The bytes of `ay`.
    package var data: [UInt8]? {
        if case .bytes(let bytes) = bare { bytes } else { nil }
    }

    /// The texts of an array of strings or paths.
    package var texts: [String]? {
        if case .array(let elements, _) = bare { elements.compactMap(\.text) } else { nil }
    }

    /// The entries of a dictionary, by key.
    package var entries: [String: DBusValue]? {
        guard case .dictionary(let entries, _, _) = bare else { return nil }
        return Dictionary(entries.map { ($0.key, $0.value) }) { _, last in last }
    }
}
