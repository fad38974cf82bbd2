/// What an electrode that is recorded beside an EEG's is for, read from a channel's label.
///
/// The words are those of EDF+ (`EMG submental`, `EOG horizontal`), of BIDS (`HEOG`, `VEOG`) and of sleep laboratories
/// (`Chin1-Chin2`, `LOC-A2`, `ROC`).
public enum BodyElectrode: String, Hashable, Codable, CaseIterable, Sendable {
    /// The eyes: electro-oculogram.
    case eye
    /// The chin: the muscle tone that sleep is scored by.
    case chin
    /// A muscle that is not named.
    case muscle
    /// A muscle of a limb, whose tone says nothing of sleep.
    case limb
    /// The heart.
    case heart

    /// What `label` names; nil where that is none of these.
    public init?(label: String) {
        let words = label.uppercased().split { !$0.isLetter && !$0.isNumber }.map { word in
            var word = word
            while word.last?.isNumber == true { word.removeLast() }
            return word
        }
        func isAny(_ whole: Set<Substring>, _ beginnings: [String]) -> Bool {
            words.contains { word in whole.contains(word) || beginnings.contains { word.hasPrefix($0) } }
        }
        let isMuscle = isAny([], ["EMG", "ELECTROMYO"])
        if isAny([], ["CHIN", "SUBMENT", "MENTAL"]) || isMuscle && isAny(["MENT"], []) {
            self = .chin
        } else if isAny(["LEG", "LLEG", "RLEG", "PLM"], ["TIBIAL"])
            || isMuscle && isAny(["ARM", "TIB", "LAT", "RAT"], ["LIMB"])
        {
            self = .limb
        } else if isMuscle {
            self = .muscle
        } else if isAny(["LOC", "ROC"], ["EOG", "HEOG", "VEOG", "ELECTROOCULO"]) {
            self = .eye
        } else if isAny(["ECG", "EKG"], ["ELECTROCARDIO"]) {
            self = .heart
        } else {
            return nil
        }
    }
}

extension BodyElectrode {
    /// What each of these labels names, in a recording whose channels are called `all`: `E1` and `E2` are the eyes of sleep
    /// laboratories (AASM Manual for the Scoring of Sleep, section on the electro-oculogram) where they are no two of a net's many
    /// electrodes, and others are called by the 10-20 system.
    public static func all(of labels: [String], among all: [String]) -> [BodyElectrode?] {
        let hasEyes = namesEyes(all)
        return labels.map { label in
            BodyElectrode(label: label) ?? (hasEyes && number(label).map { $0 <= 2 } ?? false ? .eye : nil)
        }
    }

    private static func namesEyes(_ labels: [String]) -> Bool {
        let numbers = labels.compactMap(number)
        guard !numbers.isEmpty, numbers.allSatisfy({ (1...2).contains($0) }) else { return false }
        return labels.contains { ElectrodeName(label: $0) != nil || BodyElectrode(label: $0) == .chin }
    }

    /// The number of `E1`, `E2-M1` and the like.
    private static func number(_ label: String) -> Int? {
        guard let word = label.uppercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber }).first,
            word.first == "E"
        else { return nil }
        return Int(word.dropFirst())
    }
}
