import Foundation

/// The system allows no more processes or threads.
public struct ThreadShortage: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the system said, as in `errno`.
    public var code: Int32

    /// What the system said of a thread or process that it was asked for.
    public init(code: Int32) {
        self.code = code
    }

    /// What is wrong and what to do about it, for people.
    public var description: String {
        "no more processes or threads are allowed (ulimit -u, or the limit of a container), or there is no memory for "
            + "another (ulimit -v): \(String(cString: strerror(code))); raise the limit or end other programs"
    }
}
