/// Memory that is read without anything being counted or asked; who writes makes sure before that nobody else holds it.
final class Memory<Element: BitwiseCopyable>: @unchecked Sendable {
    /// The first element.
    let base: UnsafeMutablePointer<Element>
    let count: Int

    /// Room for `count` elements, all `value`.
    init(_ count: Int, _ value: Element) {
        self.count = count
        base = .allocate(capacity: count)
        base.initialize(repeating: value, count: count)
    }

    deinit { base.deallocate() }

    /// A copy where somebody else holds the memory as well, as two copies of a detector do.
    @inline(__always)
    static func own(_ memory: inout Memory) {
        if !isKnownUniquelyReferenced(&memory) { memory = memory.copy(memory.count) }
    }

    /// Twice as much memory, with what is there at its front.
    @inline(never)
    static func grow(_ memory: inout Memory) { memory = memory.copy(2 * memory.count) }

    @inline(never)
    private func copy(_ capacity: Int) -> Memory {
        let copy = Memory(capacity, base[0])
        copy.base.update(from: base, count: count)
        return copy
    }
}
