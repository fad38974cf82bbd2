/// Counts the connections of a byte log as its entries pass by.
struct ByteLogConnections {
    /// The number of the connection that the last entry belongs to, from 1 on; 0 before the first.
    private(set) var count = 0
    private var isOver = true

    mutating func pass(_ entry: ByteLogEntry) {
        switch entry.content {
        case .opened: begin()
        case .closed: isOver = true
        // Logs were written that do not say when a connection was made.
        case .received, .overrun, .sent, .subscribed, .asked, .refused: if isOver { begin() }
        }
    }

    private mutating func begin() {
        count += 1
        isOver = false
    }
}
