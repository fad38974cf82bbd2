import Foundation

/// A MATLAB file of level 5, made up.
struct MatlabFixture {
    /// What a variable holds.
    indirect enum Value: Sendable {
        case numbers([Double], shape: [Int], stored: Stored = .double)
        case text(String, isWide: Bool = false)
        /// Lines of ASCII, filled up with blanks.
        case lines([String])
        /// Structs of the same fields.
        case structs([[(String, Value)]])
        case cell(Value)
        /// A function handle, which nobody reads.
        case function
        /// An array without a byte.
        case nothing

        static func number(_ value: Double) -> Value { .numbers([value], shape: [1, 1]) }
    }

    /// How numbers are stored.
    enum Stored: UInt32, CaseIterable, Sendable {
        case int8 = 1, uint8, int16, uint16, int32, uint32, single
        case double = 9
        case int64 = 12, uint64
    }

    var isBigEndian = false
    var isCompressed = false
    var variables: [(String, Value)] = []

    var bytes: [UInt8] {
        let title = Array("MATLAB 5.0 MAT-file, made up".utf8)
        var bytes = title + [UInt8](repeating: 0x20, count: 116 - title.count) + [UInt8](repeating: 0, count: 8)
        bytes += number(UInt16(0x0100)) + number(UInt16(0x4D49))
        for (name, value) in variables {
            let plain = matrix(value, name: name)
            guard isCompressed else {
                bytes += plain
                continue
            }
            let packed = AcqKnowledgeFixture.zlib(plain)
            bytes += number(UInt32(15)) + number(UInt32(packed.count)) + packed
        }
        return bytes
    }

    private func number(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: isBigEndian ? value.bigEndian : value.littleEndian) { Array($0) }
    }

    /// An element; one of up to four bytes in its tag, as MATLAB writes it.
    private func element(_ type: UInt32, _ data: [UInt8]) -> [UInt8] {
        if (1...4).contains(data.count) {
            return number(UInt32(data.count) << 16 | type) + data + [UInt8](repeating: 0, count: 4 - data.count)
        }
        let padding = (8 - data.count % 8) % 8
        return number(type) + number(UInt32(data.count)) + data + [UInt8](repeating: 0, count: padding)
    }

    private func stored(_ value: Double, _ stored: Stored) -> [UInt8] {
        switch stored {
        case .int8: number(Int8(value))
        case .uint8: number(UInt8(value))
        case .int16: number(Int16(value))
        case .uint16: number(UInt16(value))
        case .int32: number(Int32(value))
        case .uint32: number(UInt32(value))
        case .int64: number(Int64(value))
        case .uint64: number(UInt64(value))
        case .single: number(Float(value).bitPattern)
        case .double: number(value.bitPattern)
        }
    }

    private func matrix(_ value: Value, name: String = "") -> [UInt8] {
        func head(_ kind: UInt32, _ shape: [Int]) -> [UInt8] {
            element(6, number(kind) + number(UInt32(0))) + element(5, shape.flatMap { number(Int32($0)) })
                + element(1, Array(name.utf8))
        }
        switch value {
        case .nothing: return number(UInt32(14)) + number(UInt32(0))
        case .numbers(let values, let shape, let kind):
            let data = values.flatMap { stored($0, kind) }
            return element(14, head(kind == .single ? 7 : 6, shape) + element(kind.rawValue, data))
        case .text(let text, let isWide):
            let units = Array(text.utf16)
            let data = isWide ? element(17, units.flatMap { number($0) }) : element(16, Array(text.utf8))
            return element(14, head(4, [units.isEmpty ? 0 : 1, units.count]) + data)
        case .lines(let lines):
            let width = lines.map(\.utf8.count).max() ?? 0
            let rows = lines.map { Array($0.utf8) + [UInt8](repeating: 0x20, count: width - $0.utf8.count) }
            let letters = (0..<width).flatMap { column in rows.map { $0[column] } }
            return element(14, head(4, [rows.count, width]) + element(16, letters))
        case .cell(let inner): return element(14, head(1, [1, 1]) + matrix(inner))
        case .function: return element(14, head(16, [1, 1]) + matrix(.text("@sin")))
        case .structs(let rows):
            let names = (rows.first ?? []).map(\.0)
            let table = names.flatMap { Array($0.utf8.prefix(31)) + [UInt8](repeating: 0, count: 32 - $0.utf8.count) }
            let values = rows.flatMap { $0.flatMap { matrix($0.1) } }
            return element(14, head(2, [1, rows.count]) + element(5, number(Int32(32))) + element(1, table) + values)
        }
    }
}

/// A data set of EEGLAB, made up.
struct EEGLABFixture {
    /// An event: type, latency in frames from 1, duration in frames.
    typealias Event = (type: MatlabFixture.Value, latency: Double, duration: MatlabFixture.Value)

    var labels = ["Fp1", "Cz", "HEOG"]
    var types = ["", "EEG", ""]
    var frames = 1_000
    var epochs = 1
    var stored = MatlabFixture.Stored.single
    var events: [Event] = []
    var isBigEndian = false
    var isCompressed = false
    /// Whether the fields are variables of their own.
    var isFlat = false
    /// The file that samples are in.
    var file: String?
    /// Fields that are something else than usual.
    var changed: [String: MatlabFixture.Value] = [:]

    /// The sample of channel `channel` at `frame`: one that any storage holds.
    static func sample(_ channel: Int, _ frame: Int) -> Double { Double((frame * (channel + 3)) % 101) }

    func samples(_ channel: Int, _ range: Range<Int>) -> [Float] { range.map { Float(Self.sample(channel, $0)) } }

    var values: [Double] { (0..<frames).flatMap { frame in labels.indices.map { Self.sample($0, frame) } } }

    /// The content of an `.fdt`.
    var fdt: [UInt8] {
        values.flatMap { value in withUnsafeBytes(of: Float(value).bitPattern.littleEndian) { Array($0) } }
    }

    /// The content of a `.dat`.
    var dat: [UInt8] {
        labels.indices.flatMap { channel in
            samples(channel, 0..<frames).flatMap { value in
                withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
            }
        }
    }

    var bytes: [UInt8] {
        var shape = [labels.count, frames / epochs]
        if epochs > 1 { shape.append(epochs) }
        var fields: [(String, MatlabFixture.Value)] = [
            ("setname", .text("made up")), ("filename", .text("", isWide: true)),
            ("nbchan", .number(Double(labels.count))),
            ("trials", .numbers([Double(epochs)], shape: [1, 1], stored: .uint8)),
            ("pnts", .numbers([Double(frames / epochs)], shape: [1, 1], stored: .uint32)), ("srate", .number(250)),
            ("data", file.map { .text($0) } ?? .numbers(values, shape: shape, stored: stored)),
            ("chaninfo", .structs([[("plotrad", .nothing), ("fun", .function)]])),
            ("ref", .text("average", isWide: true)),
            (
                "chanlocs",
                .structs(
                    labels.indices.map { place in
                        [
                            ("labels", .text(labels[place], isWide: place > 0)), ("theta", .number(-18)),
                            ("type", .text(place < types.count ? types[place] : "")),
                        ]
                    })
            ),
            (
                "event",
                .structs(
                    events.enumerated().map { place, event in
                        [
                            ("latency", .number(event.latency)), ("type", event.type),
                            ("urevent", .number(Double(place + 1))),
                            ("duration", event.duration),
                        ]
                    })
            ),
            (
                "etc",
                .structs([[("note", .cell(.text("x"))), ("T0", .numbers([2024, 3, 1, 12, 30, 5.5], shape: [1, 6]))]])
            ),
        ]
        for place in fields.indices { if let value = changed[fields[place].0] { fields[place].1 = value } }
        var matlab = MatlabFixture(isBigEndian: isBigEndian, isCompressed: isCompressed)
        matlab.variables = isFlat ? fields : [("ALLEEG", .number(1)), ("EEG", .structs([fields]))]
        return matlab.bytes
    }

    /// Writes the set and the samples beside it.
    func write(to folder: TemporaryFolder, named name: String = "a.set") throws -> URL {
        if let file { _ = try folder.file(file, file.hasSuffix(".dat") ? dat : fdt) }
        return try folder.file(name, bytes)
    }
}
