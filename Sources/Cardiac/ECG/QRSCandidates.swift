import CVectors

/// Tops of the strength that have not been weighed yet, in order of time.
struct QRSCandidates {
    /// Those that wait stand from `first` to before `end`; what stands before is read but does not count.
    private var list = Memory(128, marey_candidate())
    private var first = 1
    private var end = 1
    /// The most that come of one block.
    private static let most = 32

    /// Forgets all.
    mutating func removeAll() {
        first = 1
        end = 1
    }

    /// To be asked before any are added: none but these may hold the memory.
    mutating func own() { Memory.own(&list) }

    /// Adds the tops among `count` strengths, a multiple of 8 and at most 32, from the `start`-th on.
    @inline(__always)
    mutating func collect(
        _ strengths: UnsafePointer<Float>, from start: Int, count: Int, block: Int,
        _ rules: marey_candidate_rules
    ) -> marey_block {
        if end &+ Self.most > list.count { makeRoom() }
        return marey_collect(
            strengths, start, Int32(truncatingIfNeeded: count / 8), Int32(truncatingIfNeeded: block), rules, list.base,
            first, &end)
    }

    /// Whether there is one of `block` or of a block before.
    @inline(__always)
    func has(until block: Int) -> Bool { first < end && Int(list.base[first].block) <= block }

    /// Takes the first, of `block` or of a block before.
    @inline(__always)
    mutating func take(until block: Int) -> marey_candidate? {
        guard has(until: block) else { return nil }
        defer { first &+= 1 }
        return list.base[first]
    }

    /// Those that wait.
    var waiting: UnsafeBufferPointer<marey_candidate> {
        UnsafeBufferPointer(start: list.base + first, count: end &- first)
    }

    @inline(never)
    private mutating func makeRoom() {
        let waiting = end - first
        Memory.own(&list)
        list.base.update(from: list.base + (first - 1), count: 1 + waiting)
        first = 1
        end = 1 + waiting
        if end + Self.most > list.count { Memory.grow(&list) }
    }
}
