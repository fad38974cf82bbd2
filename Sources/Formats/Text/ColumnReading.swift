/// A table whose columns can be read by their names.
public protocol ColumnReading {
    /// The names of the columns, in order.
    var names: [String] { get }
    /// How many rows there are.
    var rowCount: Int { get }
    /// The numbers of a column; NaN where they are missing.
    /// - Throws: `FormatError` when there is no such column or a cell is no number.
    func numbers(_ column: String) throws -> [Double]
    /// The cells of a column where few texts come again and again: each text once, nil for missing ones, in the order they
    /// first come, and for each row which of them it has.
    /// - Throws: `FormatError` when there is no such column.
    func words(_ column: String) throws -> (texts: [String?], rows: [Int])
}

extension ColumnReading {
    /// Whether there is a column of this name.
    public func has(_ column: String) -> Bool { names.contains(column) }
}

extension TextTable: ColumnReading {}
