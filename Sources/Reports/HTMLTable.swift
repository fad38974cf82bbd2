/// A table of text with a caption.
struct HTMLTable {
    enum Column {
        /// The row's name.
        case name(String)
        case text(String)
        /// Set to the right.
        case number(String)
        /// Text that takes the room there is.
        case long(String)

        var heading: String {
            switch self {
            case .name(let heading), .text(let heading), .number(let heading), .long(let heading): heading
            }
        }

        var style: String? {
            switch self {
            case .name: "name"
            case .text: nil
            case .number: "n"
            case .long: "long"
            }
        }
    }

    var caption: String
    var columns: [Column]
    var rows: [[String]]
    /// Whether a row reads well without headings, set as lines of text on a telephone; other tables scroll sideways.
    var isStacked = false
    /// Whether cells of a stacked row have their headings before them, as they do not read well without.
    var isHeaded = false
    /// Where on the page the row's name leads to, by row; empty: nowhere.
    var targets: [String?] = []
    /// Which other page the row's name leads to, by row; empty: none.
    var addresses: [String?] = []

    /// A table in a box that scrolls sideways, also with the keyboard. What it says of itself stands outside, as wide as
    /// the page.
    /// - Parameter label: what the box and the table are called where they are read aloud.
    static func write(
        caption: String, label: String, style: String? = nil, to markup: inout Markup,
        _ content: (inout Markup) -> Void
    ) {
        markup.element("p", [("class", "caption")], text: caption)
        let name = ("aria-label", label)
        markup.element("div", [("class", "scroll"), ("tabindex", "0"), ("role", "region"), name]) { box in
            box.element("table", [name] + (style.map { [("class", $0)] } ?? []), content)
        }
    }

    func write(to markup: inout Markup) {
        Self.write(caption: caption, label: caption, style: isStacked ? "stack" : nil, to: &markup) { table in
            table.element("thead") { head in
                head.element("tr") { row in
                    for column in columns {
                        let style = column.style.map { [("class", $0)] } ?? []
                        row.element("th", [("scope", "col")] + style, text: column.heading)
                    }
                }
            }
            table.element("tbody") { body in
                for (place, cells) in rows.enumerated() {
                    write(cells, address: address(of: place), to: &body)
                }
            }
        }
        markup.newline()
    }

    private func address(of place: Int) -> String? {
        if addresses.indices.contains(place), let address = addresses[place] { return address }
        return targets.indices.contains(place) ? targets[place].map { "#\($0)" } : nil
    }

    private func write(_ cells: [String], address: String?, to markup: inout Markup) {
        markup.element("tr") { row in
            for (column, cell) in zip(columns, cells) {
                let style = column.style.map { [("class", $0)] } ?? []
                if case .name = column {
                    row.element("th", [("scope", "row")] + style) { name in
                        if let address {
                            name.element("a", [("href", address)], text: cell)
                        } else {
                            name.text(cell)
                        }
                    }
                } else {
                    row.element("td", style + (isHeaded ? [("data-heading", column.heading)] : []), text: cell)
                }
            }
        }
    }
}

extension HTMLTable {
    /// Recordings without results.
    static func failures(_ failures: [GroupReport.Failure]) -> HTMLTable {
        HTMLTable(
            caption: "Recordings without results",
            columns: [.name("recording"), .text("class"), .long("what went wrong"), .long("where")],
            rows: failures.map { [$0.recording, $0.kind, $0.message, $0.place ?? "\u{2013}"] }, isStacked: true)
    }
}
