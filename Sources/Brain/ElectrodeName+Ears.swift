extension ElectrodeName {
    /// Whether each of these labels of one recording names the difference of the two ears or mastoids, such as
    /// `EEG A2-A1` or `M1-M2`: it tells how references differ, and no place of the head.
    ///
    /// Where contacts are numbered beyond two, as those of electrodes in depth are, `A1-A2` lies between two of these.
    public static func areDifferencesOfEars(_ labels: [String]) -> [Bool] {
        let pairs = labels.map(ElectrodePair.init(label:))
        let named = pairs.flatMap { [$0?.first, $0?.second] } + labels.map(ElectrodeName.init(label:))
        let hasContacts = named.contains { $0.map { $0.isOfEars && $0.number > 2 } ?? false }
        return pairs.map { pair in
            guard let pair, !hasContacts else { return false }
            return pair.first.isOfEars && pair.second.isOfEars && pair.first != pair.second
        }
    }

    private var isOfEars: Bool { ["A", "M"].contains(region) && side != .middle }
}
