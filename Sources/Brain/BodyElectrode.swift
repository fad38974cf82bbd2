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
