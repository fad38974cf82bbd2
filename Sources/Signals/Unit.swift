/// A unit of measurement, spelled as BIDS and UCUM readers expect (`mV`, `uV` is read as `µV`).
public struct Unit: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The unit's symbol.
    public var rawValue: String

    /// The unit with this symbol; its name written out (`microsiemens`, `degree Celsius`) and other spellings of the
    /// same symbol, such as those of micro (`u`, U+00B5, U+03BC), become one.
    public init(rawValue: String) {
        self.rawValue = Self.normalized(rawValue)
    }

    /// The unit with this symbol.
    public init(_ symbol: String) {
        self.init(rawValue: symbol)
    }

    /// The unit's symbol.
    public var description: String { rawValue }

    /// Volt.
    public static let volts = Unit("V")
    /// Millivolt, 1e-3 V.
    public static let millivolts = Unit("mV")
    /// Microvolt, 1e-6 V.
    public static let microvolts = Unit("µV")
    /// Nanovolt, 1e-9 V.
    public static let nanovolts = Unit("nV")
    /// Microsiemens, 1e-6 S.
    public static let microsiemens = Unit("µS")
    /// Degree Celsius.
    public static let degreesCelsius = Unit("°C")
    /// Standard gravity, 9.80665 m/s².
    public static let g = Unit("g")
    /// Second.
    public static let seconds = Unit("s")
    /// Millisecond, 1e-3 s.
    public static let milliseconds = Unit("ms")
    /// Beats per minute.
    public static let beatsPerMinute = Unit("bpm")
    /// Hertz, 1/s.
    public static let hertz = Unit("Hz")
    /// Per cent.
    public static let percent = Unit("%")
    /// A ratio, an index, a count: a number without dimension.
    public static let dimensionless = Unit("1")
    /// The unit is not known; nothing may assume one.
    public static let unknown = Unit("")

    private static func normalized(_ symbol: String) -> String {
        guard scales[symbol] == nil else { return symbol }
        let trimmed = symbol.drop { $0 == " " }
        let text = String(trimmed.reversed().drop { $0 == " " }.reversed())
        return symbols[text] ?? names[text.lowercased().filter { $0 != " " && $0 != "_" }] ?? text
    }

    /// Other spellings of symbols, in which case tells milli from mega.
    private static let symbols: [String: String] = [
        "uV": "µV", "\u{3BC}V": "µV", "uS": "µS", "\u{3BC}S": "µS", "US": "µS", "us": "µs", "\u{3BC}s": "µs",
        "umho": "µS", "\u{3BC}mho": "µS", "µmho": "µS", "mho": "S",
        "degC": "°C", "deg C": "°C", "C": "°C", "\u{BA}C": "°C", "℃": "°C",
        "degF": "°F", "deg F": "°F", "\u{BA}F": "°F", "℉": "°F",
        "NU": "1", "n.u.": "1", "a.u.": "1", "nd": "1",
        "m/s/s": "m/s^2", "m/s2": "m/s^2", "m/s²": "m/s^2", "m/(s^2)": "m/s^2", "m s^-2": "m/s^2", "m.s-2": "m/s^2",
        "m·s⁻²": "m/s^2",
    ]

    /// Names written out and symbols whose case says nothing, in lower case without blanks.
    private static let names: [String: String] = {
        var names = [
            "gravity": "g", "standardgravity": "g", "percent": "%", "kelvin": "K", "hertz": "Hz",
            "beatsperminute": "bpm", "bpm": "bpm", "hz": "Hz", "degc": "°C", "degf": "°F", "sec": "s", "secs": "s",
            "msec": "ms", "usec": "µs",
            // No signal of a body is measured in megavolts.
            "v": "V", "mv": "mV", "uv": "µV", "µv": "µV", "nv": "nV",
        ]
        for (name, symbol) in [("celsius", "°C"), ("fahrenheit", "°F")] {
            for prefix in ["", "degree", "degrees", "deg", "°"] { names[prefix + name] = symbol }
        }
        let prefixes = [
            ("", ""), ("milli", "m"), ("micro", "µ"), ("nano", "n"), ("µ", "µ"), ("\u{3BC}", "µ"), ("m", "m"),
            ("u", "µ"),
        ]
        for (name, symbol) in [("volt", "V"), ("siemens", "S"), ("second", "s"), ("mho", "S")] {
            for (prefix, letter) in prefixes {
                names[prefix + name] = letter + symbol
                if name == "siemens" { names[prefix + "siemen"] = letter + symbol }
                if name != "siemens" { names[prefix + name + "s"] = letter + symbol }
            }
        }
        return names
    }()
}

extension Unit {
    /// The factor that turns a value in this unit into one in `other`; nil where they measure different things.
    public func factor(to other: Unit) -> Double? {
        if self == other { return 1 }
        guard let from = Self.scales[rawValue], let to = Self.scales[other.rawValue], from.dimension == to.dimension
        else { return nil }
        return from.scale / to.scale
    }

    private static let scales: [String: (dimension: String, scale: Double)] = [
        "V": ("V", 1), "mV": ("V", 1e-3), "µV": ("V", 1e-6), "nV": ("V", 1e-9),
        "S": ("S", 1), "mS": ("S", 1e-3), "µS": ("S", 1e-6), "nS": ("S", 1e-9),
        "s": ("s", 1), "ms": ("s", 1e-3), "µs": ("s", 1e-6),
        "g": ("m/s2", 9.80665), "mg": ("m/s2", 9.80665e-3), "m/s^2": ("m/s2", 1),
        "mm/s^2": ("m/s2", 1e-3),
        "bpm": ("Hz", 1 / 60.0), "Hz": ("Hz", 1),
        "%": ("1", 0.01), "1": ("1", 1),
    ]
}
