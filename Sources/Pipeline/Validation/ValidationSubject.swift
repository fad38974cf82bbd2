public import Foundation

/// One recording whose beats can be scored.
public struct ValidationSubject: Hashable, Sendable {
    /// The recording: a record's header, or a file.
    public var url: URL
    /// What it is called: its path within the folder that was searched, without the ending.
    public var name: String
    /// The data set it belongs to: the name of its folder.
    public var set: String

    /// A recording.
    public init(url: URL, name: String, set: String) {
        self.url = url
        self.name = name
        self.set = set
    }

    /// A recording that was named by itself.
    public init(file: URL) {
        self.init(
            url: file, name: Self.stem(of: file).lastPathComponent,
            set: file.standardizedFileURL.deletingLastPathComponent().lastPathComponent)
    }

    /// The file's path without its endings.
    var stem: URL { Self.stem(of: url) }

    static func stem(of url: URL) -> URL {
        var stem = url
        if stem.pathExtension.lowercased() == "gz" { stem.deletePathExtension() }
        return stem.deletingPathExtension()
    }
}
