import Synchronization

/// What was designed so far, such as the taps of a filter, for whoever asks for the same again: a program that analyzes one
/// recording after another asks for the same few, and designs never change.
public struct KeptDesigns<Question: Hashable & Sendable, Design: Sendable>: ~Copyable, Sendable {
    private static var most: Int { 32 }
    /// Beyond so many values a design is dear to keep, and cheap to make beside what it does.
    private static var longest: Int { 1 << 14 }
    private let designs = Mutex<[Question: Design]>([:])

    /// None yet.
    public init() {}

    /// The design for `question`, made by `make` where it was not before.
    /// - Parameter length: how many values it has; one of more than 16,384 is made each time.
    /// - Throws: what `make` does; that is not kept.
    public func design<Failure: Error>(
        for question: Question, length: Int, _ make: () throws(Failure) -> Design
    ) throws(Failure) -> Design {
        guard length <= Self.longest else { return try make() }
        if let known = designs.withLock({ $0[question] }) { return known }
        let design = try make()
        designs.withLock { designs in
            // Who asks for something new with every recording keeps none of them for ever.
            if designs.count >= Self.most { designs.removeAll() }
            designs[question] = design
        }
        return design
    }
}
