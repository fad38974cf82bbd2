public import Foundation

extension WFDBAnnotations {
    /// The annotations in MIT format.
    ///
    /// A note longer than 255 bytes is cut at a character; a time that goes back is written as it is, so that reading
    /// gives the same list. Codes above 49 and 0 cannot be written.
    /// - Throws: `FormatError` naming `file` when an annotation cannot be written.
    public func encoded(for file: URL) throws -> [UInt8] {
        var writer = WFDBAnnotationEncoder()
        if let timeResolution {
            let whole = Int(exactly: timeResolution)
            writer.note("## time resolution: " + (whole.map(String.init) ?? "\(timeResolution)"))
        }
        if !definitions.isEmpty {
            writer.note("## annotation type definitions")
            for (code, definition) in definitions.sorted(by: { $0.key < $1.key }) {
                writer.note("\(code) \(definition.symbol) \(definition.description)")
            }
            writer.note("## end of definitions")
        }
        if timeResolution != nil || !definitions.isEmpty { writer.endOfNotes() }
        for (index, annotation) in list.enumerated() {
            guard (1..<50).contains(annotation.code) else {
                throw FormatError(file, at: "annotation \(index)", "the code \(annotation.code) cannot be written")
            }
            writer.append(annotation)
        }
        return writer.finished()
    }

    /// Writes an annotation file in MIT format; it appears only when it is complete.
    /// - Throws: `FormatError` when it cannot be written.
    public func write(to url: URL) throws {
        try writeAtomically(encoded(for: url), to: url)
    }
}

/// Puts annotations together as words of 16 bits (annot(5)).
private struct WFDBAnnotationEncoder {
    private var bytes: [UInt8] = []
    private var time = 0
    private var chan: UInt8 = 0
    private var num: Int8 = 0

    mutating func note(_ text: String) {
        append(WFDBAnnotation(sample: 0, code: 22, aux: text))
    }

    /// A null annotation a tick before time 0 and one tick on, as WFDB's own programs end what speaks of the file.
    mutating func endOfNotes() {
        bytes += [0, 59 << 2, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0]
    }

    mutating func append(_ annotation: WFDBAnnotation) {
        var delta = annotation.sample &- time
        time = annotation.sample
        while delta < 0 || delta > 1023 {
            let step = max(Int(Int32.min), min(Int(Int32.max), delta))
            word(59, 0)
            let bits = UInt32(bitPattern: Int32(step))
            bytes += [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 24), UInt8(bits & 0xFF), UInt8(bits >> 8 & 0xFF)]
            delta -= step
        }
        word(annotation.code, UInt16(delta))
        if annotation.num != num {
            num = annotation.num
            word(60, UInt16(UInt8(bitPattern: num)))
        }
        if annotation.subtype != 0 { word(61, UInt16(UInt8(bitPattern: annotation.subtype))) }
        if annotation.chan != chan {
            chan = annotation.chan
            word(62, UInt16(chan))
        }
        if !annotation.aux.isEmpty { note(ofAnnotation: annotation.aux) }
    }

    private mutating func note(ofAnnotation text: String) {
        var cut: [UInt8] = []
        for character in text {
            let more = Array(String(character).utf8)
            if cut.count + more.count > 255 { break }
            cut += more
        }
        word(63, UInt16(cut.count))
        bytes += cut
        if cut.count % 2 == 1 { bytes.append(0) }
    }

    private mutating func word(_ code: UInt8, _ value: UInt16) {
        bytes.append(UInt8(value & 0xFF))
        bytes.append(code << 2 | UInt8(value >> 8 & 0x03))
    }

    func finished() -> [UInt8] { bytes + [0, 0] }
}
