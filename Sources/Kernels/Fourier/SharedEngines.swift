import Synchronization

/// The transforms that were made so far, for whoever asks for one of the same length again: what they hold never changes.
struct SharedEngines<Engine: FourierEngine>: ~Copyable {
    /// Beyond this length a transform is dear to keep and cheap to make beside what it does.
    private static var longest: Int { 1 << 14 }
    private static var most: Int { 32 }
    private let engines = Mutex<[Int: Engine]>([:])

    func engine(_ length: Int, _ make: (Int) -> Engine) -> Engine {
        guard length <= Self.longest else { return make(length) }
        return engines.withLock { engines in
            if let engine = engines[length] { return engine }
            // Who transforms a signal of every length keeps none of them for ever.
            if engines.count >= Self.most { engines.removeAll() }
            let engine = make(length)
            engines[length] = engine
            return engine
        }
    }
}

let sharedFloatEngines = SharedEngines<FloatEngine>()
let sharedDoubleEngines = SharedEngines<DoubleEngine>()
