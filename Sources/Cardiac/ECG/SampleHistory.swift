/// The latest samples of a run in one piece of memory, addressed by their place in the run.
struct SampleHistory {
    private var memory: Memory<Float>
    /// Place in the run of the first sample in the memory.
    private(set) var start = 0
    /// Samples in the memory.
    private var count = 0
    private let kept: Int

    private let capacity: Int

    /// Memory behind the latest sample that may be read as well, in samples; what stands there means nothing.
    static let slack = 32

    /// Holds at least the latest `kept` samples; takes up to `room` in one go.
    init(keeping kept: Int, room: Int) {
        self.kept = kept
        // Of three samples about one is moved.
        capacity = 4 * kept + room
        memory = Memory(capacity + Self.slack, 0)
    }

    /// Place in the run of the next sample.
    var end: Int { start + count }

    /// Forgets everything; the next sample is at `place`.
    mutating func reset(at place: Int) {
        start = place
        count = 0
    }

    /// Forgets the oldest samples where `length` more would not fit.
    mutating func makeRoom(for length: Int) {
        guard count + length > capacity else { return }
        let dropped = count - kept
        Memory.own(&memory)
        memory.base.update(from: memory.base + dropped, count: kept)
        start += dropped
        count = kept
    }

    /// Adds `length` samples, to be written at once from the pointer on; the samples before them stand before it.
    @inline(__always)
    mutating func append(_ length: Int) -> UnsafeMutablePointer<Float> {
        makeRoom(for: length)
        Memory.own(&memory)
        defer { count += length }
        return memory.base + count
    }

    /// Adds `value` `length` times.
    mutating func append(repeating value: Float, _ length: Int) {
        append(length).update(repeating: value, count: length)
    }

    /// Forgets the latest `length` samples.
    mutating func removeLast(_ length: Int) { count -= length }

    /// The samples, with the pointer standing at place 0 of the run. Only places in `start..<end` may be read, until more
    /// are added.
    var samples: UnsafePointer<Float> {
        @inline(__always) get { UnsafePointer(memory.base + (0 &- start)) }
    }

    /// As `samples`, to change them.
    @inline(__always)
    mutating func changeable() -> UnsafeMutablePointer<Float> {
        Memory.own(&memory)
        return memory.base - start
    }

    /// The sample at a place.
    subscript(place: Int) -> Float {
        precondition(place >= start && place < end, "a sample that is there")
        return memory.base[place - start]
    }
}
