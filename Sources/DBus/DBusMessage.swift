import CSystemd
import Foundation

/// A D-Bus message being read or written; owns one reference. Used on the bus's thread only, but for counting
/// references, which sd-bus does atomically.
final class DBusMessage: @unchecked Sendable {
    let pointer: OpaquePointer
    /// Duplicates of the descriptors that were read of it.
    var descriptors: [Int32] = []

    /// Takes over a reference.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// Adds a reference.
    init(borrowing pointer: OpaquePointer) {
        self.pointer = sd_bus_message_ref(pointer)
    }

    deinit {
        sd_bus_message_unref(pointer)
    }

    var path: String { Self.text(sd_bus_message_get_path(pointer)) }
    var interface: String { Self.text(sd_bus_message_get_interface(pointer)) }
    var member: String { Self.text(sd_bus_message_get_member(pointer)) }
    var sender: String { Self.text(sd_bus_message_get_sender(pointer)) }

    private static func text(_ characters: UnsafePointer<CChar>?) -> String {
        characters.map { String(cString: $0) } ?? ""
    }

    /// The error the peer answered with, if it did.
    var error: DBusError? {
        guard sd_bus_message_is_method_error(pointer, nil) > 0, let error = sd_bus_message_get_error(pointer) else {
            return nil
        }
        return DBusError(name: Self.text(error.pointee.name), message: Self.text(error.pointee.message))
    }
}

/// An error of the bus or of a service on it.
package struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error's name, such as `org.bluez.Error.NotReady`.
    package var name: String
    /// The service's own words.
    package var message: String

    package var description: String { message.isEmpty ? name : "\(message) (\(name))" }

    /// From a negative result of an sd-bus call.
    init(result: Int32, doing what: String) {
        name = "errno.\(-result)"
        message = "\(what): \(String(cString: strerror(-result)))"
    }

    package init(name: String, message: String) {
        self.name = name
        self.message = message
    }
}

/// Throws when an sd-bus call failed.
@discardableResult
func checkBus(_ result: Int32, _ what: String) throws(DBusError) -> Int32 {
    guard result >= 0 else { throw DBusError(result: result, doing: what) }
    return result
}
