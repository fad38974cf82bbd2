/// An electrode's place by the international 10-20 and 10-10 systems, read from a channel's label.
///
/// Jasper 1958; Nuwer et al. 1998. `EEG Fp1-REF`, `Fp1.`, `RAW_AF7` and `EEG1 AF7` are all understood.
public struct ElectrodeName: Hashable, Sendable {
    /// Which side of the head: odd numbers left, even ones right, z the middle.
    public enum Side: Hashable, Sendable {
        case left, right, middle
    }

    /// The letters before the number, in upper case: `FP`, `AF`, `TP`…
    public let region: String
    /// The side.
    public let side: Side
    /// The number, 0 for z.
    public let number: Int

    /// The place that `label` names; nil where it is none of the systems'.
    public init?(label: String) {
        let upper = label.uppercased()
        var words = upper.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        if let first = words.first, words.count > 1, first.hasPrefix("EEG") || first == "RAW" { words.removeFirst() }
        guard var word = words.first else { return nil }
        // `TP9-FPZ` is the electrode before the dash.
        if word.hasPrefix("EEG"), word.count > 3 { word.removeFirst(3) }
        let letters = word.prefix { $0.isLetter }
        let digits = word.dropFirst(letters.count)
        if digits.isEmpty, letters.hasSuffix("Z"), Self.regions.contains(String(letters.dropLast())) {
            (region, side, number) = (String(letters.dropLast()), .middle, 0)
            return
        }
        guard let number = Int(digits), (1...10).contains(number), Self.regions.contains(String(letters)) else {
            return nil
        }
        (region, side, self.number) = (String(letters), number % 2 == 1 ? .left : .right, number)
    }

    /// Whether it lies on the forehead or the frontal lobe, where the eyes are seen best: Fp, AF and F rows.
    public var isFrontal: Bool { ["FP", "AF", "F", "N"].contains(region) }

    /// As the systems spell it, such as `Fp1` or `CPz`.
    public var name: String {
        let letters = region == "FP" ? "Fp" : region
        return side == .middle ? letters + "z" : "\(letters)\(number)"
    }

    private static let regions: Set<String> = [
        "FP", "AF", "F", "FT", "FC", "T", "C", "TP", "CP", "P", "PO", "O", "I", "A", "M", "N", "AFF", "FFC", "CCP",
    ]
}
