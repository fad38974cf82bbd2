public import Signals

/// What the two letters of a MethodSCRIPT variable mean.
public struct MethodSCRIPTVariableType: Hashable, Sendable {
    /// The letters.
    public var code: String
    /// A stream's name, in lower camel case.
    public var name: String
    /// In words.
    public var label: String
    /// Its unit.
    public var unit: Unit
    /// Which kind of stream it makes.
    public var kind: StreamKind

    /// Whether it is measured rather than set, and comes with status, range and noise; generic ones are what a script
    /// makes of measured ones.
    public var isMeasured: Bool { ["a", "b", "c", "h", "i", "j"].contains(code.first) && code != "aa" }
    /// Whether it is the device's time in seconds.
    public var isTime: Bool { code == "eb" }

    /// The type with these letters; nil when the protocol has none.
    public init?(code: String) {
        guard let found = Self.byCode[code] else { return nil }
        self = found
    }

    /// The type with these letters, or a nameless one of unknown unit.
    public init(anyCode code: String) {
        self = Self.byCode[code] ?? Self(code, code, "variable \(code)", .unknown)
    }

    private init(_ code: String, _ name: String, _ label: String, _ unit: Unit, _ kind: StreamKind = .other) {
        self.code = code
        self.name = name
        self.label = label
        self.unit = unit
        self.kind = kind
    }

    /// All types of the protocol.
    public static let all: [MethodSCRIPTVariableType] = potentials + currents + impedances + settings + others

    private static let byCode = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })

    private static let ohm = Unit("Ohm")
    private static let ampere = Unit("A")

    private static let potentials: [MethodSCRIPTVariableType] =
        [
            ("ab", "potential", "WE vs RE"), ("ac", "potentialCE", "CE vs GND"), ("ad", "potentialSE", "SE vs GND"),
            ("ae", "potentialRE", "RE vs GND"), ("af", "potentialWE", "WE vs GND"),
            ("ag", "potentialWEvsCE", "WE vs CE"), ("ah", "potentialS2vsRE", "S2 vs RE"),
            ("ai", "potentialSEvsS2", "SE vs S2"), ("as", "ain0", "AIN0"), ("at", "ain1", "AIN1"),
            ("au", "ain2", "AIN2"), ("av", "ain3", "AIN3"), ("aw", "ain4", "AIN4"), ("ax", "ain5", "AIN5"),
            ("ay", "ain6", "AIN6"), ("az", "ain7", "AIN7"),
        ].map { Self($0, $1, "potential \($2)", .volts, .potential) }

    private static let currents: [MethodSCRIPTVariableType] = [
        Self("ba", "current", "current of WE", ampere, .current),
        Self("bb", "current2", "current of WE2", ampere, .current),
    ]

    private static let impedances: [MethodSCRIPTVariableType] = [
        Self("ca", "phase", "phase", Unit("deg"), .impedance),
        Self("cb", "impedance", "impedance", ohm, .impedance),
        Self("cc", "impedanceReal", "real part of the impedance", ohm, .impedance),
        Self("cd", "impedanceImaginary", "imaginary part of the impedance", ohm, .impedance),
        Self("ce", "potentialTimeDomain", "potential, time domain", .volts, .potential),
        Self("cf", "currentTimeDomain", "current, time domain", ampere, .current),
        Self("cg", "samplingFrequency", "sampling frequency", .hertz),
        Self("ch", "potentialAC", "potential, AC (rms)", .volts, .potential),
        Self("ci", "potentialDC", "potential, DC", .volts, .potential),
        Self("cj", "currentAC", "current, AC (rms)", ampere, .current),
        Self("ck", "currentDC", "current, DC", ampere, .current),
        Self("cl", "impedanceRealBipot", "real part, bipotentiostat", ohm, .impedance),
        Self("cm", "impedanceImaginaryBipot", "imaginary part, bipotentiostat", ohm, .impedance),
        Self("cn", "impedanceRealS2vsRE", "real part, S2 vs RE", ohm, .impedance),
        Self("co", "impedanceImaginaryS2vsRE", "imaginary part, S2 vs RE", ohm, .impedance),
        Self("cp", "impedanceRealSEvsS2", "real part, SE vs S2", ohm, .impedance),
        Self("cq", "impedanceImaginarySEvsS2", "imaginary part, SE vs S2", ohm, .impedance),
        Self("cr", "currentTimeDomainBipot", "current, time domain, bipotentiostat", ampere, .current),
        Self("cs", "potentialTimeDomainS2vsRE", "potential, time domain, S2 vs RE", .volts, .potential),
        Self("ct", "potentialTimeDomainSEvsS2", "potential, time domain, SE vs S2", .volts, .potential),
        Self("cu", "currentACBipot", "current, AC (rms), bipotentiostat", ampere, .current),
        Self("cv", "currentDCBipot", "current, DC, bipotentiostat", ampere, .current),
        Self("cw", "potentialACS2vsRE", "potential, AC (rms), S2 vs RE", .volts, .potential),
        Self("cx", "potentialDCS2vsRE", "potential, DC, S2 vs RE", .volts, .potential),
        Self("cy", "potentialACSEvsS2", "potential, AC (rms), SE vs S2", .volts, .potential),
        Self("cz", "potentialDCSEvsS2", "potential, DC, SE vs S2", .volts, .potential),
    ]

    private static let settings: [MethodSCRIPTVariableType] = [
        Self("da", "appliedPotential", "applied potential", .volts, .potential),
        Self("db", "appliedCurrent", "applied current", ampere, .current),
        Self("dc", "frequency", "applied frequency", .hertz),
        Self("dd", "appliedAmplitude", "applied AC amplitude (rms)", .volts, .potential),
    ]

    private static let others: [MethodSCRIPTVariableType] =
        [
            Self("aa", "unknown", "unknown", .unknown),
            Self("ea", "channel", "channel", .dimensionless),
            Self("eb", "time", "time", .seconds),
            Self("ec", "pinMask", "pin mask", .dimensionless),
            Self("ed", "temperature", "temperature", .degreesCelsius, .temperature),
            Self("ee", "count", "count", .dimensionless),
            Self("ef", "boardTemperature", "temperature of the board", .degreesCelsius, .temperature),
            Self("eg", "timePerPotential", "time vs potential", Unit("s/V")),
            Self("ga", "internal1", "internal", .unknown),
            Self("gb", "internal2", "internal", .unknown),
        ]
        + zip("abcd", 1...).flatMap { letter, number in
            [
                Self("h\(letter)", "genericCurrent\(number)", "generic current \(number)", ampere, .current),
                Self("i\(letter)", "genericPotential\(number)", "generic potential \(number)", .volts, .potential),
                Self("j\(letter)", "generic\(number)", "generic \(number)", .dimensionless),
            ]
        }
}
