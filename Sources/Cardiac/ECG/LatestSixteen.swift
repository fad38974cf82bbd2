import CVectors

/// The latest sixteen of a series of finite numbers, found by their index in it.
struct LatestSixteen: Sendable {
    /// Every number twice, so that those of any indices stand in a row, and room for lanes that do not count.
    private var memory = SampleMemory(48)

    /// The number at an index; writing it forgets the one sixteen before.
    subscript(index: Int) -> Float {
        @inline(__always) get { memory.base[index & 15] }
        @inline(__always) set {
            SampleMemory.own(&memory)
            memory.base[index & 15] = newValue
            memory.base[index & 15 + 16] = newValue
        }
    }

    /// The mean of one number or more.
    @inline(__always)
    func mean(_ indices: Range<Int>) -> Float {
        marey_first_sum(first(of: indices), Int32(truncatingIfNeeded: indices.count)) / Float(indices.count)
    }

    /// How many are at least `floor`.
    @inline(__always)
    func count(_ indices: Range<Int>, reaching floor: Float) -> Int {
        Int(marey_first_reaching(first(of: indices), Int32(truncatingIfNeeded: indices.count), floor))
    }

    /// The one with `rank` smaller ones, of more than that.
    @inline(__always)
    func ranked(_ rank: Int, of indices: Range<Int>) -> Float {
        marey_first_ranked(
            first(of: indices), Int32(truncatingIfNeeded: indices.count), Int32(truncatingIfNeeded: rank))
    }

    /// The three highest, where none is below 0.
    @inline(__always)
    func highest(_ indices: Range<Int>) -> marey_highest_three {
        marey_three_highest(first(of: indices), Int32(truncatingIfNeeded: indices.count))
    }

    @inline(__always)
    private func first(of indices: Range<Int>) -> UnsafePointer<Float> {
        precondition(indices.count <= 16)
        return UnsafePointer(memory.base + indices.lowerBound & 15)
    }
}
