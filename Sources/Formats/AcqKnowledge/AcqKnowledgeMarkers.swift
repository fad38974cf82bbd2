import Foundation
import Signals

/// The markers of an AcqKnowledge file, and where the headers of compressed channels begin after them.
struct AcqKnowledgeMarkers {
    /// One of them.
    struct Mark {
        var tick: Int
        var label: String
        /// Four letters for its kind, such as `flag`; empty before version 4.
        var style: String
        /// When it was made, in milliseconds since 1970, from version 4.4 on.
        var made: Int?

        /// Whether a segment of the recording begins here, after a pause. Early versions tell it by the label alone.
        var beginsSegment: Bool {
            if style == "apnd" { return true }
            guard style.isEmpty || style == "defl", label.hasPrefix("Segment ") else { return false }
            return label.dropFirst(8).prefix { $0.isNumber }.count > 0
        }
    }

    private(set) var marks: [Mark] = []
    /// The first byte after them.
    private(set) var end: Int

    /// Reads the markers that begin at `start`.
    /// - Throws: `FormatError` where they cannot be right.
    init(_ header: AcqKnowledgeHeader, from start: Int) throws {
        end = start
        if header.version >= AcqKnowledgeHeader.Version.four {
            try readLate(header.fields, header.version)
        } else {
            try readEarly(header.fields, header.version)
        }
        // Some files count from the first sample that was kept in memory.
        if let first = marks.first, first.tick < 0, first.beginsSegment {
            for place in marks.indices { marks[place].tick -= first.tick }
        }
    }

    private mutating func readEarly(_ fields: AcqKnowledgeFields, _ version: Int) throws {
        let hasSelection = version >= AcqKnowledgeHeader.Version.withSelection
        let count = try fields.int32(end + 4)
        end += 8
        for _ in 0..<max(0, count) {
            let tick = try fields.int32(end)
            end += hasSelection ? 10 : 8
            // The zero at its end is counted by the earliest versions alone.
            let length = max(0, try fields.int16(end)) + (hasSelection ? 1 : 0)
            marks.append(Mark(tick: tick, label: try fields.text(end + 2, length), style: "", made: nil))
            end += 2 + length
        }
    }

    private mutating func readLate(_ fields: AcqKnowledgeFields, _ version: Int) throws {
        let (hasMore, hasDates) = (
            version >= AcqKnowledgeHeader.Version.withMoreMarkers, version >= AcqKnowledgeHeader.Version.withDates
        )
        let count = try fields.int32(end + 4) - 1
        end += 25 + (hasMore ? 8 : 0) + (hasDates ? 8 : 0)
        for _ in 0..<max(0, count) {
            var mark = Mark(
                tick: try fields.int32(end), label: "", style: try fields.text(end + 10, 4), made: nil)
            end += 14
            if hasDates {
                let milliseconds = try fields.uint64(end)
                if (1..<1 << 50).contains(milliseconds) { mark.made = Int(milliseconds) }
                end += 8
            }
            if hasMore { end += 8 }
            let length = max(0, try fields.int16(end))
            mark.label = try fields.text(end + 2, length)
            end += 2 + length
            marks.append(mark)
        }
    }

    /// Where the headers of compressed channels begin: after what is told of the markers, the journal, and a header of
    /// their own.
    /// - Throws: `FormatError` where these cannot be right.
    func compressedStart(_ header: AcqKnowledgeHeader) throws -> Int {
        let fields = header.fields
        var place = end
        if header.version > AcqKnowledgeHeader.Version.four {
            place += max(4, try fields.int32(place))
            let texts = max(0, try fields.int32(place + 24)) + max(0, try fields.int32(place + 28))
            return place + 52 + (header.version >= AcqKnowledgeHeader.Version.fourPointTwo ? 6 : 0) + texts
        }
        func isJournal() throws -> Bool { try (0..<4).map { try fields.byte(place + $0) } == [0x44, 0x33, 0x22, 0x11] }
        if header.version >= AcqKnowledgeHeader.Version.withCompression, try !isJournal() {
            place += 84 + 28 * max(0, try fields.int32(place + 4))
        }
        if try isJournal() { place += 10 + max(0, try fields.int32(place + 6)) }
        return place + 38 + max(0, try fields.int32(place + 34))
    }
}
