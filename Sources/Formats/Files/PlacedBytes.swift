import Foundation

/// Bytes of a file that can be read at any place: as they stand, or unpacked.
protocol PlacedBytes: AnyObject {
    /// The file, as the user named it.
    var url: URL { get }
    /// Reads up to `count` bytes from `place` on; fewer at the end.
    /// - Throws: `FormatError` where they cannot be read.
    func read(at place: Int, count: Int) throws -> [UInt8]
}

extension InputFile: PlacedBytes {}
