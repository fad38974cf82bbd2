/// What the cells of a column take to be held and shown whole in SPSS (IBM SPSS Statistics, Command Syntax Reference,
/// "Variable Types and Formats").
struct SPSSShape {
    /// The bytes of the longest cell; 1 at least, as a text of none is not allowed.
    private(set) var width = 1
    /// The most digits before a point, with the sign, and behind it.
    private var digits = 1
    private var decimals = 0
    private var hasExponents = false

    /// The most characters of a number without an exponent.
    private static let room = 16
    /// The least, so that headings have room.
    private static let leastRoom = 8
    /// The most bytes of a text.
    private static let longestText = 32_767

    /// Looks at a cell.
    mutating func take(_ cell: ArraySlice<UInt8>) {
        width = max(width, cell.count)
        let point = cell.firstIndex(of: UInt8(ascii: ".")) ?? cell.endIndex
        digits = max(digits, point - cell.startIndex)
        decimals = max(decimals, cell.endIndex - point - 1)
        if cell.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) { hasExponents = true }
    }

    /// Whether numbers are shown with exponents: where not all are told in whole without them, a small p would be 0.
    var isScientific: Bool { hasExponents || length > Self.room }

    /// The format of a column of numbers: the decimals that its cells have, or the nine digits that tables have of a number
    /// at most.
    var numberFormat: String { isScientific ? "E16.8" : "F\(max(length, Self.leastRoom)).\(decimals)" }

    /// The format of a column of texts of so many bytes.
    static func textFormat(_ width: Int) -> String { "A\(min(width, longestText))" }

    private var length: Int { digits + (decimals > 0 ? 1 + decimals : 0) }
}
