import CVectors

/// The common case of rows of numbers: digits with or without a sign and a decimal point, nothing around them. What is
/// written otherwise is left to the thorough reader.
enum PlainRows {
    /// 10^0 … 10^18.
    private static let powers = powersOfTen.prefix(19).map { $0 }

    /// Appends up to `limit` rows; stops before one that is not plain.
    /// - Parameter begin: the first byte that may be looked at, `p` or before it.
    /// - Returns: how many there were.
    static func take(
        _ p: inout UnsafePointer<UInt8>, from begin: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ limit: Int,
        _ columns: Int, into values: inout [Double]
    ) -> Int {
        // Enough for any piece, without asking for more than the bytes at hand can hold.
        let room = min(limit, (end - p) / (2 * columns) + 1)
        var rows = 0
        withUnsafeTemporaryAllocation(of: Double.self, capacity: room * columns) { out in
            guard let first = out.baseAddress else { return }
            powers.withUnsafeBufferPointer { powers in
                while rows < room, p < end {
                    rows += short(&p, begin, end, room - rows, columns, first + rows * columns, powers)
                    guard rows < room, p < end else { break }
                    guard let next = row(p, end, columns, first + rows * columns, powers) else { break }
                    p = next
                    rows += 1
                }
            }
            values.append(contentsOf: UnsafeBufferPointer(start: first, count: rows * columns))
        }
        return rows
    }

    /// Reads rows whose numbers have at most eight characters, as far as they go: where numbers end is looked up for 64
    /// bytes at once, and each is read in one piece.
    private static func short(
        _ p: inout UnsafePointer<UInt8>, _ begin: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ limit: Int,
        _ columns: Int, _ out: UnsafeMutablePointer<Double>, _ powers: UnsafeBufferPointer<Double>
    ) -> Int {
        // The eight bytes before the end of a number are read together.
        guard p - begin >= 8 else { return 0 }
        var (token, place, next, left) = (p, p, out, columns)
        let (full, last) = (out + limit * columns, end - 64)
        var rows = 0
        while place <= last {
            var ends = marey_either(place, 0x0A, 0x2C)
            while ends != 0 {
                let mark = place + ends.trailingZeroBitCount
                ends &= ends &- 1
                guard mark.pointee == (left == 1 ? 0x0A : 0x2C), let value = short(token, mark, powers) else {
                    return rows
                }
                next.pointee = value
                next += 1
                token = mark + 1
                left &-= 1
                guard left == 0 else { continue }
                p = token
                left = columns
                rows &+= 1
                if next == full { return rows }
            }
            place += 64
        }
        return rows
    }

    /// The number of at most eight characters, the sign not counted, that ends at `mark`; nil when it is another.
    @inline(__always)
    private static func short(
        _ token: UnsafePointer<UInt8>, _ mark: UnsafePointer<UInt8>, _ powers: UnsafeBufferPointer<Double>
    ) -> Double? {
        // 1 or 0 to reckon with: signs come as they like, and a branch would be guessed wrong half the time.
        let minus: UInt64 = token.pointee == 0x2D ? 1 : 0
        let count = mark - token &- Int(truncatingIfNeeded: minus)
        guard UInt(bitPattern: count &- 1) < 8 else { return nil }
        let word = UInt64(littleEndian: UnsafeRawPointer(mark - 8).loadUnaligned(as: UInt64.self))
        let others = UInt64(truncatingIfNeeded: 64 &- 8 &* count)
        // A byte per character, 0…9 for digits; what stands before the number is nothing.
        var digits = ((word ^ 0x3030_3030_3030_3030) &>> others) &<< others
        let odd = ((digits & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080
        guard odd != 0 else { return signed(Double(number(digits)), minus) }
        let point = UInt64(truncatingIfNeeded: odd.trailingZeroBitCount &- 7)
        guard odd & (odd &- 1) == 0, (digits &>> point) & 0xFF == 0x2E ^ 0x30, count > 1 else { return nil }
        let before = digits & (1 &<< point &- 1)
        let after = (((digits &>> point) &>> 8) &<< 8) &<< point
        // Clinger 1990: both factors are exact, so one division rounds once.
        let value = Double(number(after | before &<< 8)) / powers[Int(truncatingIfNeeded: (56 &- point) &>> 3)]
        return signed(value, minus)
    }

    /// The number that eight digits make, the first in the lowest byte: digits become pairs, and those a number.
    @inline(__always)
    private static func number(_ digits: UInt64) -> UInt32 {
        let pairs = digits &* 10 &+ digits &>> 8
        let sum =
            (pairs & 0xFF_0000_00FF) &* (100 + 1_000_000 << 32)
            &+ (pairs &>> 16 & 0xFF_0000_00FF) &* (1 + 10_000 << 32)
        return UInt32(truncatingIfNeeded: sum &>> 32)
    }

    @inline(__always)
    private static func signed(_ value: Double, _ minus: UInt64) -> Double {
        Double(bitPattern: value.bitPattern | minus &<< 63)
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
