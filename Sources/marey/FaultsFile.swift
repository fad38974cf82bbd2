import Devices
import Foundation

/// The file of `simulate --serve --faults`: what goes wrong in the devices and on the way. Only what differs from
/// faultless needs to be named.
struct FaultsFile {
    let device: DeviceFaults?
    let link: LinkFaults?

    /// Reads the file.
    /// - Throws: `Failure.misuse` naming the part that makes no sense.
    init(reading url: URL) throws {
        let name = url.relativePath
        guard let data = FileManager.default.contents(atPath: url.path) else {
            throw Failure.misuse("\(name): there is no such file, or it cannot be read")
        }
        guard let parts = try? JSONSerialization.jsonObject(with: data) as? [String: [String: Any]]
        else {
            throw Failure.misuse(
                "\(name): expected JSON like {\"device\": {\"battery\": 0.2}, \"link\": {\"loss\": 0.01}}")
        }
        if let unknown = parts.keys.sorted().first(where: { $0 != "device" && $0 != "link" }) {
            throw Failure.misuse("\(name): there is no part “\(unknown)”, only device and link")
        }
        device = try parts["device"].map { try Self.filled(DeviceFaults(), with: $0, "\(name): device") }
        link = try parts["link"].map { try Self.filled(LinkFaults(), with: $0, "\(name): link") }
        try demandRanges(name)
    }

    private func demandRanges(_ name: String) throws {
        let shares: [(String, Double?)] = [
            ("loss", link?.loss), ("duplication", link?.duplication), ("reordering", link?.reordering),
            ("garbage", link?.garbage), ("battery", device?.battery),
        ]
        for (part, value) in shares {
            if let value, !(0...1).contains(value) {
                throw Failure.misuse("\(name): \(part) is \(value), but it is a share from 0 to 1")
            }
        }
        if let life = device?.batteryLife, !(life > 0) {
            throw Failure.misuse("\(name): batteryLife is \(life), but it is a number of seconds above 0")
        }
        if let drift = device?.clockDrift, !(abs(drift) <= Self.mostDrift) {
            throw Failure.misuse(
                "\(name): clockDrift is \(drift), but it is parts per million from -\(Int(Self.mostDrift)) to "
                    + "\(Int(Self.mostDrift))")
        }
        if let jump = device?.clockJumps.first(where: { !(abs($0.by) <= 1e9) }) {
            throw Failure.misuse("\(name): clockJumps: by is \(jump.by), but it is at most 1000000000 s")
        }
        if let rate = link?.disconnectsPerHour, !(0...36_000).contains(rate) {
            throw Failure.misuse("\(name): disconnectsPerHour is \(rate), but it is from 0 to 36000")
        }
        try demandMoments(name)
    }

    /// Parts per million by which no clock is off.
    private static let mostDrift = 100_000.0
    /// Seconds that no session lasts.
    private static let longest = 1e7

    private func demandMoments(_ name: String) throws {
        func ends(_ stretches: [Range<Double>]?) -> [Double] {
            stretches?.flatMap { [$0.lowerBound, $0.upperBound] } ?? []
        }
        let moments: [(String, [Double])] = [
            ("clockJumps: moment", device?.clockJumps.map(\.moment) ?? []),
            ("frozenStamps", ends(device?.frozenStamps)), ("contactLost", ends(device?.contactLost)),
            ("losses", ends(device?.losses)), ("resets", device?.resets ?? []), ("tags", device?.tags ?? []),
            ("delay", link.map { [$0.delay.lowerBound, $0.delay.upperBound] } ?? []),
            ("reorderingDelay", link.map { [$0.reorderingDelay] } ?? []), ("stalls", ends(link?.stalls)),
            ("disconnects", link?.disconnects ?? []),
        ]
        for (part, values) in moments {
            if let value = values.first(where: { !(0...Self.longest).contains($0) }) {
                throw Failure.misuse("\(name): \(part) is \(value), but it is seconds from 0 to \(Int(Self.longest))")
            }
        }
    }

    /// The faultless value with what the file names put in its place.
    private static func filled<Faults: Codable>(
        _ faultless: Faults, with named: [String: Any], _ place: String
    ) throws -> Faults {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let encoded = try JSONSerialization.jsonObject(with: encoder.encode(faultless))
        guard let standard = encoded as? [String: Any] else { return faultless }
        if let unknown = named.keys.sorted().first(where: { standard[$0] == nil }) {
            let known = standard.keys.sorted().joined(separator: ", ")
            throw Failure.misuse("\(place) has no “\(unknown)”; there are: \(known)")
        }
        func decoded(_ named: [String: Any]) throws -> Faults {
            let merged = standard.merging(named) { _, new in new }
            return try decoder.decode(Faults.self, from: JSONSerialization.data(withJSONObject: merged))
        }
        // One by one: what the decoder says of a value does not always tell whose it is.
        for (key, value) in named.sorted(by: { $0.key < $1.key }) {
            do { _ = try decoded([key: value]) } catch {
                throw Failure.misuse("\(place): \(key) is \(text(value)), but it is \(expected(key))")
            }
        }
        return try decoded(named)
    }

    /// What may stand at a key.
    private static func expected(_ key: String) -> String {
        switch key {
        case "seed": "a whole number from 0 on"
        case "delay": "two numbers of seconds, the least and the most, such as [0, 0.05]"
        case "frozenStamps", "contactLost", "losses", "stalls":
            "a list of beginnings and ends in seconds, such as [[5, 8]]"
        case "resets", "tags", "disconnects": "a list of seconds, such as [60, 90.5]"
        case "clockJumps": "a list like [{\"moment\": 60, \"by\": 0.5}]"
        case "decimalComma": "true or false"
        case "spared", "unnumbered": "a list of Bluetooth identifiers, such as [\"2A37\"]"
        default: "a number"
        }
    }

    /// A value as it is written, or its beginning.
    private static func text(_ value: Any) -> String {
        guard let data = try? JSONSerialization.data(withJSONObject: [value], options: .sortedKeys) else {
            return "\(value)"
        }
        let written = String(decoding: data, as: UTF8.self).dropFirst().dropLast()
        return written.count > 40 ? "\(written.prefix(40))…" : String(written)
    }
}
