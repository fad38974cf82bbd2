/// A matrix of doubles, row by row.
public struct Matrix: Sendable, Hashable {
    /// How many rows.
    public let rows: Int
    /// How many columns.
    public let columns: Int
    /// The elements, row after row.
    public private(set) var elements: [Double]

    /// A matrix with all elements `value`.
    /// - Precondition: sizes not below 0.
    public init(rows: Int, columns: Int, repeating value: Double = 0) {
        precondition(rows >= 0 && columns >= 0, "sizes not below 0")
        self.rows = rows
        self.columns = columns
        elements = Array(repeating: value, count: rows * columns)
    }

    /// The matrix with these elements, row after row.
    public init(rows: Int, columns: Int, elements: [Double]) throws(LinearAlgebraError) {
        let (count, overflows) = rows.multipliedReportingOverflow(by: columns)
        guard rows >= 0, columns >= 0, !overflows, count == elements.count else {
            throw .dimensions("a matrix", found: "\(elements.count)", expected: "\(rows) × \(columns)")
        }
        self.rows = rows
        self.columns = columns
        self.elements = elements
    }

    /// The matrix with these rows.
    public init(_ rows: [[Double]]) throws(LinearAlgebraError) {
        let columns = rows.first?.count ?? 0
        if let other = rows.first(where: { $0.count != columns }) {
            throw .dimensions("a matrix's row", found: "\(other.count)", expected: "\(columns)")
        }
        try self.init(rows: rows.count, columns: columns, elements: rows.flatMap { $0 })
    }

    /// Ones on the diagonal.
    public static func identity(_ size: Int) -> Matrix {
        var matrix = Matrix(rows: size, columns: size)
        for index in 0..<size { matrix[index, index] = 1 }
        return matrix
    }

    /// The element in a row and column.
    /// - Precondition: both within the matrix.
    public subscript(row: Int, column: Int) -> Double {
        get {
            precondition(column >= 0 && column < columns, "a column of the matrix")
            return elements[row * columns + column]
        }
        set {
            precondition(column >= 0 && column < columns, "a column of the matrix")
            elements[row * columns + column] = newValue
        }
    }

    /// A row.
    /// - Precondition: within the matrix.
    public func row(_ index: Int) -> [Double] {
        Array(elements[index * columns..<(index + 1) * columns])
    }

    /// A column.
    /// - Precondition: within the matrix.
    public func column(_ index: Int) -> [Double] {
        (0..<rows).map { self[$0, index] }
    }

    /// Rows and columns exchanged.
    public var transposed: Matrix {
        var result = Matrix(rows: columns, columns: rows)
        for row in 0..<rows {
            for column in 0..<columns { result[column, row] = self[row, column] }
        }
        return result
    }

    /// "rows × columns".
    var size: String { "\(rows) × \(columns)" }

    mutating func withElements<R>(_ body: (UnsafeMutablePointer<Double>) -> R) -> R? {
        elements.withUnsafeMutableBufferPointer { $0.baseAddress.map(body) }
    }
}
