import Foundation

/// A stretch of a file held in memory, which moves along as the file is read.
final class XDFWindow {
    /// The file.
    let file: InputFile
    private var memory: UnsafeMutableRawBufferPointer
    private var held = 0..<0

    /// - Parameter size: bytes to hold at a time; grows for a single longer request.
    init(_ file: InputFile, size: Int = 1 << 18) {
        self.file = file
        memory = .allocate(byteCount: max(size, 64), alignment: 16)
    }

    deinit { memory.deallocate() }

    /// At least `count` bytes from `offset` on, as many as are held; nil when the file ends before. Valid until the next
    /// call.
    /// - Throws: `FormatError` when the disk refuses them, or the file became shorter.
    func bytes(at offset: Int, _ count: Int) throws -> UnsafeRawBufferPointer? {
        guard offset >= 0, count >= 0, count <= file.size, offset <= file.size - count else { return nil }
        if offset < held.lowerBound || offset + count > held.upperBound {
            if count > memory.count {
                memory.deallocate()
                memory = .allocate(byteCount: count, alignment: 16)
            }
            let got = try file.read(at: offset, into: memory)
            held = offset..<offset + got
            guard got >= count else {
                throw FormatError(
                    file.url, at: "byte \(offset + got)", "ends early: the file became shorter while it was read")
            }
        }
        return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[offset - held.lowerBound..<held.count])
    }

    /// The first place of `pattern` at or after `offset`; nil when there is none.
    func find(_ pattern: [UInt8], from offset: Int) throws -> Int? {
        var place = offset
        while let bytes = try bytes(at: place, pattern.count) {
            if let found = Self.find(pattern, in: bytes) { return place + found }
            place += bytes.count - pattern.count + 1
        }
        return nil
    }

    /// Whether `pattern` stands anywhere in this part of the file.
    func holds(_ pattern: [UInt8], in range: Range<Int>) throws -> Bool {
        guard let part = try bytes(at: range.lowerBound, range.count) else { return false }
        return Self.find(pattern, in: UnsafeRawBufferPointer(rebasing: part[..<range.count])) != nil
    }

    private static func find(_ pattern: [UInt8], in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress, let first = pattern.first else { return nil }
        var place = 0
        while place <= bytes.count - pattern.count {
            guard let hit = memchr(base + place, Int32(first), bytes.count - pattern.count + 1 - place) else {
                return nil
            }
            place = UnsafeRawPointer(hit) - base
            if memcmp(base + place, pattern, pattern.count) == 0 { return place }
            place += 1
        }
        return nil
    }
}

extension UnsafeRawBufferPointer {
    /// The number of `count` little-endian bytes at `offset`.
    @inline(__always)
    func little<T: FixedWidthInteger>(_ offset: Int, as type: T.Type) -> T {
        T(littleEndian: loadUnaligned(fromByteOffset: offset, as: T.self))
    }

    /// The little-endian `Double` at `offset`.
    @inline(__always)
    func double(_ offset: Int) -> Double {
        Double(bitPattern: little(offset, as: UInt64.self))
    }
}
