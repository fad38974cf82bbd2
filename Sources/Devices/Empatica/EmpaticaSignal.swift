import Signals

/// What an E4 streaming server can be subscribed to.
public enum EmpaticaSubscription: String, Hashable, Sendable, Codable, CaseIterable {
    /// Acceleration, 32 Hz.
    case acc
    /// Blood volume pulse, 64 Hz.
    case bvp
    /// Skin conductance, 4 Hz.
    case gsr
    /// Inter-beat intervals, and the heart rate with them.
    case ibi
    /// Skin temperature, 4 Hz.
    case tmp
    /// Battery level, on change.
    case bat
    /// Presses of the button.
    case tag

    /// The signals that arrive with the subscription.
    public var signals: [EmpaticaSignal] {
        switch self {
        case .acc: [.acceleration]
        case .bvp: [.bvp]
        case .gsr: [.eda]
        case .ibi: [.ibi, .heartRate]
        case .tmp: [.temperature]
        case .bat: [.battery]
        case .tag: [.tag]
        }
    }
}

/// The signals of an E4 as its streaming server sends them, one line per value.
public enum EmpaticaSignal: String, Hashable, Sendable, CaseIterable {
    case acceleration, bvp, eda, ibi, heartRate, temperature, battery, tag

    /// The signal that a line's first word names; nil for others. Servers differ in the name of the temperature, and
    /// old ones send one letter.
    public init?(word: some StringProtocol) {
        switch word {
        case "E4_Acc", "A": self = .acceleration
        case "E4_Bvp", "B": self = .bvp
        case "E4_Gsr", "G": self = .eda
        case "E4_Ibi", "I": self = .ibi
        case "E4_Hr": self = .heartRate
        case "E4_Temperature", "E4_Temp": self = .temperature
        case "E4_Battery": self = .battery
        case "E4_Tag": self = .tag
        default: return nil
        }
    }

    /// The word current servers begin its lines with.
    public var word: String {
        switch self {
        case .acceleration: "E4_Acc"
        case .bvp: "E4_Bvp"
        case .eda: "E4_Gsr"
        case .ibi: "E4_Ibi"
        case .heartRate: "E4_Hr"
        case .temperature: "E4_Temperature"
        case .battery: "E4_Battery"
        case .tag: "E4_Tag"
        }
    }

    /// How many numbers follow the time.
    public var valueCount: Int { self == .acceleration ? 3 : 1 }

    /// Samples per second; 0 for what comes when it happens.
    public var sampleRate: Double {
        switch self {
        case .acceleration: 32
        case .bvp: 64
        case .eda, .temperature: 4
        case .ibi, .heartRate, .battery, .tag: 0
        }
    }

    /// The stream of the signal; nil for tags, which are markers.
    public var stream: DeviceStream? {
        let (kind, channels): (StreamKind, [Channel])
        switch self {
        case .acceleration: (kind, channels) = (.acceleration, ["x", "y", "z"].map { Channel(label: $0, unit: .g) })
        // Empatica gives no unit for its pulse wave.
        case .bvp: (kind, channels) = (.bvp, [Channel(label: "BVP", unit: .dimensionless)])
        case .eda: (kind, channels) = (.eda, [Channel(label: "EDA", unit: .microsiemens)])
        case .temperature: (kind, channels) = (.temperature, [Channel(label: "skin", unit: .degreesCelsius)])
        case .ibi: (kind, channels) = (.ibi, [Channel(label: "IBI", unit: .seconds)])
        case .heartRate: (kind, channels) = (.heartRate, [Channel(label: "HR", unit: .beatsPerMinute)])
        case .battery: (kind, channels) = (.battery, [Channel(label: "battery", unit: .dimensionless)])
        case .tag: return nil
        }
        let header = StreamHeader(name: rawValue, kind: kind, channels: channels, sampleRate: sampleRate)
        return DeviceStream(id: rawValue, header: header, clock: .deviceTime)
    }
}
