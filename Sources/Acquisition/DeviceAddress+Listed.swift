import Devices

/// Places that are listed for others to connect to.
extension DeviceAddress {
    /// True for a device outside of this machine's files and of the service itself.
    public var reachesOut: Bool {
        switch DeviceModel.named(model)?.transport {
        case .replay, .relay: false
        default: true
        }
    }

    /// True where the device is at a listed place, `MODEL@PLACE`; `*` matches anything. Case makes no difference.
    public func isAt(_ listed: String) -> Bool {
        let here = (model + "@" + place).lowercased()
        let pattern = listed.lowercased()
        return Self.matches(
            Array(here.utf8)[...], Array((pattern.contains("@") || pattern == "*" ? pattern : pattern + "@").utf8)[...])
    }

    /// True where a text matches a pattern, in time proportional to the product of their lengths at most.
    private static func matches(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
        let star = UInt8(ascii: "*")
        var (place, wanted) = (text.startIndex, pattern.startIndex)
        // Where to go on when what follows the last star does not match.
        var retry: (place: Int, wanted: Int)?
        while place < text.endIndex {
            if wanted < pattern.endIndex, pattern[wanted] == star {
                retry = (place, wanted)
                wanted += 1
            } else if wanted < pattern.endIndex, pattern[wanted] == text[place] {
                place += 1
                wanted += 1
            } else if let last = retry {
                retry = (last.place + 1, last.wanted)
                (place, wanted) = (last.place + 1, last.wanted + 1)
            } else {
                return false
            }
        }
        return pattern[wanted...].allSatisfy { $0 == star }
    }
}
