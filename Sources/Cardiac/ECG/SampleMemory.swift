/// Memory for samples that is read without anything being counted or asked; who writes makes sure before that nobody else
/// holds it.
final class SampleMemory: @unchecked Sendable {
    /// The first sample.
    let base: UnsafeMutablePointer<Float>
    private let count: Int

    /// Room for `count` samples, all 0.
    init(_ count: Int) {
        self.count = count
        base = .allocate(capacity: count)
        base.initialize(repeating: 0, count: count)
    }

    deinit { base.deallocate() }

    /// A copy where somebody else holds the memory as well, as two copies of a detector do.
    @inline(__always)
    static func own(_ memory: inout SampleMemory) {
        if !isKnownUniquelyReferenced(&memory) { memory = memory.copy() }
    }

    @inline(never)
    private func copy() -> SampleMemory {
        let copy = SampleMemory(count)
        copy.base.update(from: base, count: count)
        return copy
    }
}
