/// The declaration of one column of a table: tables, JSON sidecars, help and reports all read this.
public struct Column: Hashable, Codable, Sendable {
    /// The header, in lower camel case (`rmssd`).
    public var name: String
    /// The unit of its numbers; `.dimensionless` for ratios and counts, `.unknown` for text.
    public var unit: Unit
    /// What it is, in a sentence.
    public var definition: String
    /// Where the definition comes from: paper and equation, or specification section.
    public var reference: String?
    /// The least data the value needs, in words a methods section can use; nil where one row always suffices.
    public var leastData: String?
    /// Within what its numbers lie; nil where nothing is known of that.
    public var range: ClosedRange<Double>?
    /// What its codes mean, where it holds codes.
    public var levels: [String: String]?
    /// The role of its numbers.
    public var role: Role

    /// What the numbers of a column are.
    public enum Role: String, Codable, Sendable {
        /// A moment, in seconds from the recording's start. Every `onset` is one.
        case moment
        /// Anything else, such as a length of time.
        case other
    }

    /// A column called `name`.
    public init(
        _ name: String, unit: Unit = .unknown, _ definition: String, reference: String? = nil,
        leastData: String? = nil, range: ClosedRange<Double>? = nil, levels: [String: String]? = nil, role: Role? = nil
    ) {
        self.name = name
        self.unit = unit
        self.definition = definition
        self.reference = reference
        self.leastData = leastData
        self.range = range
        self.levels = levels
        self.role = role ?? (name == "onset" && unit == .seconds ? .moment : .other)
    }
}

/// One value of a table.
public enum Cell: Hashable, Sendable {
    case integer(Int)
    /// A number, written with at most 9 significant digits.
    case number(Double)
    /// A time in seconds, written to 0.1 ms.
    case onset(Seconds)
    case text(String)
    /// No value; written `n/a`.
    case missing

    /// `value`, or missing when it is nil or not finite.
    public static func optional(_ value: Double?) -> Cell {
        guard let value, value.isFinite else { return .missing }
        return .number(value)
    }
}

/// Rows of values under declared columns.
public struct Table: Hashable, Sendable {
    /// The declarations of the columns, in order.
    public var columns: [Column]
    /// The rows; each has one cell per column.
    public var rows: [[Cell]]

    /// A table with these columns.
    public init(columns: [Column], rows: [[Cell]] = []) {
        self.columns = columns
        self.rows = rows
    }

    /// Adds a row.
    /// - Precondition: it has one cell per column.
    public mutating func append(_ row: [Cell]) {
        precondition(row.count == columns.count, "a row has one cell per column")
        rows.append(row)
    }
}
