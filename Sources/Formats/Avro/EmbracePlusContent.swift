import Foundation
import Signals

/// What one Avro file of an Empatica EmbracePlus holds (its schema `empatica.format.avro.Session`, version 6).
struct EmbracePlusContent {
    /// One sensor's samples: even in time from `start` on.
    struct Series {
        var name: String
        var kind: StreamKind
        var channels: [Channel]
        /// Seconds since 1970, UTC.
        var start: Double
        /// As measured by the device, not rounded.
        var sampleRate: Double
        /// Channel-major.
        var samples: [Float]

        /// Frames.
        var count: Int
        /// Just after the last sample.
        var end: Double { start + Double(count) / sampleRate }
    }

    private(set) var series: [Series] = []
    /// Seconds since 1970 of each press of the button.
    private(set) var tags: [Double] = []
    /// Seconds since 1970 of each systolic peak, as the device found them.
    private(set) var peaks: [Double] = []
    private(set) var participant: String?
    private(set) var timeZone: Int?

    /// - Throws: `FormatError` when it is another kind of Avro file, or a sensor's numbers contradict each other.
    init(reading url: URL) throws {
        let file = try AvroFile(reading: url)
        for value in file.values {
            guard let raw = value["rawData"] else {
                throw FormatError(
                    url, "is an Avro file of \(file.schemaName.isEmpty ? "other values" : file.schemaName)",
                    advice: "those of an Empatica EmbracePlus are read")
            }
            for sensor in Self.sensors { try add(sensor, raw, url) }
            tags += try moments((raw["tags"]?["tagsTimeMicros"]?.integers ?? []).map { Double($0) / 1e6 }, "tag", url)
            peaks += try moments(
                (raw["systolicPeaks"]?["peaksTimeNanos"]?.integers ?? []).map(Self.seconds), "peak", url)
            participant = value["enrollment"]?["participantID"]?.text.flatMap { $0.isEmpty ? nil : $0 } ?? participant
            timeZone = value["timezone"]?.integer ?? timeZone
        }
    }

    private func moments(_ times: [Double], _ what: String, _ url: URL) throws -> [Double] {
        for time in times where Plausible.moment(time) == nil {
            throw FormatError(
                url, "has a \(what) \(time) s after 1970, which is no date", advice: "is the file damaged?")
        }
        return times
    }

    /// Keeps what the samples are, without the samples.
    mutating func dropSamples() {
        for index in series.indices { series[index].samples = [] }
    }

    /// Nanoseconds as seconds, without losing what a `Double` can hold.
    private static func seconds(_ nanoseconds: Int) -> Double {
        Double(nanoseconds / 1_000_000_000) + Double(nanoseconds % 1_000_000_000) / 1e9
    }

    struct Sensor: Sendable {
        var field: String
        var kind: StreamKind
        var channels: [String]
        var unit: Signals.Unit
        /// Whether samples are counts of a converter.
        var isInertial = false
    }

    static let sensors = [
        Sensor(
            field: "accelerometer", kind: .acceleration, channels: ["x", "y", "z"], unit: .g, isInertial: true),
        Sensor(
            field: "gyroscope", kind: .gyroscope, channels: ["x", "y", "z"], unit: Unit("deg/s"), isInertial: true),
        Sensor(field: "eda", kind: .eda, channels: ["values"], unit: .microsiemens),
        Sensor(field: "temperature", kind: .temperature, channels: ["values"], unit: .degreesCelsius),
        Sensor(field: "bvp", kind: .bvp, channels: ["values"], unit: Unit("nW")),
        Sensor(field: "steps", kind: .other, channels: ["values"], unit: .dimensionless),
    ]

    private mutating func add(_ sensor: Sensor, _ raw: AvroValue, _ url: URL) throws {
        guard let content = raw[sensor.field] else { return }
        let columns = sensor.channels.map { content[$0]?.numbers ?? [] }
        guard let count = columns.first?.count, count > 0 else { return }
        guard columns.allSatisfy({ $0.count == count }) else {
            throw FormatError(url, "its \(sensor.field) has axes of different lengths")
        }
        guard let start = content["timestampStart"]?.integer, start > 0, start < 1 << 53,
            let rate = content["samplingFrequency"]?.number, Plausible.sampleRates.contains(rate)
        else { throw FormatError(url, "its \(sensor.field) has samples, but no start or sampling frequency") }
        let scale = sensor.isInertial ? try Self.scale(content["imuParams"], sensor, url) : (gain: 1, offset: 0)
        series.append(
            Series(
                name: sensor.kind == .other ? sensor.field : sensor.kind.rawValue, kind: sensor.kind,
                channels: sensor.channels.map { label in
                    Channel(label: label == "values" ? sensor.field : label, unit: sensor.unit)
                },
                start: Double(start) / 1e6, sampleRate: rate,
                samples: columns.flatMap { $0.map { Float($0 * scale.gain + scale.offset) } }, count: count))
    }

    private static func scale(
        _ parameters: AvroValue?, _ sensor: Sensor, _ url: URL
    ) throws -> (gain: Double, offset: Double) {
        func number(_ name: String) -> Double? { parameters?[name]?.number }
        guard let low = number("physicalMin"), let high = number("physicalMax"), let bottom = number("digitalMin"),
            let top = number("digitalMax"), high > low, top > bottom
        else { throw FormatError(url, "its \(sensor.field) has no range that its counts could be scaled by") }
        let gain = (high - low) / (top - bottom)
        return (gain, low - bottom * gain)
    }
}
