import Cardiac

extension BeatKind {
    /// The class after ANSI/AAMI EC57 of a beat with this WFDB symbol, as `ecgmap.h` has it; `beat` where the symbol tells
    /// none.
    init(annotation symbol: String) {
        switch symbol {
        case "N", "L", "R", "B", "e", "j", "n": self = .normal
        case "A", "a", "J", "S": self = .supraventricular
        case "V", "E", "r": self = .ventricular
        case "F": self = .fusion
        case "/", "f": self = .paced
        default: self = .beat
        }
    }
}
