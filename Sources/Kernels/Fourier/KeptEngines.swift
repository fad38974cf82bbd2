/// The transforms that were made so far, by their length: what they hold never changes.
let keptFloatEngines = KeptDesigns<Int, FloatEngine>()
let keptDoubleEngines = KeptDesigns<Int, DoubleEngine>()

extension KeptDesigns where Question == Int, Design: FourierEngine {
    /// The transform of `length` values.
    func engine(_ length: Int, _ make: (Int) -> Design) -> Design {
        design(for: length, length: length) { make(length) }
    }
}
