/// A place in memory where the characters of a number are written.
struct TextCursor {
    /// Bytes that must be there for a number.
    static let room = 32

    private(set) var place: UnsafeMutablePointer<UInt8>

    init(_ place: UnsafeMutablePointer<UInt8>) { self.place = place }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        place.pointee = byte
        place += 1
    }

    mutating func put(_ text: StaticString) {
        for index in 0..<text.utf8CodeUnitCount { put(text.utf8Start[index]) }
    }

    /// Writes a whole number.
    @inline(__always)
    mutating func put(magnitude: UInt64) {
        var width = 1
        var bound: UInt64 = 10
        while width < 20, magnitude >= bound {
            width += 1
            bound = bound > UInt64.max / 10 ? .max : bound * 10
        }
        put(digits: magnitude, width: width)
    }

    /// Writes a point and `fraction` as the `width` digits behind it, without needless zeros; nothing for 0.
    @inline(__always)
    mutating func put(fraction: UInt64, width: Int) {
        guard fraction > 0 else { return }
        put(UInt8(ascii: "."))
        put(digits: fraction, width: width)
        while (place - 1).pointee == UInt8(ascii: "0") { place -= 1 }
    }

    /// Writes the last `width` digits, two at a time from the back.
    @inline(__always)
    private mutating func put(digits: UInt64, width: Int) {
        var rest = digits
        var left = width
        while left >= 2 {
            let pair = UInt8(truncatingIfNeeded: rest % 100)
            rest /= 100
            left -= 2
            place[left] = UInt8(ascii: "0") + pair / 10
            place[left + 1] = UInt8(ascii: "0") + pair % 10
        }
        if left == 1 { place[0] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10) }
        place += width
    }
}
