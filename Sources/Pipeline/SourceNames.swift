import Signals

/// A source whose channel has a name of its own.
protocol NamedSource {
    /// The stream's place in the recording.
    var stream: Int { get }
    /// The place of its channel in the stream.
    var channel: Int { get }
    /// What the files made from it are called, before names that are alike are told apart.
    var fileLabel: String { get }
}

extension CardiacSource: NamedSource {
    var fileLabel: String { recordingLabel.isEmpty ? kind.rawValue : recordingLabel }
}

extension BodySource: NamedSource {
    var fileLabel: String {
        let letters = CardiacSource.labelCharacters(of: name)
        return letters.isEmpty ? kind.rawValue : letters
    }
}

extension NamedSource {
    /// Its name without the number by which readers tell streams of one kind apart, as they come in the file.
    fileprivate var kindLabel: String {
        let letters = String(fileLabel.reversed().drop(while: \.isNumber).reversed())
        return StreamKind(rawValue: letters) == nil ? fileLabel : letters
    }
}

/// What the files made from a recording's sources are called.
enum SourceNames {
    /// Sources of one name are told apart by their channels, where these have names: the left hand's sensor must not be `eda` in
    /// one recording and `eda2` in another, as their places in the file would have it.
    static func told(_ sources: [some NamedSource], in header: RecordingHeader) -> [String] {
        let names = sources.map(\.kindLabel)
        let labels = sources.map {
            CardiacSource.labelCharacters(of: header.streams[$0.stream].channels[$0.channel].label)
        }
        return sources.indices.map { index in
            let alike = names.indices.filter { names[$0] == names[index] }
            let channels = Set(alike.map { labels[$0] })
            guard alike.count > 1, channels.count == alike.count, !channels.contains("") else {
                return sources[index].fileLabel
            }
            return names[index] + labels[index]
        }
    }
}
