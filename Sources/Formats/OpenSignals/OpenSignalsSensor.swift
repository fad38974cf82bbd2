import Glibc
import Signals

/// What the numbers of a channel mean, by the sensor and the device: the transfer functions that PLUX gives in the
/// datasheets of its sensors. Counts of a converter of n bits are taken as shares of 2ⁿ.
struct OpenSignalsSensor {
    /// A board's supply, gains and converters.
    private enum Family {
        case plux, bitalino, bitalinoRevolution

        init?(model: String, sensor: String) {
            switch model {
            case "bitalino": self = sensor.hasSuffix("REV") ? .bitalinoRevolution : .bitalino
            case "bitalino_rev", "bitalino_riot": self = .bitalinoRevolution
            case "bioplux", "bioplux_exp", "biosignalsplux", "biosignalspluxsolo": self = .plux
            case "rachimeter", "channeller", "swifter", "ddme_openbanplux": self = .plux
            default: return nil
            }
        }

        /// Volts.
        var supply: Double { self == .plux ? 3 : 3.3 }
    }

    let kind: StreamKind
    let unit: Unit
    /// From a share of the converter's range to the unit; nil where values stay as they are.
    let fromShare: (@Sendable (Double) -> Double)?

    /// - Parameter isConverted: whether the file has values in their units already.
    init(_ channel: OpenSignalsHeader.Device.Channel, model: String, isConverted: Bool) {
        let sensor = channel.sensor.uppercased()
        let stem = sensor.replacing("BITREV", with: "").replacing("BIT", with: "")
        let meaning = Self.meaning(stem)
        kind = meaning.kind
        let family = Family(model: model, sensor: sensor)
        let function = isConverted || channel.bits == nil ? nil : family.flatMap { Self.function(stem, $0) }
        unit = isConverted || function != nil ? meaning.unit : .unknown
        fromShare = function
    }

    private static func meaning(_ stem: String) -> (kind: StreamKind, unit: Unit) {
        switch stem {
        case "ECG": (.ecg, .millivolts)
        case "EDA": (.eda, .microsiemens)
        case "EEG": (.eeg, .microvolts)
        case "EMG": (.other, .millivolts)
        case "BVP", "PPG": (.bvp, .unknown)
        case "TEMP", "TMP": (.temperature, .degreesCelsius)
        case "XYZ", "ACC": (.acceleration, .g)
        case "RESPIRATION", "RESP", "RIP", "PZT": (.respiration, .percent)
        default: (.other, .unknown)
        }
    }

    private static func function(_ stem: String, _ family: Family) -> (@Sendable (Double) -> Double)? {
        /// A voltage around half the supply, in thousandths where the gain is in thousands.
        func bipolar(_ gain: Double) -> @Sendable (Double) -> Double {
            let scale = family.supply / gain
            return { ($0 - 0.5) * scale }
        }
        switch (stem, family) {
        case ("ECG", .plux): return bipolar(1.019)
        case ("ECG", _): return bipolar(1.1)
        case ("EMG", .plux): return bipolar(1)
        case ("EMG", .bitalino): return bipolar(1.008)
        case ("EMG", _): return bipolar(1.009)
        case ("EEG", .plux): return bipolar(0.04199)
        case ("EEG", .bitalinoRevolution): return bipolar(0.04)
        case ("EDA", .plux): return { $0 * 3 / 0.12 }
        case ("EDA", .bitalinoRevolution): return { $0 * 3.3 / 0.132 }
        // The skin's resistance in megohms is what is left to 1.
        case ("EDA", .bitalino): return { $0 < 1 ? 1 / (1 - $0) : .nan }
        case ("TEMP", .plux): return thermistor
        case ("TEMP", _), ("TMP", _): return { ($0 * 3.3 - 0.5) * 100 }
        // Calibrated by the values that the maker names where nobody did it: ±1 g.
        case ("XYZ", .plux), ("ACC", .plux): return { 2 * ($0 * 65_536 - 28_000) / 10_000 - 1 }
        case ("ACC", _): return { 2 * ($0 * 1_024 - 400) / 208 - 1 }
        case ("RESPIRATION", _), ("RESP", _), ("RIP", _), ("PZT", _): return { ($0 - 0.5) * 100 }
        default: return nil
        }
    }

    /// Steinhart and Hart's equation with the coefficients of the sensor's thermistor, which divides with 10 kΩ.
    private static let thermistor: @Sendable (Double) -> Double = { share in
        guard share > 0, share < 1 else { return .nan }
        let logarithm = log(1e4 * share / (1 - share))
        let inverse =
            1.12764514e-3 + 2.34282709e-4 * logarithm + 8.77303013e-8 * logarithm * logarithm * logarithm
        return 1 / inverse - 273.15
    }
}
