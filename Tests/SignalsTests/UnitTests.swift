import Signals
import Testing

struct UnitTests {
    @Test(arguments: ["uV", "\u{B5}V", "\u{3BC}V", " uV "])
    func spellingsOfMicroAreOneUnit(symbol: String) {
        #expect(Unit(symbol) == .microvolts)
    }

    @Test(arguments: [
        ("microsiemens", "µS"), ("microsiemen", "µS"), ("\u{3BC}siemens", "µS"), ("µvolts", "µV"),
        ("MicroSiemens", "µS"), ("micro siemens", "µS"), ("degree Celsius", "°C"),
        ("Degrees Celsius", "°C"), ("deg F", "°F"), ("fahrenheit", "°F"), ("millivolts", "mV"), ("Kelvin", "K"),
        ("m/s²", "m/s^2"), ("m/s2", "m/s^2"), ("percent", "%"), ("MV", "mV"), ("adu", "adu"),
    ])
    func namesWrittenOutAreSymbols(name: String, symbol: String) {
        #expect(Unit(name).rawValue == symbol)
    }

    @Test(arguments: [
        ("mV", "uV", 1_000.0), ("V", "mV", 1_000), ("nV", "µV", 0.001), ("S", "uS", 1e6), ("%", "1", 0.01),
        ("bpm", "Hz", 1 / 60.0), ("m/s^2", "g", 1 / 9.80665), ("nS", "µS", 0.001), ("m/s/s", "g", 1 / 9.80665),
    ])
    func likeUnitsConvert(from: String, to: String, factor: Double) throws {
        let found = try #require(Unit(from).factor(to: Unit(to)))
        #expect(abs(found / factor - 1) < 1e-12)
    }

    @Test func unlikeAndUnknownUnitsDoNotConvert() {
        #expect(Unit("mV").factor(to: Unit("°C")) == nil)
        #expect(Unit("K").factor(to: Unit("°C")) == nil && Unit("kΩ").factor(to: Unit("µS")) == nil)
        #expect(Unit("adu").factor(to: Unit("mV")) == nil)
        #expect(Unit.unknown.factor(to: .volts) == nil)
        #expect(Unit("adu").factor(to: Unit("adu")) == 1)
    }
}
