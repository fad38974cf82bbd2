/// One SVG picture under construction. It stands alone: everything it needs is inside it.
struct Drawing {
    /// Unique on the page; all names inside begin with it.
    let id: String
    let width: Double
    let height: Double
    /// Attributes of the `svg` element beside the usual ones.
    var attributes: [(String, String)] = []
    private var definitions = Markup()
    private var fills: [Fill: String] = [:]
    /// The lines of hatched rectangles that are drawn later, by fill in the order they came; nil: at once.
    private var hatches: [(fill: Fill, marks: PathText)]?
    private var clips = 0
    private var body = Markup()

    init(id: String, width: Double, height: Double) {
        self.id = id
        self.width = width
        self.height = height
    }

    enum Anchor: String { case start, middle, end }

    /// Size of ordinary text.
    static let textSize = 13.0
    /// Roughly how wide `text` will be.
    static func width(of text: String, size: Double = textSize) -> Double {
        Double(text.count) * size * 0.56
    }

    /// How many letters of a text surely fit, also in the wider of the fonts.
    static func letters(within width: Double, size: Double = textSize) -> Int {
        Int((width / (size * widest)).rounded(.down))
    }

    /// The room that a text surely takes at most, as a name of letters and digits has it.
    static func room(for text: String, size: Double = textSize) -> Double {
        Double(text.count) * size * widest
    }

    private static let widest = 0.62

    mutating func text(
        _ text: String, _ x: Double, _ y: Double, anchor: Anchor = .start, size: Double = textSize,
        color: String = "#222222", isBold: Bool = false, isUpright: Bool = false, extra: [(String, String)] = []
    ) {
        var attributes = [("x", NumberText.coordinate(x)), ("y", NumberText.coordinate(y)), ("fill", color)]
        if anchor != .start { attributes.append(("text-anchor", anchor.rawValue)) }
        if size != Self.textSize { attributes.append(("font-size", NumberText.coordinate(size))) }
        if isBold { attributes.append(("font-weight", "600")) }
        if isUpright {
            attributes.append(("transform", "rotate(-90 \(NumberText.coordinate(x)) \(NumberText.coordinate(y)))"))
        }
        body.element("text", attributes + extra, text: text)
    }

    mutating func line(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, color: String, width: Double = 1,
        dash: String? = nil, title: String? = nil
    ) {
        var path = PathText()
        path.move(x1, y1)
        path.line(x2, y2)
        var attributes = [("stroke", color), ("stroke-width", NumberText.coordinate(width)), ("fill", "none")]
        if let dash { attributes.append(("stroke-dasharray", dash)) }
        self.path(path, attributes, title: title)
    }

    mutating func path(_ path: PathText, _ attributes: [(String, String)], title: String? = nil) {
        shape("path", [("d", path.d)] + attributes, title: title)
    }

    mutating func rectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, fill: Fill?, stroke: String? = nil,
        title: String? = nil, extra: [(String, String)] = []
    ) {
        var attributes = [
            ("x", NumberText.coordinate(x)), ("y", NumberText.coordinate(y)),
            ("width", NumberText.coordinate(max(0, width))), ("height", NumberText.coordinate(max(0, height))),
            ("fill", fill?.color ?? "none"),
        ]
        let opacity = fill.map { $0.pattern == .plain ? $0.opacity : $0.opacity * Fill.ground } ?? 1
        if opacity < 1 { attributes.append(("fill-opacity", NumberText.fixed(opacity, 2))) }
        if let stroke { attributes.append(("stroke", stroke)) }
        shape("rect", attributes + extra, title: title)
        if let fill { hatch((x, y, max(0, width), max(0, height)), fill) }
    }

    /// Draws with the lines of all hatched rectangles above these, as one path per fill.
    /// - Parameter attributes: of these paths beside the usual ones.
    mutating func hatching(_ attributes: [(String, String)] = [], _ draw: (inout Drawing) -> Void) {
        let outer = hatches
        hatches = []
        draw(&self)
        for hatch in hatches ?? [] { path(hatch.marks, hatch.fill.strokes + attributes) }
        hatches = outer
    }

    private mutating func hatch(_ rectangle: (x: Double, y: Double, width: Double, height: Double), _ fill: Fill) {
        let place = hatches?.firstIndex { $0.fill == fill }
        var marks = place.flatMap { hatches?[$0].marks } ?? PathText()
        fill.pattern.append(to: &marks, within: rectangle)
        if marks.isEmpty { return }
        if let place {
            hatches?[place].marks = marks
        } else if hatches == nil {
            path(marks, fill.strokes)
        } else {
            hatches?.append((fill, marks))
        }
    }

    /// A picture of cells, stretched over the rectangle without smoothing.
    mutating func image(_ address: String, _ place: (x: Double, y: Double, width: Double, height: Double)) {
        body.empty(
            "image",
            [
                ("href", address), ("x", NumberText.coordinate(place.x)), ("y", NumberText.coordinate(place.y)),
                ("width", NumberText.coordinate(place.width)), ("height", NumberText.coordinate(place.height)),
                ("preserveAspectRatio", "none"), ("style", "image-rendering:pixelated"),
            ])
    }

    /// Draws with everything outside the rectangle cut off.
    mutating func clipped(
        to rectangle: (x: Double, y: Double, width: Double, height: Double), _ attributes: [(String, String)] = [],
        _ draw: (inout Drawing) -> Void
    ) {
        let name = "\(id)-c\(clips)"
        clips += 1
        definitions.element("clipPath", [("id", name)]) {
            $0.empty(
                "rect",
                [
                    ("x", NumberText.coordinate(rectangle.x)), ("y", NumberText.coordinate(rectangle.y)),
                    ("width", NumberText.coordinate(rectangle.width)),
                    ("height", NumberText.coordinate(rectangle.height)),
                ])
        }
        let outer = body
        body = Markup()
        draw(&self)
        let inner = body
        body = outer
        body.element("g", [("clip-path", "url(#\(name))")] + attributes) { $0.append(inner) }
    }

    /// Draws inside a group with these attributes.
    mutating func group(_ attributes: [(String, String)], _ draw: (inout Drawing) -> Void) {
        let outer = body
        body = Markup()
        draw(&self)
        let inner = body
        body = outer
        body.element("g", attributes) { $0.append(inner) }
    }

    /// What `fill` is called in a `fill` attribute.
    mutating func paint(_ fill: Fill) -> String {
        var key = fill
        key.opacity = 1
        if let name = fills[key] { return name }
        let id = "\(id)-f\(fills.count)"
        guard let definition = key.definition(id: id) else { return fill.color }
        definitions.append(definition)
        fills[key] = "url(#\(id))"
        return "url(#\(id))"
    }

    /// The finished picture.
    func svg(title: String, description: String) -> Markup {
        let size = "\(NumberText.coordinate(width)) \(NumberText.coordinate(height))"
        var svg = Markup()
        svg.element(
            "svg",
            [
                ("xmlns", "http://www.w3.org/2000/svg"), ("id", id), ("viewBox", "0 0 \(size)"), ("role", "img"),
                ("aria-labelledby", "\(id)-t \(id)-d"),
                ("font-family", "system-ui,-apple-system,'Segoe UI','Liberation Sans','DejaVu Sans',sans-serif"),
                ("font-size", NumberText.coordinate(Self.textSize)),
            ] + attributes
        ) { svg in
            svg.element("title", [("id", "\(id)-t")], text: title)
            svg.element("desc", [("id", "\(id)-d")], text: description)
            svg.element("defs") { $0.append(definitions) }
            svg.append(body)
        }
        return svg
    }

    private mutating func shape(_ name: String, _ attributes: [(String, String)], title: String?) {
        if let title {
            body.element(name, attributes) { $0.element("title", text: title) }
        } else {
            body.empty(name, attributes)
        }
    }
}
