import Signals

/// A column whose cells are markers: one begins where a cell holds a number other than 0, or text, and the cell above
/// holds another or none.
struct MarkerColumn {
    private var cell: [UInt8] = []
    private var number: Double?

    /// What the marker that begins with the next cell is called, as it is written there; nil where none begins.
    mutating func label(_ cell: UnsafeBufferPointer<UInt8>, mark: UInt8) -> String? {
        guard !self.cell.elementsEqual(cell) else { return nil }
        self.cell.removeAll(keepingCapacity: true)
        self.cell.append(contentsOf: cell)
        let before = number
        number = DelimitedCells.value(cell, mark: mark)
        if let number {
            guard number.isFinite, number != 0, number != before else { return nil }
        }
        // Latin-1 where it is no UTF-8, as for headers.
        return String(validating: cell, as: UTF8.self)
            ?? String(String.UnicodeScalarView(cell.map { Unicode.Scalar($0) }))
    }
}
