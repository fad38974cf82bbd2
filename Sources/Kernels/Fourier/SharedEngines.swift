/// The transforms that were made so far, by their length: what they hold never changes.
struct SharedEngines<Engine: FourierEngine>: ~Copyable {
    /// Beyond this length a transform is dear to keep and cheap to make beside what it does.
    private static var longest: Int { 1 << 14 }
    private let engines = KeptDesigns<Int, Engine>()

    func engine(_ length: Int, _ make: (Int) -> Engine) -> Engine {
        length <= Self.longest ? engines.design(for: length) { make(length) } : make(length)
    }
}

let sharedFloatEngines = SharedEngines<FloatEngine>()
let sharedDoubleEngines = SharedEngines<DoubleEngine>()
