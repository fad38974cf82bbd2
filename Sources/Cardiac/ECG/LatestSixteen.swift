import CVectors

/// The latest sixteen of a series of finite numbers, found by their index in it. What reads them may change them, as far
/// as the compiler knows, so that they are not copied to be read.
struct LatestSixteen: Sendable {
    /// Every number twice, so that those of any indices stand in a row, and room for lanes that do not count.
    private var memory = InlineArray<48, Float>(repeating: 0)

    /// The number at an index; writing it forgets the one sixteen before.
    subscript(index: Int) -> Float {
        @inline(__always) get { memory[index & 15] }
        @inline(__always) set {
            memory[index & 15] = newValue
            memory[index & 15 + 16] = newValue
        }
    }

    /// The mean of one number or more.
    @inline(__always)
    mutating func mean(_ indices: Range<Int>) -> Float {
        read(indices) { marey_first_sum($0, $1) } / Float(indices.upperBound &- indices.lowerBound)
    }

    /// How many are at least `floor`.
    @inline(__always)
    mutating func count(_ indices: Range<Int>, reaching floor: Float) -> Int {
        Int(read(indices) { marey_first_reaching($0, $1, floor) })
    }

    /// The one with `rank` smaller ones, of more than that.
    @inline(__always)
    mutating func ranked(_ rank: Int, of indices: Range<Int>) -> Float {
        read(indices) { marey_first_ranked($0, $1, Int32(truncatingIfNeeded: rank)) }
    }

    /// The three highest, where none is below 0.
    @inline(__always)
    mutating func highest(_ indices: Range<Int>) -> marey_highest_three {
        read(indices) { marey_three_highest($0, $1) }
    }

    @inline(__always)
    private mutating func read<Value>(_ indices: Range<Int>, _ body: (UnsafePointer<Float>, Int32) -> Value) -> Value {
        let count = indices.upperBound &- indices.lowerBound
        precondition(count <= 16)
        return withUnsafeMutableBytes(of: &memory) {
            let first = $0.assumingMemoryBound(to: Float.self).baseAddress.unsafelyUnwrapped
            return body(first + indices.lowerBound & 15, Int32(truncatingIfNeeded: count))
        }
    }
}
