extension ElectrodeName {
    /// Whether each of these labels of one recording names the difference of the two ears or mastoids, such as
    /// `EEG A2-A1` or `M1-M2`: it tells how references differ, and no place of the head.
    ///
    /// Where contacts are numbered beyond two, as those of electrodes in depth are, `A1-A2` lies between two of these.
    public static func areDifferencesOfEars(_ labels: [String]) -> [Bool] {
        let derivations = labels.map { sides(of: $0) }
        let hasContacts = derivations.joined().contains { $0.isOfEars && $0.number > 2 }
        return derivations.map { sides in
            !hasContacts && sides.count == 2 && sides[0] != sides[1] && sides.allSatisfy(\.isOfEars)
        }
    }

    private var isOfEars: Bool { ["A", "M"].contains(region) && side != .middle }

    /// The electrodes on either side of a dash; none where one of them is no electrode.
    private static func sides(of label: String) -> [ElectrodeName] {
        let parts = label.split(separator: "-").map(String.init)
        let electrodes = parts.compactMap(ElectrodeName.init(label:))
        return electrodes.count == parts.count ? electrodes : []
    }
}
