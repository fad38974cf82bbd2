/// Reads the text an Arduino ECG board of the Kardia relay sends: amplitudes such as `4.995`, in ASCII.
public struct KardiaText: Sendable {
    /// What a notification holds.
    public struct Reading: Hashable, Sendable {
        /// The amplitudes, in the board's arbitrary unit.
        public var amplitudes: [Double] = []
        /// Several values were run together, of which only the first is sure.
        public var isStacked = false
        /// Pieces that are no amplitude.
        public var rejected = 0
    }

    /// The part of a list's last amplitude that the notification had no room for.
    private var carried: [UInt8] = []

    /// Nothing read yet.
    public init() {}

    private static let room = 20

    /// Reads one notification.
    public mutating func read(_ bytes: [UInt8]) -> Reading {
        let isContinuation = !carried.isEmpty && Self.continues(bytes)
        let text = (isContinuation ? carried : []) + bytes
        carried = []
        guard text.contains(UInt8(ascii: ",")) || isContinuation else { return Self.single(bytes) }
        var pieces = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(Self.trimmed)
        if bytes.count == Self.room, let last = pieces.last, last.count < 5 {
            carried = Array(last)
            pieces.removeLast()
        }
        var reading = Reading()
        for piece in pieces where !piece.isEmpty {
            if let value = Self.whole(piece) { reading.amplitudes.append(value) } else { reading.rejected += 1 }
        }
        return reading
    }

    /// Forgets a piece that was carried over.
    public mutating func reset() { carried = [] }

    private static func single(_ bytes: [UInt8]) -> Reading {
        let text = trimmed(bytes[...])
        var reading = Reading()
        if text.count > 5, let value = whole(text.prefix(5)) {
            reading.amplitudes = [value]
            reading.isStacked = true
        } else if isNumber(text), let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite {
            reading.amplitudes = [value]
        } else {
            reading.rejected = 1
        }
        return reading
    }

    /// Whether a notification can go on where the last one was cut: it starts with a digit and a comma follows where
    /// the amplitude has its five characters.
    private static func continues(_ bytes: [UInt8]) -> Bool { bytes.contains(UInt8(ascii: ",")) || bytes.count < 5 }

    /// A value of the form `d.ddd`; nil for anything else.
    private static func whole(_ text: ArraySlice<UInt8>) -> Double? {
        let isForm =
            text.count == 5
            && text.enumerated().allSatisfy { place, byte in
                place == 1 ? byte == UInt8(ascii: ".") : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
        return isForm ? Double(String(decoding: text, as: UTF8.self)) : nil
    }

    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        !text.isEmpty && text.count <= room && text.allSatisfy { Self.allowed.contains($0) }
    }

    private static let allowed = Set("-+0123456789.eE".utf8)

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }
}
