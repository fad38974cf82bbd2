/// The `d` attribute of an SVG path, in absolute coordinates to a tenth of a unit.
struct PathText {
    private(set) var d = ""
    private var isOpen = false
    private var isAlone = false
    private var last = (x: 0.0, y: 0.0)

    var isEmpty: Bool { d.isEmpty }

    mutating func move(_ x: Double, _ y: Double) {
        append("M", x, y)
    }

    mutating func line(_ x: Double, _ y: Double) {
        append("L", x, y)
    }

    mutating func close() {
        d += "Z"
    }

    /// Goes on to the point, or begins anew there after a break.
    mutating func next(_ x: Double, _ y: Double) {
        if isOpen { line(x, y) } else { move(x, y) }
        isAlone = !isOpen
        isOpen = true
        last = (x, y)
    }

    /// The next point begins a new run. A run of one point becomes a line of no length, which a round cap shows.
    mutating func lift() {
        if isOpen, isAlone { line(last.x, last.y) }
        isOpen = false
    }

    private mutating func append(_ letter: String, _ x: Double, _ y: Double) {
        d += letter
        d += NumberText.coordinate(x)
        d += " "
        d += NumberText.coordinate(y)
    }
}
