package import CVectors

/// The latest sixteen of a series of finite numbers, found by their index in it.
package struct LatestSixteen: Sendable {
    /// Every number twice, so that those of any indices stand in a row, and room for lanes that do not count.
    @usableFromInline
    var memory = [Float](repeating: 0, count: 48)

    /// Noughts.
    @inlinable
    package init() {}

    /// The number at an index; writing it forgets the one sixteen before.
    @inlinable
    package subscript(index: Int) -> Float {
        get { memory[index & 15] }
        set {
            memory[index & 15] = newValue
            memory[index & 15 + 16] = newValue
        }
    }

    /// The mean of one number or more.
    @inlinable
    package func mean(_ indices: Range<Int>) -> Float {
        read(indices) { marey_first_sum($0, $1) } / Float(indices.count)
    }

    /// How many are at least `floor`.
    @inlinable
    package func count(_ indices: Range<Int>, reaching floor: Float) -> Int {
        Int(read(indices) { marey_first_reaching($0, $1, floor) })
    }

    /// The one with `rank` smaller ones, of more than that.
    @inlinable
    package func ranked(_ rank: Int, of indices: Range<Int>) -> Float {
        read(indices) { marey_first_ranked($0, $1, Int32(rank)) }
    }

    /// What `body` makes of the numbers, from the first on; the latest sixteen at most.
    @inlinable
    @inline(__always)
    package func read<Result>(_ indices: Range<Int>, _ body: (UnsafePointer<Float>, Int32) -> Result) -> Result {
        precondition(indices.count <= 16)
        return memory.withUnsafeBufferPointer { memory in
            // The memory is never empty.
            body(memory.baseAddress.unsafelyUnwrapped + indices.lowerBound & 15, Int32(indices.count))
        }
    }
}
