/// The `d` attribute of an SVG path, to a tenth of a unit. Steps are written relative to the point before, which is
/// shorter; they are kept in whole tenths, so that nothing adds up.
struct PathText {
    private(set) var d = ""
    private var place = (x: 0, y: 0)
    private var begin = (x: 0, y: 0)
    private var isDrawing = false
    private var isOpen = false
    private var isAlone = false

    var isEmpty: Bool { d.isEmpty }

    mutating func move(_ x: Double, _ y: Double) {
        step("m", to: (Self.tenths(x), Self.tenths(y)))
        begin = place
        isDrawing = false
    }

    mutating func line(_ x: Double, _ y: Double) {
        let next = (x: Self.tenths(x), y: Self.tenths(y))
        if next == place, !isDrawing {
            d += "h0"
            return
        }
        step(isDrawing ? "" : "l", to: next)
        isDrawing = true
    }

    mutating func close() {
        d += "z"
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
        if isOpen, isAlone { d += "h0" }
        isOpen = false
    }

    private mutating func step(_ letter: String, to next: (x: Int, y: Int)) {
        let across = Self.text(next.x - place.x)
        let down = Self.text(next.y - place.y)
        d += letter
        if letter.isEmpty, !across.hasPrefix("-") { d += " " }
        d += across
        if !down.hasPrefix("-") { d += " " }
        d += down
        place = next
    }

    private static func tenths(_ value: Double) -> Int {
        guard value.isFinite else { return 0 }
        return Int((min(max(value, -1e6), 1e6) * 10).rounded())
    }

    /// `-12` as `-1.2`, `5` as `.5`.
    private static func text(_ tenths: Int) -> String {
        let size = Int(tenths.magnitude)
        let whole = size >= 10 ? String(size / 10) : ""
        let fraction = size % 10 == 0 ? (whole.isEmpty ? "0" : "") : ".\(size % 10)"
        return (tenths < 0 ? "-" : "") + whole + fraction
    }
}
