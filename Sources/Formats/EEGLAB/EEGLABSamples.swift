import Foundation

/// The samples of an EEGLAB data set: a matrix in it, or a file beside it. `.fdt` holds little-endian 32-bit floats of all
/// channels of a frame after those of the frame before; `.dat`, of old versions, all frames of a channel after those of the
/// channel before.
struct EEGLABSamples {
    let frames: BinaryFrames
    private(set) var notes: [String] = []

    /// - Throws: `FormatError` where they are not there, or not as many as the set says.
    init(_ set: EEGLABSet) throws {
        switch set.samples {
        case .inside(let numbers):
            frames = BinaryFrames(
                input: numbers.bytes, offset: numbers.place, channelCount: set.channelCount, frameCount: set.frameCount,
                number: numbers.stored, isBigEndian: numbers.isBigEndian)
        case .beside(let name):
            let found = try Self.place(of: name, beside: set.url)
            if let note = found.note { notes.append(note) }
            let input = try InputFile(found.url)
            let expected = set.frameCount * set.channelCount * 4
            guard input.size == expected else {
                throw FormatError(
                    found.url,
                    "has \(input.size) bytes, expected \(expected) by \(set.url.lastPathComponent): \(set.channelCount) "
                        + "channels x \(set.framesPerEpoch) frames x \(set.epochCount) epochs of 4 bytes",
                    advice: input.size < expected
                        ? "the file seems cut off or to be of another set" : "the file seems to be of another set")
            }
            frames = BinaryFrames(
                input: input, offset: 0, channelCount: set.channelCount, frameCount: set.frameCount, number: .float32,
                isVectorized: found.url.pathExtension.lowercased() == "dat")
        }
    }

    /// The file called `name` beside the set; where there is none, the `.fdt` called as the set, as EEGLAB takes it, since
    /// files are renamed more often than what a set says.
    /// - Throws: `FormatError` where neither is there.
    static func place(of name: String, beside set: URL) throws -> (url: URL, note: String?) {
        // Names may come with another machine's path.
        let last = name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? name
        let folder = set.deletingLastPathComponent()
        func exists(_ name: String) -> Bool {
            var isDirectory: ObjCBool = false
            let path = folder.appendingPathComponent(name).path
            _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
            return UnfetchedFile.isNamed(path) && !isDirectory.boolValue
        }
        if exists(last) { return (folder.appendingPathComponent(last), nil) }
        let own = set.deletingPathExtension().appendingPathExtension("fdt").lastPathComponent
        guard own != last, exists(own) else {
            throw FormatError(set, "its samples are in \(last), which is not beside it", advice: "put it there")
        }
        return (folder.appendingPathComponent(own), "\(last) is not there; \(own) was read instead")
    }
}
