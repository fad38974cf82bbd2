/// A place of the 10-20 system and its extensions, read from a channel's label (`EEG F3-REF` is F3).
public struct ElectrodeName: Hashable, Sendable {
    /// Region and row in capitals: `F`, `AF`, `FP`.
    public let region: String
    /// Its number: odd on the left, even on the right; 0 on the midline.
    public let number: Int

    /// The place that `label` names; nil where it names none.
    public init?(_ label: String) {
        let known: Set = [
            "FP", "AF", "F", "FT", "FC", "T", "C", "TP", "CP", "P", "PO", "O", "I", "A", "M", "AFF", "FFT", "FFC",
        ]
        for word in label.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
            let text = word.uppercased()
            let letters = text.prefix { $0.isLetter }
            let digits = text.dropFirst(letters.count)
            if let number = Int(digits), (1...12).contains(number), known.contains(String(letters)) {
                (region, self.number) = (String(letters), number)
                return
            }
            if digits.isEmpty, letters.count > 1, letters.hasSuffix("Z"), known.contains(String(letters.dropLast())) {
                (region, number) = (String(letters.dropLast()), 0)
                return
            }
        }
        return nil
    }

    /// Whether it lies over the front of the head.
    public var isFrontal: Bool { ["FP", "AF", "AFF", "F"].contains(region) }
    /// Whether it lies on the right.
    public var isRight: Bool { number > 0 && number % 2 == 0 }
    /// The homologous number on the other side: F4 for F3, F3 for F4; itself on the midline.
    var mirroredNumber: Int { number == 0 ? 0 : isRight ? number - 1 : number + 1 }

    /// For each of `labels` the place, among them, of the homologous frontal electrode on the left; nil for labels that do
    /// not name a frontal electrode on the right, or whose counterpart is not there.
    static func leftCounterparts(_ labels: [String]) -> [Int?] {
        let names = labels.map(ElectrodeName.init)
        return names.map { name in
            guard let name, name.isFrontal, name.isRight else { return nil }
            return names.firstIndex { $0?.region == name.region && $0?.number == name.mirroredNumber }
        }
    }
}
