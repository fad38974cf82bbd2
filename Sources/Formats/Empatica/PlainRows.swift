/// The common case of rows of numbers: digits with or without a sign and a decimal point, nothing around them. What is
/// written otherwise is left to the thorough reader.
enum PlainRows {
    /// 10^0 … 10^18.
    private static let powers = powersOfTen.prefix(19).map { $0 }

    /// Appends up to `limit` rows; stops before one that is not plain.
    /// - Returns: how many there were.
    static func take(
        _ p: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ limit: Int, _ columns: Int,
        into values: inout [Double]
    ) -> Int {
        // Enough for any piece, without asking for more than the bytes at hand can hold.
        let room = min(limit, (end - p) / (2 * columns) + 1)
        var rows = 0
        withUnsafeTemporaryAllocation(of: Double.self, capacity: room * columns) { out in
            guard let first = out.baseAddress else { return }
            powers.withUnsafeBufferPointer { powers in
                while rows < room, p < end {
                    guard let next = row(p, end, columns, first + rows * columns, powers) else { break }
                    p = next
                    rows += 1
                }
            }
            values.append(contentsOf: UnsafeBufferPointer(start: first, count: rows * columns))
        }
        return rows
    }

    /// Reads one row to `out`; nil when it is not plain.
    @inline(__always)
    private static func row(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ columns: Int,
        _ out: UnsafeMutablePointer<Double>, _ powers: UnsafeBufferPointer<Double>
    ) -> UnsafePointer<UInt8>? {
        var p = start
        for column in 0..<columns {
            guard p < end else { return nil }
            let isNegative = p.pointee == 0x2D
            if isNegative { p += 1 }
            let digits = p
            var sum: UInt64 = 0
            while p < end, p.pointee &- 0x30 < 10 {
                sum = sum &* 10 &+ UInt64(p.pointee &- 0x30)
                p += 1
            }
            var count = p - digits
            var decimals = 0
            if p < end, p.pointee == 0x2E {
                p += 1
                let fraction = p
                while p < end, p.pointee &- 0x30 < 10 {
                    sum = sum &* 10 &+ UInt64(p.pointee &- 0x30)
                    p += 1
                }
                decimals = p - fraction
                count += decimals
            }
            // Clinger 1990: both factors are exact, so one division rounds once.
            guard p < end, p.pointee == (column == columns - 1 ? 0x0A : 0x2C), count > 0, count < 19, sum <= 1 << 53
            else { return nil }
            p += 1
            let value = Double(Int64(bitPattern: sum)) / powers[decimals]
            out[column] = isNegative ? -value : value
        }
        return p
    }

    /// How many lines end in these bytes.
    static func lineEnds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        let raw = UnsafeRawPointer(base)
        let end = SIMD16<UInt8>(repeating: 0x0A)
        var total = 0
        var place = 0
        while place + 16 <= bytes.count {
            // At most 255 in each lane before they are summed.
            var lanes = SIMD16<UInt8>(repeating: 0)
            let stop = min(bytes.count - 15, place + 16 * 255)
            while place < stop {
                let part = raw.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
                lanes = lanes &+ SIMD16<UInt8>(repeating: 1).replacing(with: 0, where: part .!= end)
                place += 16
            }
            for lane in 0..<16 { total += Int(lanes[lane]) }
        }
        while place < bytes.count {
            total += bytes[place] == 0x0A ? 1 : 0
            place += 1
        }
        return total
    }
}
