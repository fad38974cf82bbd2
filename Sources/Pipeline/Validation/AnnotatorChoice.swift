import Formats
import Foundation
import Signals

/// Which of the annotation files of a WFDB record tells its beats.
struct AnnotatorChoice {
    /// The file.
    var url: URL
    /// What it says.
    var annotations: WFDBAnnotations

    /// The file's extension, such as `atr`.
    var annotator: String { url.pathExtension }

    /// Extensions of annotators of beats, the most trustworthy first: reference beats; beats by hand, of a part of the
    /// record; beats by programs, corrected or not.
    private static let known = [
        "atr", "ecg", "man", "q1c", "q2c", "qt1", "qt2", "qrsc", "qrs", "wqrs", "gqrs", "ari", "pu", "pu0", "pu1",
    ]
    /// Annotators who looked at chosen stretches only (QT Database: `.man` and the measurements by hand).
    private static let partial: Set<String> = ["man", "q1c", "q2c", "qt1", "qt2"]
    /// Extensions of annotators that are programs.
    private static let programs: Set<String> = ["qrs", "wqrs", "gqrs", "ari", "pu", "pu0", "pu1", "xqrs"]
    /// What lies beside records and is no annotation file.
    private static let others: Set<String> = [
        "hea", "dat", "mat", "txt", "tsv", "csv", "json", "html", "xml", "gz", "zip", "edf", "bdf", "png", "pdf", "svg",
        "md", "mark", "xws",
    ]

    /// Whether only chosen stretches of the record were annotated.
    var isPartial: Bool { Self.partial.contains(annotator) }
    /// Whether a program made it, whose mistakes count as truth.
    var isByProgram: Bool { Self.programs.contains(annotator) }

    /// The annotations `wanted`, or the most trustworthy ones with beats; nil when there are none.
    /// - Parameter record: the record's header or its path without an extension.
    /// - Throws: `FormatError` when the file `wanted` cannot be read.
    init?(beside record: URL, wanted: String?) throws {
        let stem = record.deletingPathExtension()
        if let wanted {
            let file = stem.appendingPathExtension(wanted)
            guard FileManager.default.fileExists(atPath: file.path) else { return nil }
            self.init(url: file, annotations: try Self.whole(file))
            return
        }
        for annotator in Self.candidates(of: stem) {
            let file = stem.appendingPathExtension(annotator)
            guard let annotations = try? Self.whole(file) else {
                // A reference that is there but damaged must not give way to a lesser one in silence.
                if annotator == "atr" { self.init(url: file, annotations: try Self.whole(file)) }
                continue
            }
            let rate = try? annotations.sampleRate(beside: file)
            if Self.tellsBeats(annotations, rate: rate, isKnown: Self.known.contains(annotator)) {
                self.init(url: file, annotations: annotations)
                return
            }
        }
        return nil
    }

    /// The annotations of a file that is all there: beats after its end would count as false.
    private static func whole(_ file: URL) throws -> WFDBAnnotations {
        let annotations = try WFDBAnnotations.read(file)
        guard !annotations.isCutOff else {
            throw FormatError(file, "has no end mark, so a part of it may be missing", advice: "get the file again")
        }
        return annotations
    }

    private init(url: URL, annotations: WFDBAnnotations) {
        self.url = url
        self.annotations = annotations
    }

    private static func candidates(of stem: URL) -> [String] {
        let folder = stem.deletingLastPathComponent()
        let prefix = stem.lastPathComponent + "."
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let found = Set(names.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) })
            .filter { !$0.contains(".") && !others.contains($0.lowercased()) }
        return known.filter(found.contains) + found.subtracting(known).sorted()
    }

    /// Annotators nobody knows must have marks as far apart as heart beats: some mark minutes of sleep with `N`.
    private static func tellsBeats(_ annotations: WFDBAnnotations, rate: Double?, isKnown: Bool) -> Bool {
        let beats = annotations.list.filter(\.isBeat).map(\.sample)
        if isKnown { return !beats.isEmpty }
        guard let rate, beats.count > 2 else { return false }
        let intervals = zip(beats.dropFirst(), beats).map { Double($0 - $1) / rate }.sorted()
        return (0.2...3).contains(intervals[intervals.count / 2])
    }
}
