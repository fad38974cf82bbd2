import Foundation
import Signals

/// Which columns of a Mind Monitor file make which stream.
struct MindMonitorColumns {
    struct Stream {
        var name: String
        var kind: StreamKind
        var channels: [Channel]
        var columns: [Int]
    }

    private(set) var streams: [Stream] = []
    /// The column of events; nil where there is none.
    let elements: Int?
    /// Columns that a row of samples fills; a row of an event leaves them empty.
    let firstSample: Int

    /// - Throws: `FormatError` when the header has no columns of a headband.
    init(_ names: [String], file: URL) throws {
        elements = names.firstIndex { $0.lowercased() == "elements" }
        for (column, name) in names.enumerated() where column > 0 && column != elements {
            guard let (stream, kind, label, unit) = Self.place(name) else { continue }
            let channel = Channel(label: label, unit: unit)
            if let place = streams.firstIndex(where: { $0.name == stream }) {
                streams[place].channels.append(channel)
                streams[place].columns.append(column)
            } else {
                streams.append(Stream(name: stream, kind: kind, channels: [channel], columns: [column]))
            }
        }
        let raw = streams.first { $0.kind == .eeg } ?? streams.first
        guard let first = raw?.columns.first else {
            throw FormatError(file, at: "line 1", "has no columns of a Muse headband")
        }
        firstSample = first
    }

    /// Leaves the raw EEG out, which rows at long intervals cannot be.
    mutating func dropRawSignals() {
        streams.removeAll { ["eeg", "aux", "bvp"].contains($0.name) }
    }

    private static let bands: Set<String> = ["delta", "theta", "alpha", "beta", "gamma"]

    private static func place(_ name: String) -> (String, StreamKind, String, Signals.Unit)? {
        let parts = name.split(separator: "_", maxSplits: 1).map(String.init)
        guard let family = parts.first?.lowercased() else { return nil }
        let rest = parts.count > 1 ? parts[1] : name
        switch family {
        case "raw": return ("eeg", .eeg, rest, .microvolts)
        case "aux": return ("aux", .other, name, .microvolts)
        case "accelerometer": return ("acceleration", .acceleration, rest.lowercased(), .g)
        case "gyro": return ("gyroscope", .gyroscope, rest.lowercased(), Unit("deg/s"))
        // Logarithms to the base of 10 of the band's power.
        case _ where bands.contains(family): return ("bands", .other, name, Unit("B"))
        case "headbandon", "hsi": return ("contact", .other, name, .dimensionless)
        case "battery": return ("battery", .battery, "battery", .percent)
        case "heart": return ("heartRate", .heartRate, "heart rate", .beatsPerMinute)
        case "ppg": return ("bvp", .bvp, rest, .unknown)
        case _ where family.hasPrefix("optics"): return ("optics", .other, name, .unknown)
        default: return nil
        }
    }
}
