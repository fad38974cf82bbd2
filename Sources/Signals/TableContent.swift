/// Takes the rows of a table, cell by cell.
public protocol TableSink {
    /// An integer.
    mutating func integer(_ value: Int)
    /// A number; missing where it is not finite.
    mutating func number(_ value: Double)
    /// Numbers, one after another, each as `number` has it.
    mutating func numbers(_ values: Span<Double>)
    /// A time in seconds; missing where it is not finite.
    mutating func onset(_ value: Seconds)
    /// A text; missing where it is empty.
    mutating func text(_ value: String)
    /// No value.
    mutating func missing()
    /// The row has all its cells.
    mutating func endRow()
}

extension TableSink {
    /// Numbers, one after another.
    @inlinable
    public mutating func numbers(_ values: Span<Double>) {
        for index in values.indices { number(values[index]) }
    }

    /// A time, or nothing.
    @inlinable
    public mutating func onset(_ value: Seconds?) {
        if let value { onset(value) } else { missing() }
    }

    /// A number, or nothing.
    @inlinable
    public mutating func number(_ value: Double?) {
        if let value { number(value) } else { missing() }
    }
}

/// Rows that are told when they are asked for, so that a long table needs no memory of its own.
public protocol TableContent {
    /// The declarations of the columns, in order.
    var columns: [Column] { get }
    /// How many rows there are.
    var rowCount: Int { get }
    /// Tells some of the rows, each cell by cell in the order of the columns.
    func write<Sink: TableSink>(_ rows: Range<Int>, to sink: inout Sink)
}

extension Table: TableContent {
    /// How many rows there are.
    public var rowCount: Int { rows.count }

    /// Tells some of the rows.
    public func write<Sink: TableSink>(_ rows: Range<Int>, to sink: inout Sink) {
        for row in self.rows[rows] {
            for cell in row {
                switch cell {
                case .integer(let value): sink.integer(value)
                case .number(let value): sink.number(value)
                case .onset(let value): sink.onset(value)
                case .text(let value): sink.text(value)
                case .missing: sink.missing()
                }
            }
            sink.endRow()
        }
    }

    /// All rows of `content`, in memory.
    public init(_ content: some TableContent) {
        var cells = CellSink()
        content.write(0..<content.rowCount, to: &cells)
        self.init(columns: content.columns, rows: cells.rows)
    }
}

/// Collects rows as cells.
private struct CellSink: TableSink {
    var rows: [[Cell]] = []
    private var row: [Cell] = []

    mutating func integer(_ value: Int) { row.append(.integer(value)) }
    mutating func number(_ value: Double) { row.append(.optional(value)) }
    mutating func onset(_ value: Seconds) { row.append(value.isFinite ? .onset(value) : .missing) }
    mutating func text(_ value: String) { row.append(.text(value)) }
    mutating func missing() { row.append(.missing) }

    mutating func endRow() {
        rows.append(row)
        row.removeAll(keepingCapacity: true)
    }
}
