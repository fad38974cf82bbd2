import Signals

/// One figure of the page: its pictures, what they show, and their data.
struct Figure {
    /// Unique on the page.
    var id: String
    var title: String
    /// What is seen, with n, units and coverage.
    var caption: String
    /// The picture per width of page; a figure that needs little room has one for all.
    var pictures: [(layout: Layout, svg: Markup)]
    /// The numbers behind it.
    var data: FigureData?
    /// What the page's script needs to redraw it; nil for a still picture.
    var live: String?

    /// How much room a picture has.
    enum Layout: String {
        /// The page's width on a screen or on paper.
        case wide
        /// The width of a telephone, in place of `wide`.
        case narrow
        /// Half a page, or a telephone.
        case half

        var width: Double {
            switch self {
            case .wide: 920
            case .narrow: 400
            // On a telephone, text of 11 is 10 high on the screen still.
            case .half: 400
            }
        }
    }

    /// How high a half-page picture is.
    static let halfHeight = 330.0

    var isWide: Bool { pictures.contains { $0.layout == .wide } }

    /// `tall` where it has several pictures one below the other, between which a printed page may end.
    private var style: String {
        guard isWide else { return "half" }
        return pictures.count { $0.layout == .wide } > 1 ? "wide tall" : "wide"
    }

    func write(to markup: inout Markup) {
        markup.element("figure", [("id", id), ("class", style)]) { figure in
            figure.element("h3", text: title)
            for picture in pictures {
                figure.element("div", [("class", "picture \(picture.layout.rawValue)")]) { $0.append(picture.svg) }
            }
            if let live { figure.json(id: "\(id)-live", live) }
            figure.element("figcaption") { figcaption in
                figcaption.text(caption)
                data?.write(to: &figcaption)
            }
        }
        markup.newline()
    }
}

/// The numbers behind a figure, as a table in a link.
struct FigureData {
    /// What the file is called when saved.
    var fileName: String
    var header: [String]
    var count: Int
    /// The rows to give where all would be too many, at most four per column of so many; nil: evenly spread ones.
    var chosen: ((_ columns: Int) -> [Int])?
    /// Where all rows lie, relative to the page; nil where they are nowhere else.
    var address: String?
    /// What the columns are, for tables that lie beside the page; empty where none does.
    var columns: [Column] = []
    /// The most the link may hold, in bytes before encoding.
    var limit = Self.ordinaryLimit
    var row: (Int) -> [String]

    static let ordinaryLimit = 48_000

    func write(to markup: inout Markup) {
        guard count > 0 else { return }
        let rows = self.rows
        let isWhole = rows.count == count
        let what =
            isWhole
            ? Words.count(count, "row")
            : "\(NumberText.count(rows.count)) of \(NumberText.count(count)) rows, \(chosen == nil ? "evenly spread" : "extremes kept")"
        markup.text(" ")
        markup.element(
            "a",
            [
                ("class", "data"), ("download", fileName), ("href", Self.address(of: tsv(rows))),
                ("data-whole", isWhole ? "yes" : "no"),
            ], text: "Data (TSV, \(what))")
        guard !isWhole, let address else { return }
        markup.text(" ")
        markup.element("a", [("class", "data"), ("href", address)], text: "All rows (TSV)")
    }

    /// All rows under their header.
    var whole: String { tsv(Array(0..<count)) }

    /// The indices of the rows in the link.
    var rows: [Int] {
        let sample = Array(stride(from: 0, to: count, by: max(1, count / 50)))
        let size = sample.reduce(0) { $0 + row($1).reduce(0) { $0 + $1.utf8.count + 1 } }
        let perRow = max(1, size / max(1, sample.count))
        let most = max(1, limit / perRow)
        if count <= most { return Array(0..<count) }
        if let chosen { return chosen(max(1, most / 4)) }
        return (0..<most).map { Int(Double($0) * Double(count) / Double(most)) }
    }

    private func tsv(_ rows: [Int]) -> String {
        var text = header.joined(separator: "\t") + "\n"
        for index in rows { text += row(index).map(Self.field).joined(separator: "\t") + "\n" }
        return text
    }

    /// Text without the characters that end a field.
    private static func field(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        return text.contains(where: { $0 == "\t" || $0.isNewline })
            ? String(text.map { $0 == "\t" || $0.isNewline ? " " : $0 }) : text
    }

    /// The text as a `data:` address (RFC 2397, percent-encoded).
    static func address(of text: String) -> String {
        let hex = Array("0123456789ABCDEF".utf8)
        var bytes = Array("data:text/tab-separated-values;charset=utf-8,".utf8)
        bytes.reserveCapacity(bytes.count + 2 * text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "%"))
                bytes.append(hex[Int(byte >> 4)])
                bytes.append(hex[Int(byte & 15)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension FigureData {
    /// A table that lies beside the page as well, with what its columns are: no two are called alike, as conditions are
    /// called whatever they are called.
    init(fileName: String, columns: [Column], count: Int, row: @escaping (Int) -> [String]) {
        var names = DistinctNames<String>()
        let distinct = columns.map { column in
            var column = column
            column.name = names.next(column.name)
            return column
        }
        self.init(fileName: fileName, header: distinct.map(\.name), count: count, columns: distinct, row: row)
    }
}
