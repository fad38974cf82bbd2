/// Sums of logarithms of rows of positive values, place by place. Significands are multiplied and exponents added, so
/// that there is one logarithm to take in the end instead of one for each value.
struct LogarithmicSum: Sendable {
    /// Rows added so far.
    private(set) var count = 0
    private var products: [Double]
    /// The exponents of 2 that are not in `products`.
    private var exponents: [Int64]
    /// Rows since the products were last brought back below 2.
    private var since = 0

    /// The least value; what is smaller counts as much.
    static let least = 1e-12

    init(places: Int) {
        products = Array(repeating: 1, count: places)
        exponents = Array(repeating: 0, count: places)
    }

    /// Adds a row; nothing where one of its values is not finite.
    /// - Precondition: a value per place.
    mutating func add(_ row: Span<Double>) -> Bool {
        precondition(row.count == products.count, "a value per place")
        guard Self.isFinite(row) else { return false }
        row.withUnsafeBufferPointer { row in
            products.withUnsafeMutableBufferPointer { products in
                exponents.withUnsafeMutableBufferPointer { exponents in
                    for place in row.indices {
                        let bits = max(row[place], Self.least).bitPattern
                        exponents[place] &+= Int64(bitPattern: bits >> 52) &- 1_023
                        products[place] *= Double(bitPattern: bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000)
                    }
                }
            }
        }
        count += 1
        since += 1
        // Each factor is below 2, and 2 to the power of 1024 is too large.
        if since == 1_000 { bringBack() }
        return true
    }

    /// The bits of magnitudes are in the order of the magnitudes, those of what is not finite behind all.
    private static func isFinite(_ row: Span<Double>) -> Bool {
        row.withUnsafeBufferPointer { row in
            var most: UInt64 = 0
            for value in row { most = max(most, value.bitPattern & 0x7fff_ffff_ffff_ffff) }
            return Double(bitPattern: most).isFinite
        }
    }

    private mutating func bringBack() {
        for place in products.indices {
            exponents[place] += Int64(products[place].exponent)
            products[place] = products[place].significand
        }
        since = 0
    }

    /// The sums of the logarithms to the base of 10.
    var sums: [Double] {
        products.indices.map { Double(exponents[$0]) * 0.301029995663981195 + logarithm10(products[$0]) }
    }
}
