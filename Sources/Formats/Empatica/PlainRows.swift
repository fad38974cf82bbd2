import CVectors

/// The common case of rows of numbers: digits with or without a sign and a decimal point, nothing around them. What is
/// written otherwise is left to the thorough reader.
enum PlainRows {
    /// Appends up to `limit` rows; stops before one that is not plain.
    /// - Parameter begin: the first byte that may be looked at, `p` or before it.
    /// - Returns: how many there were.
    static func take(
        _ p: inout UnsafePointer<UInt8>, from begin: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ limit: Int,
        _ columns: Int, into values: inout [Double]
    ) -> Int {
        // Enough for any piece, without asking for more than the bytes at hand can hold.
        let room = min(limit, (end - p) / (2 * columns) + 1)
        return withUnsafeTemporaryAllocation(of: Double.self, capacity: room * columns + 3) { out in
            guard let first = out.baseAddress else { return 0 }
            var next: UnsafePointer<UInt8>? = p
            let rows = marey_number_rows(begin, p, end, columns, room, first, &next)
            p = next ?? p
            values.append(contentsOf: UnsafeBufferPointer(start: first, count: rows * columns))
            return rows
        }
    }

    /// How many lines end in these bytes.
    static func lineEnds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        var total = 0
        var place = 0
        while place + 64 <= bytes.count {
            total += marey_either(base + place, 0x0A, 0x0A).nonzeroBitCount
            place += 64
        }
        while place < bytes.count {
            total += bytes[place] == 0x0A ? 1 : 0
            place += 1
        }
        return total
    }
}
