public import Foundation

/// Small data sets whose files hold next to nothing: for what the names alone say.
public enum BIDSFolder {
    /// A `dataset_description.json` with all that BIDS asks for.
    public static let description = "{\"Name\": \"n\", \"BIDSVersion\": \"1.10.0\"}"

    /// Makes files of one byte at these places of a folder, and says that it is a BIDS data set.
    public static func make(_ paths: [String], in folder: URL, isDescribed: Bool = true) throws {
        for path in paths {
            let url = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("x".utf8).write(to: url)
        }
        guard isDescribed else { return }
        try Data(description.utf8).write(to: folder.appendingPathComponent("dataset_description.json"))
    }
}
