/// Gathers entries into packets of at most 244 bytes, as a headband does that wastes no notification.
struct AthenaPacker: Sendable {
    private var waiting: [AthenaMessage.Entry] = []
    private var length = AthenaMessage.headerLength
    private var counter: UInt8 = 0

    /// The longest packets that were seen.
    private static let longest = 244

    /// Adds an entry; returns the packet that had no room for it.
    mutating func add(_ entry: AthenaMessage.Entry) -> [UInt8]? {
        let size = 5 + entry.content.count
        let packet = length + size > Self.longest ? take() : nil
        waiting.append(entry)
        length += size
        return packet
    }

    /// Forgets what waits.
    mutating func clear() {
        waiting = []
        length = AthenaMessage.headerLength
    }

    private mutating func take() -> [UInt8] {
        defer {
            counter &+= 1
            clear()
        }
        return AthenaMessage.packet(counter: counter, waiting)
    }
}
