import Foundation

extension MatlabDecoder {
    /// More elements of a struct array or cell array than this are not read.
    static let mostElements = 1 << 20
    private static let mostText = 1 << 16
    private static let deepest = 8

    /// The value of the array `matrix`.
    /// - Parameter wish: which fields are read where it is a struct.
    /// - Throws: `FormatError` where it cannot be right.
    func value(_ matrix: Element, _ wish: MatlabWish, depth: Int = 0) throws -> MatlabValue {
        guard matrix.type == MatlabType.matrix.rawValue else {
            throw bytes.error(at: matrix.place, "holds data of type \(matrix.type), expected an array (14)")
        }
        let heading = try heading(of: matrix)
        switch heading.kind {
        case .text: return try text(heading)
        case .structure, .cell:
            guard depth < Self.deepest else { return .other("arrays within arrays") }
            return try heading.kind == .cell ? cells(heading, depth) : structs(heading, wish, depth)
        case .sparse: return .other("a sparse matrix")
        case .object, .function, .opaque, nil: return .other("an object")
        default: return try numbers(heading)
        }
    }

    private func numbers(_ heading: Heading) throws -> MatlabValue {
        // What has no elements may have no data either.
        guard heading.count > 0 else {
            return .numbers(
                MatlabNumbers(
                    bytes: bytes, isBigEndian: isBigEndian, shape: heading.shape, count: 0, stored: .float64,
                    place: heading.content, isComplex: false))
        }
        let data = try element(at: heading.content, within: heading.end)
        guard let stored = MatlabType(rawValue: data.type)?.number else {
            throw bytes.error(at: heading.content, "holds data of type \(data.type), expected numbers")
        }
        let (needed, isTooLarge) = heading.count.multipliedReportingOverflow(by: stored.byteCount)
        guard !isTooLarge, data.count == needed else {
            throw bytes.error(
                at: heading.content,
                "has \(data.count) bytes of numbers, expected \(heading.count) of \(stored.byteCount) bytes")
        }
        let numbers = MatlabNumbers(
            bytes: bytes, isBigEndian: isBigEndian, shape: heading.shape, count: heading.count, stored: stored,
            place: data.place, isComplex: heading.isComplex)
        return numbers.count == 1 && !numbers.isComplex ? .number(try numbers.values()[0]) : .numbers(numbers)
    }

    private func text(_ heading: Heading) throws -> MatlabValue {
        guard heading.count > 0 else { return .text("") }
        guard let lines = try lines(heading) else { return .other("text of \(heading.count) letters") }
        return .text(Self.plain(lines.joined(separator: " ")))
    }

    /// The rows of an array of letters, without blanks around them; nil where it is none, or too long.
    /// - Throws: `FormatError` where it cannot be read.
    func lines(of matrix: Element) throws -> [String]? {
        let heading = try heading(of: matrix)
        guard heading.kind == .text else { return nil }
        return heading.count > 0 ? try lines(heading)?.map(Self.plain) : []
    }

    private func lines(_ heading: Heading) throws -> [String]? {
        let data = try element(at: heading.content, within: heading.end)
        guard data.count <= Self.mostText else { return nil }
        let raw = try bytes.read(at: data.place, count: data.count)
        let rows = heading.shape[0]
        switch MatlabType(rawValue: data.type) {
        case .utf16, .uint16, .int16:
            let units = (0..<raw.count / 2).map { place in
                UInt16(raw[2 * place + (isBigEndian ? 0 : 1)]) << 8 | UInt16(raw[2 * place + (isBigEndian ? 1 : 0)])
            }
            return Self.byRows(units, rows).map { String(decoding: $0, as: UTF16.self) }
        case .utf32, .uint32, .int32:
            let units = (0..<raw.count / 4).map { Self.number(raw, 4 * $0, isBigEndian) }
            return Self.byRows(units, rows).map { String(decoding: $0, as: UTF32.self) }
        case .utf8, .uint8, .int8:
            // Old files have their machine's letters.
            return Self.byRows(raw, rows).map { String(validating: $0, as: UTF8.self) ?? Self.latin($0) }
        default:
            throw bytes.error(at: heading.content, "holds data of type \(data.type), expected text")
        }
    }

    private static func latin(_ units: [UInt8]) -> String {
        String(String.UnicodeScalarView(units.map { Unicode.Scalar($0) }))
    }

    /// Letters that stand column by column, row by row.
    private static func byRows<Unit>(_ units: [Unit], _ rows: Int) -> [[Unit]] {
        guard rows > 1, units.count % rows == 0 else { return [units] }
        return (0..<rows).map { row in stride(from: row, to: units.count, by: rows).map { units[$0] } }
    }

    /// Text of one line, without blanks around it.
    private static func plain(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
        return String(String.UnicodeScalarView(scalars)).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func cells(_ heading: Heading, _ depth: Int) throws -> MatlabValue {
        guard heading.count <= min(Self.mostElements, (heading.end - heading.content) / 8) else {
            throw bytes.error(
                at: heading.content, "is said to have \(heading.count) cells, which cannot be or is too many")
        }
        // Only cells around a single value are looked into.
        guard heading.count <= 1 else { return .other("\(heading.count) cells") }
        return .cells(
            try (0..<heading.count).map { _ in
                try value(element(at: heading.content, within: heading.end), .value, depth: depth + 1)
            })
    }

    private func structs(_ heading: Heading, _ wish: MatlabWish, _ depth: Int) throws -> MatlabValue {
        let (names, first) = try fieldNames(heading)
        guard heading.count > 0, !names.isEmpty else { return .structs(count: heading.count, fields: [:]) }
        let (all, isTooLarge) = heading.count.multipliedReportingOverflow(by: names.count)
        guard !isTooLarge, heading.count <= Self.mostElements, all <= (heading.end - first) / 8 else {
            throw bytes.error(
                at: heading.content,
                "is said to have \(heading.count) structs of \(names.count) fields, which cannot be or is too many")
        }
        let wanted = names.map { wish.fields[$0] }
        guard let last = wanted.lastIndex(where: { $0 != nil }) else {
            return .structs(count: heading.count, fields: [:])
        }
        var values = names.map { _ in [MatlabValue]() }
        var place = first
        for index in 0..<heading.count {
            for field in names.indices {
                let element = try element(at: place, within: heading.end)
                if let wish = wanted[field] { values[field].append(try value(element, wish, depth: depth + 1)) }
                place = element.next
                // What follows would be unpacked for nothing.
                if index == heading.count - 1, field == last { break }
            }
        }
        var fields: [String: [MatlabValue]] = [:]
        for field in names.indices where wanted[field] != nil { fields[names[field]] = values[field] }
        return .structs(count: heading.count, fields: fields)
    }

    /// The names of a struct's fields, and where its first value begins.
    private func fieldNames(_ heading: Heading) throws -> ([String], next: Int) {
        let length = try element(at: heading.content, within: heading.end)
        guard length.type == MatlabType.int32.rawValue, length.count == 4 else {
            throw bytes.error(at: heading.content, "should tell how long names of fields are")
        }
        let width = Int(Self.number(try bytes.read(at: length.place, count: 4), 0, isBigEndian))
        let names = try element(at: length.next, within: heading.end)
        guard (1...4_096).contains(width), names.count % width == 0, names.count <= 1 << 20 else {
            throw bytes.error(at: length.next, "has \(names.count) bytes of names of fields, each of \(width)")
        }
        let raw = try bytes.read(at: names.place, count: names.count)
        let list = stride(from: 0, to: raw.count, by: width).map { start in
            String(decoding: raw[start..<start + width].prefix { $0 != 0 }, as: UTF8.self)
        }
        return (list, names.next)
    }
}
