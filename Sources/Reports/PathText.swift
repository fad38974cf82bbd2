/// The `d` attribute of an SVG path, to a tenth of a unit. Steps are written relative to the point before, which is
/// shorter; they are kept in whole tenths, so that nothing adds up.
struct PathText {
    private var bytes: [UInt8] = []
    private var place = (x: 0, y: 0)
    private var begin = (x: 0, y: 0)
    private var isDrawing = false
    private var isOpen = false
    private var isAlone = false

    var d: String { String(decoding: bytes, as: UTF8.self) }

    var isEmpty: Bool { bytes.isEmpty }

    mutating func move(_ x: Double, _ y: Double) {
        step(UInt8(ascii: "m"), to: (Self.tenths(x), Self.tenths(y)))
        begin = place
        isDrawing = false
    }

    mutating func line(_ x: Double, _ y: Double) {
        let next = (x: Self.tenths(x), y: Self.tenths(y))
        if next == place, !isDrawing {
            bytes += "h0".utf8
            return
        }
        step(isDrawing ? nil : UInt8(ascii: "l"), to: next)
        isDrawing = true
    }

    mutating func close() {
        bytes.append(UInt8(ascii: "z"))
        place = begin
        isDrawing = false
    }

    /// Goes on to the point, or begins anew there after a break.
    mutating func next(_ x: Double, _ y: Double) {
        if isOpen { line(x, y) } else { move(x, y) }
        isAlone = !isOpen
        isOpen = true
    }

    /// The next point begins a new run. A run of one point becomes a line of no length, which a round cap shows.
    mutating func lift() {
        if isOpen, isAlone { bytes += "h0".utf8 }
        isOpen = false
    }

    private mutating func step(_ letter: UInt8?, to next: (x: Int, y: Int)) {
        if let letter { bytes.append(letter) }
        write(next.x - place.x, isFirst: letter != nil)
        write(next.y - place.y, isFirst: false)
        place = next
    }

    private static func tenths(_ value: Double) -> Int {
        guard value.isFinite else { return 0 }
        return Int((min(max(value, -1e6), 1e6) * 10).rounded())
    }

    /// `-12` as `-1.2`, `5` as `.5`, apart from what is before where no sign or letter is between.
    private mutating func write(_ tenths: Int, isFirst: Bool) {
        if tenths < 0 { bytes.append(UInt8(ascii: "-")) } else if !isFirst { bytes.append(UInt8(ascii: " ")) }
        let (whole, fraction) = Int(tenths.magnitude).quotientAndRemainder(dividingBy: 10)
        if whole > 0 || fraction == 0 { write(whole) }
        guard fraction > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        bytes.append(UInt8(ascii: "0") + UInt8(fraction))
    }

    private mutating func write(_ number: Int) {
        var divisor = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}
