import Foundation
import Signals

/// The channels of an EDF file being written: labels, units and scales.
struct EDFWriteChannels {
    struct Channel {
        /// The stream's place in the plan and the channel's place in it.
        var stream: Int
        var channel: Int
        var label: String
        var transducer: String
        var unit: Signals.Unit
        /// Factor from the recording's unit to the file's.
        var factor: Double
        var scale: EDFScale
        fileprivate var grid: EDFGrid?
        fileprivate var range: ClosedRange<Double>
        fileprivate var hasMissing: Bool
    }

    /// In the order of the file.
    private(set) var channels: [Channel] = []
    private(set) var notes: [String] = []
    private let storage: EDFStorage

    var hasGrids: Bool { channels.contains { $0.grid != nil } }

    var reported: [EDFWriter.Channel] {
        channels.map {
            EDFWriter.Channel(label: $0.label, unit: $0.unit, step: $0.scale.gain, isLossless: $0.scale.isLossless)
        }
    }

    init(
        _ scan: EDFWriteScan, _ plan: EDFWritePlan, _ header: RecordingHeader, as storage: EDFStorage, for url: URL
    ) throws {
        self.storage = storage
        // What the standards keep for the signals of annotations.
        var labels = DistinctNames(taken: ["EDF Annotations", "BDF Annotations"])
        var renamed: [String] = []
        var respelled: Set<String> = []
        for (place, stream) in plan.streams.enumerated() {
            let described = header.streams[stream.source]
            let isPartial = !Self.isFull(stream, plan.recordCount)
            for (index, channel) in described.channels.enumerated() {
                let found = scan.streams[stream.source].channels[index]
                if found.infinities > 0 {
                    notes.append("\(channel.label): \(found.infinities) infinite values are written as missing")
                }
                let (unit, factor) = Self.fileUnit(channel.unit, found)
                let hasMissing = isPartial || !found.missing.isEmpty
                let range = found.range(factor: factor) ?? 0...0
                let grid = EDFGrid(of: found.sample.values, factor: factor, range: range, as: storage)
                guard let scale = Self.scale(range, grid, hasMissing, storage) else {
                    throw FormatError(
                        url,
                        "the values of '\(channel.label)' (\(range.lowerBound) to \(range.upperBound) \(unit)) cannot be "
                            + "told in the 8 characters of an EDF header", advice: "use another unit")
                }
                let transducer = Self.transducer(described.kind)
                let label = Self.label(channel.label, described.kind, transducer, unit, &labels)
                if label != channel.label { renamed.append("\(channel.label) as \(label)") }
                let spelling = EDFHeaderWriting.dimension(unit)
                if Signals.Unit(spelling) != unit { respelled.insert("\(unit) as \(spelling)") }
                channels.append(
                    Channel(
                        stream: place, channel: index, label: label, transducer: transducer, unit: unit, factor: factor,
                        scale: scale, grid: scale.isLossless ? grid : nil, range: range, hasMissing: hasMissing))
            }
        }
        if !renamed.isEmpty { notes.append("names in the file: " + renamed.joined(separator: ", ")) }
        if !respelled.isEmpty { notes.append("units in the file: " + respelled.sorted().joined(separator: ", ")) }
    }

    private static func isFull(_ stream: EDFWritePlan.Stream, _ records: Int) -> Bool {
        stream.pieces.reduce(0) { $0 + $1.offsets.count } == records * stream.samplesPerRecord
    }

    private static func scale(
        _ range: ClosedRange<Double>, _ grid: EDFGrid?, _ hasMissing: Bool, _ storage: EDFStorage
    ) -> EDFScale? {
        if let grid, let scale = EDFScale(range, grid: grid, hasMissing: hasMissing, storage) { return scale }
        return EDFScale(range, hasMissing: hasMissing, storage)
    }

    /// Reads the recording again: where a value is not on the grid that some of them showed, there is no grid.
    mutating func check(_ reader: any RecordingReader, _ scan: EDFWriteScan, _ plan: EDFWritePlan, _ url: URL) throws {
        var places: [Int: [Int]] = [:]
        for (index, channel) in channels.enumerated() where channel.grid != nil {
            places[plan.streams[channel.stream].source, default: []].append(index)
        }
        while let event = try reader.next() {
            guard case .samples(let stream, let block) = event else { continue }
            for index in places[stream] ?? [] {
                guard let grid = channels[index].grid else { continue }
                let factor = channels[index].factor
                let samples = block.samples[block.range(ofChannel: channels[index].channel)]
                if samples.allSatisfy({ !$0.isFinite || grid.holds(Double($0) * factor) }) { continue }
                channels[index].grid = nil
                guard let scale = EDFScale(channels[index].range, hasMissing: channels[index].hasMissing, storage)
                else {
                    throw FormatError(url, "the range of '\(channels[index].label)' cannot be told in 8 characters")
                }
                channels[index].scale = scale
            }
        }
    }

    /// What is to be said of channels whose values the file keeps only coarsely.
    func coarseNotes(_ scan: EDFWriteScan, _ plan: EDFWritePlan) -> [String] {
        channels.filter { !$0.scale.isLossless }.compactMap { channel in
            scan.streams[plan.streams[channel.stream].source].channels[channel.channel].sample.noteOfStep(
                channel.scale.gain, of: channel.label, in: channel.unit, factor: channel.factor,
                finer: storage == .edf ? ".bdf or .xdf" : ".xdf")
        }
    }

    // MARK: names

    /// The unit to write and the factor to it: one in which small values have digits before the point.
    private static func fileUnit(_ unit: Signals.Unit, _ found: EDFWriteScan.Channel) -> (Signals.Unit, Double) {
        guard max(abs(found.least), abs(found.greatest)) < 0.1 else { return (unit, 1) }
        switch unit {
        case .volts: return (.microvolts, 1e6)
        case Signals.Unit("S"): return (.microsiemens, 1e6)
        default: return (unit, 1)
        }
    }

    private static func transducer(_ kind: StreamKind) -> String {
        switch kind {
        case .ecg: return "ECG electrode"
        case .eeg: return "EEG electrode"
        case .bvp: return "PPG sensor"
        case .eda: return "EDA electrode"
        case .temperature: return "Temperature sensor"
        case .acceleration: return "Accelerometer"
        case .gyroscope: return "Gyroscope"
        case .respiration: return "Respiration sensor"
        case .heartRate: return "HR"
        case .battery: return "Battery"
        case .impedance: return "Impedance"
        case .marker: return "Marker"
        case .ibi, .potential, .current, .other: return ""
        }
    }

    /// A label of at most 16 ASCII characters, unlike all others, from which a reader can tell the kind.
    private static func label(
        _ label: String, _ kind: StreamKind, _ transducer: String, _ unit: Signals.Unit,
        _ labels: inout DistinctNames<String>
    ) -> String {
        var plain = String(label.map { $0.isASCII && $0 >= " " && $0 != "\u{7F}" ? $0 : "_" })
        while plain.hasPrefix(" ") { plain.removeFirst() }
        while plain.hasSuffix(" ") { plain.removeLast() }
        if plain.isEmpty { plain = "channel" }
        let wanted = String(SignalKind.label(plain, telling: kind, transducer: transducer, unit: unit).prefix(16))
        return labels.next { number in
            let suffix = number.map { " \($0)" } ?? ""
            return String(wanted.prefix(16 - suffix.count)) + suffix
        }
    }
}
