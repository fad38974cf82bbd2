/// The colours of the figures: Okabe & Ito 2008, "Color universal design", distinct for all common kinds of colour
/// vision. Meaning never rests on colour alone: marks, hatches or labels say the same.
enum Ink {
    static let black = "#000000"
    static let grey = "#6b6b6b"
    static let orange = "#E69F00"
    static let sky = "#56B4E9"
    static let green = "#009E73"
    static let yellow = "#F0E442"
    static let blue = "#0072B2"
    static let vermillion = "#D55E00"
    static let purple = "#CC79A7"
}

/// How an area is filled.
struct Fill: Hashable {
    var color: String
    var pattern: Pattern
    /// 0 (clear) … 1.
    var opacity = 1.0

    enum Pattern: String {
        /// The colour alone.
        case plain
        /// Lines on a pale ground.
        case rising, falling, upright, level, crossed
        /// Dots on a pale ground.
        case dotted
    }

    /// How opaque the ground below lines or dots is.
    static let ground = 0.16

    /// Missing data, everywhere.
    static let missing = Fill(color: "#8a8a8a", pattern: .rising)

    /// The pattern's definition under the name `id`; nil for `plain`.
    func definition(id: String) -> Markup? {
        guard pattern != .plain else { return nil }
        var markup = Markup()
        let size = "6"
        markup.element(
            "pattern", [("id", id), ("width", size), ("height", size), ("patternUnits", "userSpaceOnUse")]
        ) { pattern in
            let opacity = NumberText.fixed(Self.ground, 2)
            pattern.empty("rect", [("width", size), ("height", size), ("fill", color), ("fill-opacity", opacity)])
            pattern.empty(
                "path", [("d", marks), ("stroke", color), ("stroke-width", width), ("stroke-linecap", "square")])
        }
        return markup
    }

    /// The attributes of a path of this fill's lines or dots; it hides no title of what is below.
    var strokes: [(String, String)] {
        [("stroke", color), ("stroke-width", width)]
            + (pattern == .dotted ? [("stroke-linecap", "square")] : []) + [("pointer-events", "none")]
            + (opacity < 1 ? [("stroke-opacity", NumberText.fixed(opacity, 2))] : [])
    }

    private var width: String { pattern == .dotted ? "1.8" : "1.1" }

    private var marks: String {
        switch pattern {
        case .plain: ""
        case .rising: "M-1 1L1 -1M0 6L6 0M5 7L7 5"
        case .falling: "M-1 5L1 7M0 0L6 6M5 -1L7 1"
        case .upright: "M3 0L3 6"
        case .level: "M0 3L6 3"
        case .crossed: "M0 3L6 3M3 0L3 6"
        case .dotted: "M1.5 1.5L1.5 1.5M4.5 4.5L4.5 4.5"
        }
    }
}

/// The marks of single points, told apart by shape.
enum Mark: String {
    case dot, triangle, cross, square

    /// The mark of radius `r` around a place, appended to a path.
    func append(to path: inout PathText, x: Double, y: Double, r: Double) {
        switch self {
        case .dot:
            // A line of no length; its round cap is the dot.
            path.move(x, y)
            path.line(x, y)
        case .triangle:
            path.move(x, y - r * 1.2)
            path.line(x + r, y + r * 0.8)
            path.line(x - r, y + r * 0.8)
            path.close()
        case .cross:
            path.move(x - r, y - r)
            path.line(x + r, y + r)
            path.move(x - r, y + r)
            path.line(x + r, y - r)
        case .square:
            path.move(x - r, y - r)
            path.line(x + r, y - r)
            path.line(x + r, y + r)
            path.line(x - r, y + r)
            path.close()
        }
    }

    /// The attributes a path of these marks is drawn with.
    func attributes(color: String, r: Double) -> [(String, String)] {
        switch self {
        case .dot:
            [
                ("stroke", color), ("stroke-width", NumberText.coordinate(2 * r)), ("stroke-linecap", "round"),
                ("fill", "none"),
            ]
        case .triangle: [("fill", color), ("stroke", "#ffffff"), ("stroke-width", r > 3 ? "0.6" : "0.2")]
        case .cross: [("stroke", color), ("stroke-width", r > 3 ? "1.6" : "0.9"), ("fill", "none")]
        case .square: [("stroke", color), ("stroke-width", "1.4"), ("fill", "#ffffff")]
        }
    }
}
