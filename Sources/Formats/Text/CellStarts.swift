import CVectors
import Foundation

/// Where the cells of tab-separated text begin, row by row below the header.
struct CellStarts {
    /// The column names of the header row.
    private(set) var names: [String] = []
    /// Where each cell begins.
    private(set) var starts: [Int] = []
    /// The line of each row, counted from 1.
    private(set) var lines: [Int] = []
    private var line = 0
    private var lineStart = 0
    /// How many cells stand before the line.
    private var before = 0

    /// Finds the cells of `bytes`, which end with a line feed. Blank lines and a byte-order mark are passed over.
    /// - Parameter header: takes the first line apart.
    /// - Throws: `FormatError` when there is no header, or a row has another number of cells; what `header` throws.
    mutating func find(in bytes: [UInt8], file: URL, header: (ArraySlice<UInt8>) throws -> [String]) throws {
        lineStart = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        starts.reserveCapacity(bytes.count / Self.usualWidth)
        starts.append(lineStart)
        var place = lineStart
        while place < bytes.count {
            var marks = Self.marks(in: bytes, at: place)
            while marks != 0 {
                let mark = place + marks.trailingZeroBitCount
                marks &= marks - 1
                if bytes[mark] == 0x09 {
                    starts.append(mark + 1)
                } else {
                    try endLine(bytes[lineStart..<mark], file, header)
                    lineStart = mark + 1
                    starts.append(lineStart)
                }
            }
            place += 64
        }
        // After the last line feed no row begins.
        starts.removeLast()
        guard !names.isEmpty else { throw FormatError(file, "is empty, expected a header row") }
    }

    /// Bytes of a cell, as a guess.
    private static let usualWidth = 8

    /// A bit for each tab and line feed of the 64 bytes from `place` on.
    private static func marks(in bytes: [UInt8], at place: Int) -> UInt64 {
        bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return 0 }
            if bytes.count - place >= 64 { return marey_either(base + place, 0x09, 0x0A) }
            return (place..<bytes.count).reduce(0) { marks, at in
                bytes[at] == 0x09 || bytes[at] == 0x0A ? marks | 1 << UInt64(at - place) : marks
            }
        }
    }

    private mutating func endLine(
        _ text: ArraySlice<UInt8>, _ file: URL, _ header: (ArraySlice<UInt8>) throws -> [String]
    ) throws {
        line += 1
        let count = starts.count - before
        if count == 1, text.allSatisfy({ $0 == 0x0D || $0 == 0x20 }) {
            starts.removeLast()
        } else if names.isEmpty {
            names = try header(text)
            starts.removeAll(keepingCapacity: true)
        } else if count == names.count {
            lines.append(line)
        } else {
            throw FormatError(
                file, at: "line \(line)", "has \(count) cells, the header has \(names.count)",
                advice: "cells are separated by tabs")
        }
        before = starts.count
    }
}
