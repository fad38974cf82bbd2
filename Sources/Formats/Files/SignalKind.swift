public import Signals

/// Tells what a signal measures from its label, sensor and unit. EDF+ prescribes `type sensor` labels (`EEG Fpz-Cz`); many files use bare
/// electrode or lead names, or their makers' own words.
enum SignalKind {
    /// The kind by the first word of the label that says it, by electrode or lead name, by the sensor, by the unit.
    static func kind(label: String, transducer: String, unit: Unit) -> StreamKind {
        let words = words(label)
        if let kind = kind(ofWords: words, unit: unit) { return kind }
        if isVoltage(unit) || unit == .unknown {
            if isElectrodes(words) || unit == .microvolts && isCapPlace(words) { return .eeg }
            if isLead(words) { return .ecg }
        }
        if !words.contains(where: { $0.hasPrefix("EXG") }) {
            let sensor = Self.words(transducer)
            if sensor == ["ACTIVE", "ELECTRODE"] { return .eeg }
            if let kind = kind(ofWords: sensor, unit: unit), kind != .marker { return kind }
        }
        return kind(ofUnit: unit)
    }

    /// A label from which a reader can tell the kind: the same, or with the kind's name before it.
    static func label(_ label: String, telling kind: StreamKind, transducer: String = "", unit: Unit) -> String {
        guard Self.kind(label: label, transducer: transducer, unit: unit) != kind, !isBesideEEG(label),
            let name = names[kind]
        else { return label }
        return name + " " + label
    }

    private static let names: [StreamKind: String] = [
        .ecg: "ECG", .eeg: "EEG", .bvp: "BVP", .eda: "EDA", .temperature: "Temp", .acceleration: "ACC",
        .gyroscope: "GYR", .respiration: "Resp", .heartRate: "HR", .battery: "Battery", .impedance: "IMP",
        .marker: "Event",
    ]

    /// The unit that is meant in a stream of this kind: `us` of a skin conductance is microsiemens, not microseconds.
    static func meant(_ unit: Unit, by kind: StreamKind) -> Unit {
        kind == .eda && unit == Unit("µs") ? .microsiemens : unit
    }

    /// The intended unit of a signal with this label.
    static func meant(_ unit: Unit, label: String, transducer: String = "") -> Unit {
        unit == Unit("µs") ? meant(unit, by: kind(label: label, transducer: transducer, unit: unit)) : unit
    }

    /// The kind that a label's words say; nil where they say none, as those of electrodes do not.
    static func said(by label: String, unit: Unit = .unknown) -> StreamKind? {
        kind(ofWords: words(label), unit: unit)
    }

    /// Which of ECG and pulse a text on a cardiac signal tells of; nil where it tells of neither, or of both.
    static func cardiac(saidBy text: String) -> StreamKind? {
        let words = words(text)
        let isECG = words.contains { word in
            word == "LEAD" || word == "LEADS" || ["ECG", "EKG", "ELECTROCARDIO"].contains { word.hasPrefix($0) }
        }
        let isPulse = words.contains { word in
            ["PPG", "PULS", "BVP"].contains { word.hasPrefix($0) }
                || ["PLETH", "OXIMET"].contains { word.contains($0) }
        }
        return isECG == isPulse ? nil : isECG ? .ecg : .bvp
    }

    /// Whether a label says that a channel among those of an EEG is none: of eyes or muscles.
    static func isBesideEEG(_ label: String) -> Bool { !Set(words(label)).isDisjoint(with: ["EOG", "EMG"]) }

    /// Whether eyes or muscles are in a label, as in `VEOG`.
    static func isBody(_ label: String) -> Bool { ["EOG", "EMG"].contains { label.uppercased().contains($0) } }

    /// What a channel measures that was said to be EEG: often all channels of a file are, and a label such as `ECG` or `HEOG`
    /// knows better.
    static func kind(saidToBeEEG label: String) -> StreamKind { isBody(label) ? .other : said(by: label) ?? .eeg }

    /// Whether numbers in a channel of this name stand for events: `Status`, `Trigger`, `TRIG1`, `STI 014`, `Marker`,
    /// `Event Code`.
    static func isTrigger(_ label: String) -> Bool {
        let stems = words(label).map { word in String(word.reversed().drop(while: \.isNumber).reversed()) }
        return stems.contains(where: triggers.contains)
            && stems.allSatisfy { $0.isEmpty || triggers.contains($0) || besideTriggers.contains($0) }
    }

    /// Whether a channel of a BDF file is called as the one that holds trigger inputs as bits.
    static func isStatus(_ label: String) -> Bool {
        words(label).contains { ["STATUS", "TRIGGER", "TRIGGERS"].contains($0) }
    }

    private static let triggers: Set<String> = [
        "STATUS", "STI", "TRIGGER", "TRIGGERS", "TRIG", "DTRIG", "TRIGGERIN", "TRIGIN", "MARKER", "MARKERS", "EVENT",
        "EVENTS", "STIM", "STIMULUS", "STIMULUSCODE", "STIMULUSTYPE", "STIMCODE", "EVENTCODE", "TRIGGERCODE",
    ]
    /// What may stand beside such a word.
    private static let besideTriggers: Set<String> = [
        "CODE", "CODES", "CHANNEL", "CH", "ID", "IN", "INPUT", "INPUTS", "DC", "DIGITAL", "DIG", "EXT", "EXTERNAL",
        "PATIENT", "BUTTON", "LINE", "PORT", "TTL", "BIT", "BITS", "TYPE",
    ]

    private static func words(_ text: String) -> [String] {
        text.uppercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map(String.init)
    }

    private static func kind(ofWords words: [String], unit: Unit) -> StreamKind? {
        let kind = named(words, unit: unit)
        // A skin conductance sensor's range or resistance is not its conductance.
        return kind == .eda && (unit == .dimensionless || isResistance(unit)) ? .other : kind
    }

    private static func named(_ words: [String], unit: Unit) -> StreamKind? {
        if let derived = DerivedSignal.kind(ofWords: words, unit: unit) { return derived }
        if words.starts(with: ["HEART", "RATE"]), words.count == 2 { return .heartRate }
        if words.starts(with: ["SKIN", "CONDUCTANCE"]), !UnitEvidence.contradicts(.eda, unit) { return .eda }
        for word in words {
            var stem = word
            while stem.last?.isNumber == true { stem.removeLast() }
            if stem == "PULSE", !UnitEvidence.contradicts(.bvp, unit) || unit == .beatsPerMinute {
                return unit == .beatsPerMinute ? .heartRate : .bvp
            }
            // Recorders of EEG call all their inputs so, `EEG EKG1-REF` too.
            if stem == "EEG", let other = named(Array(words.dropFirst()), unit: unit), besideEEG.contains(other) {
                return other
            }
            // `EcgWaveform`.
            for ending in signals where stem.hasSuffix(ending) { stem.removeLast(ending.count) }
            if words.count == 1, let kind = axes[word] { return kind }
            guard
                let kind = whole[stem] ?? beginnings.first(where: { stem.hasPrefix($0.beginning) })?.kind
                    ?? (stem.hasSuffix("TEMP") || stem.hasSuffix("TEMPERATURE") ? .temperature : nil),
                !UnitEvidence.contradicts(kind, unit)
            else { continue }
            // An ECG amplifier's channel of impedance respiration: `ECG_RESP`.
            return kind == .ecg && words.contains(where: isRespiration) ? .respiration : kind
        }
        return nil
    }

    private static func isRespiration(_ word: String) -> Bool { word == "RSP" || word.hasPrefix("RESP") }

    /// What labels end in that only says that it is a signal.
    private static let signals = ["WAVEFORM", "SIGNAL"]

    private static let besideEEG: Set<StreamKind> = [.ecg, .respiration]

    /// Axes of inertial sensors, as makers of boards call them.
    private static let axes: [String: StreamKind] = [
        "AX": .acceleration, "AY": .acceleration, "AZ": .acceleration, "ACCX": .acceleration, "ACCY": .acceleration,
        "ACCZ": .acceleration, "GX": .gyroscope, "GY": .gyroscope, "GZ": .gyroscope,
    ]

    private static let whole: [String: StreamKind] = [
        "ECG": .ecg, "EKG": .ecg, "EEG": .eeg, "PPG": .bvp, "BVP": .bvp, "EDA": .eda, "GSR": .eda, "SCL": .eda,
        "SCR": .eda, "SC": .eda, "TEMP": .temperature, "THO": .respiration, "ABD": .respiration, "FLOW": .respiration,
        "CHEST": .respiration, "NASAL": .respiration, "RSP": .respiration, "SKT": .temperature, "ACC": .acceleration,
        "HR": .heartRate, "HEARTRATE": .heartRate,
        "STATUS": .marker, "STI": .marker, "STIM": .marker, "STIMULUS": .marker, "STIMULUSCODE": .marker,
        "STIMULUSTYPE": .marker, "STIMCODE": .marker, "EVENTCODE": .marker, "EVENT": .marker, "EVENTS": .marker,
        "DTRIG": .marker, "IMP": .impedance,
        "EOG": .other, "EMG": .other, "SAO": .other, "SPO": .other, "HRV": .other, "LIGHT": .other, "SOUND": .other,
        "BAT": .battery, "COUNT": .other, "COUNTER": .other, "TIMESTAMP": .other, "VALID": .other, "VALIDATION": .other,
        "POSITION": .other, "POS": .other, "MEG": .other, "ERG": .other,
    ]

    private static let beginnings: [(beginning: String, kind: StreamKind)] = [
        ("ELECTROCARDIO", .ecg), ("PLETH", .bvp), ("PHOTOPLETH", .bvp), ("ELECTRODERMAL", .eda), ("GALVANIC", .eda),
        ("TEMPERAT", .temperature), ("THERMIST", .temperature), ("RESP", .respiration), ("BREATHING", .respiration),
        ("THOR", .respiration),
        ("ABDO", .respiration), ("AIRFLOW", .respiration), ("ACCEL", .acceleration), ("GYR", .gyroscope),
        ("BATT", .battery), ("TRIG", .marker), ("MARKER", .marker), ("IMPEDANCE", .impedance),
        ("ELECTROENCEPHALO", .eeg),
    ]

    private static let leads: Set<String> = [
        "I", "II", "III", "AVR", "AVL", "AVF", "V", "V1", "V2", "V3", "V4", "V5", "V6", "MLI", "MLII", "MLIII", "MCL1",
    ]

    /// Whether they name a lead of an ECG: `II`, `Lead II`.
    private static func isLead(_ words: [String]) -> Bool {
        let name = words.first == "LEAD" ? words.dropFirst() : words[...]
        return name.count == 1 && name.first.map(leads.contains) == true
    }

    /// Whether all words are places of the 10-20 and 10-10 systems, but for a named reference.
    private static func isElectrodes(_ words: [String]) -> Bool {
        guard let first = words.first, isElectrode(first) else { return false }
        return words.dropFirst().allSatisfy { isElectrode($0) || references.contains($0) }
    }

    private static let references: Set<String> = ["REF", "AVG", "AR", "LE", "CAR", "G", "GND", "LER"]
    private static let regions: Set<String> = [
        "N", "NFP", "FP", "AFP", "AF", "AFF", "F", "FFC", "FFT", "FC", "FCC", "FT", "FTT", "C", "CCP", "T", "TTP", "CP",
        "CPP", "TP", "TPP", "P", "PPO", "PO", "POO", "O", "OI", "I", "A", "M",
    ]

    /// Whether it is a place of the 10-20, 10-10 and 10-5 systems; those of the last that lie half-way end in h.
    private static func isElectrode(_ word: String) -> Bool {
        // `EEGF3`, without a blank.
        let word = word.hasPrefix("EEG") ? word.dropFirst(3) : word[...]
        // Ears and mastoids have two sides and no middle.
        if word.hasSuffix("Z"), regions.contains(String(word.dropLast())) { return word != "AZ" && word != "MZ" }
        let region = word.prefix { $0.isLetter }
        var digits = word.dropFirst(region.count)
        if digits.last == "H" { digits.removeLast() }
        guard regions.contains(String(region)), let number = Int(digits), digits.count <= 3 else { return false }
        return number >= 1 && (number <= 10 || region == "A")
    }

    /// Whether it is one electrode of BioSemi's caps, A1…A32, B1…B32 and so on, or of EGI's nets, E1…E257.
    private static func isCapPlace(_ words: [String]) -> Bool {
        guard words.count == 1, let bank = words[0].first, "ABCDEFGH".contains(bank) else { return false }
        return Int(words[0].dropFirst()).map { (1...(bank == "E" ? 257 : 32)).contains($0) } ?? false
    }

    /// Whether a label is a mere number: `12`, `Ch7`, `Channel 7`.
    static func isNumbered(_ label: String) -> Bool {
        let text = words(label).joined()
        let digits = ["CHANNEL", "CHAN", "CH", ""].first { text.hasPrefix($0) }.map { text.dropFirst($0.count) }
        return digits.map { !$0.isEmpty && $0.allSatisfy(\.isNumber) } ?? false
    }

    static func isResistance(_ unit: Unit) -> Bool {
        ["ohm", "ohms", "ω", "Ω"].contains { unit.rawValue.lowercased().hasSuffix($0) }
    }

    private static func isVoltage(_ unit: Unit) -> Bool { unit.factor(to: .volts) != nil }

    private static func kind(ofUnit unit: Unit) -> StreamKind {
        if unit.factor(to: .microsiemens) != nil { return .eda }
        if unit == .degreesCelsius { return .temperature }
        if unit.factor(to: .g) != nil { return .acceleration }
        switch unit.rawValue.lowercased() {
        case "bpm": return .heartRate
        case "deg/s", "dps", "°/s": return .gyroscope
        case "ohm", "kohm", "ω", "kω": return .impedance
        default: return .other
        }
    }
}

extension Channel {
    /// What its label says that it measures, such as `Battery` or `TRIG`; nil where it says nothing, as that of an
    /// electrode does not.
    public var kindByLabel: StreamKind? { SignalKind.said(by: label) }
}
