/// The latest samples of a run in one piece of memory, addressed by their place in the run.
struct SampleHistory {
    private var storage: [Float]
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
        // Each sample is moved about once.
        capacity = 2 * kept + room
        storage = [Float](repeating: 0, count: capacity + Self.slack)
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
        storage.withUnsafeMutableBufferPointer { memory in
            guard let base = memory.baseAddress else { return }
            base.update(from: base + dropped, count: kept)
        }
        start += dropped
        count = kept
    }

    /// Adds `length` samples, which `body` writes; it also sees the samples before them at negative indices.
    @inline(__always)
    mutating func append(_ length: Int, _ body: (UnsafeMutablePointer<Float>) -> Void) {
        makeRoom(for: length)
        storage.withUnsafeMutableBufferPointer { memory in
            if let base = memory.baseAddress { body(base + count) }
        }
        count += length
    }

    /// Adds `value` `length` times.
    mutating func append(repeating value: Float, _ length: Int) {
        append(length) { target in
            for index in 0..<length { target[index] = value }
        }
    }

    /// Forgets the latest `length` samples.
    mutating func removeLast(_ length: Int) { count -= length }

    /// The memory, with the pointer standing at place 0 of the run. Only places in `start..<end` may be read.
    @inline(__always)
    func withSamples<R>(_ body: (UnsafePointer<Float>) -> R) -> R {
        storage.withUnsafeBufferPointer { memory in
            // The storage is never empty.
            body(memory.baseAddress.unsafelyUnwrapped - start)
        }
    }

    /// As `withSamples`, to change samples.
    @inline(__always)
    mutating func withMutableSamples(_ body: (UnsafeMutablePointer<Float>) -> Void) {
        storage.withUnsafeMutableBufferPointer { [start] memory in
            body(memory.baseAddress.unsafelyUnwrapped - start)
        }
    }

    subscript(place: Int) -> Float { storage[place - start] }
}
