/// Names of which no two are alike: one that was given already gets a number behind it, from 2 on.
public struct DistinctNames<Name: Hashable & Sendable>: Sendable {
    private var taken: Set<Name>

    /// - Parameter taken: names that are none to give.
    public init(taken: Set<Name> = []) { self.taken = taken }

    /// The first of the names for no number, 2, 3 and so on that was not given before; it is given now.
    /// - Parameter spelled: the name with a number, or without.
    public mutating func next(_ spelled: (_ number: Int?) -> Name) -> Name {
        let plain = spelled(nil)
        if taken.insert(plain).inserted { return plain }
        var number = 2
        while true {
            let name = spelled(number)
            if taken.insert(name).inserted { return name }
            number += 1
        }
    }
}

extension DistinctNames<String> {
    /// The name, with a number behind the separator when it was given before.
    public mutating func next(_ name: String, separator: String = "_") -> String {
        next { number in number.map { "\(name)\(separator)\($0)" } ?? name }
    }
}
