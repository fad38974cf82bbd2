/// The two electrodes whose difference a channel is, read from its label: `Fp1-F3`, `EEG C3–P3`, `T8-P8-0`.
package struct ElectrodePair: Hashable, Sendable {
    /// The electrode that counts positive.
    package let first: ElectrodeName
    /// The one subtracted.
    package let second: ElectrodeName

    /// The fewest channels against one electrode that make it a reference: two chains, too, may end at the same one.
    private static let fewest = 3

    /// The electrodes that `label` names; nil where these are not two, as in `Fp1` and `Fp1-REF`.
    package init?(label: String) {
        var parts = label.split { "-\u{2010}\u{2011}\u{2013}\u{2014}\u{2212}".contains($0) }.map(String.init)
        if parts.count > 2, parts[0].uppercased() == "EEG" { parts.removeFirst() }
        guard parts.count > 1, let first = ElectrodeName(label: parts[0]), let second = ElectrodeName(label: parts[1])
        else { return nil }
        (self.first, self.second) = (first, second)
    }

    /// Of each of these channels whether it has its reference in common with others, so that channels of one head agree.
    /// Of bipolar ones that are far from one another clean EEG may have nothing in common. Ears and mastoids are one
    /// reference, left, right or linked; a label that names no second electrode is measured against what all such are.
    package static func areComparable(_ labels: [String]) -> [Bool] {
        let references = labels.map { label in
            ElectrodePair(label: label).map { ["A", "M"].contains($0.second.region) ? "ear" : $0.second.name }
        }
        return references.map { reference in reference == nil || references.count { $0 == reference } >= fewest }
    }
}
