import Foundation
import Study

/// The pictures and sounds that a lab supplies for the enjoyment task: the files of known types in the study's
/// `stimuli/enjoyment`. One is meant by its name in this list and by nothing else.
struct StimulusFolder {
    /// One file.
    struct Item {
        var name: String
        var type: String
        var url: URL
    }

    private static let types = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif",
        "wav": "audio/wav", "mp3": "audio/mpeg", "ogg": "audio/ogg", "m4a": "audio/mp4", "flac": "audio/flac",
    ]

    private let folder: URL
    private let served: ServedFolders

    init(_ study: StudyFolder) {
        served = ServedFolders(study)
        folder = study.root.appendingPathComponent("stimuli/enjoyment", isDirectory: true)
    }

    /// The files, by name; what links elsewhere is left out.
    var items: [Item] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted().compactMap { name in
            let url = folder.appendingPathComponent(name)
            guard let type = Self.types[url.pathExtension.lowercased()], name.count <= 200, served.size(of: url) != nil
            else { return nil }
            return Item(name: name, type: type, url: url)
        }
    }
}
