import Formats
import Foundation
import Signals

/// The beats that somebody who knows says are in a recording.
struct ReferenceBeats {
    /// Where they come from, such as `.atr`, for people.
    var name: String
    /// Their times, in seconds from the recording's start.
    var onsets: [Seconds] = []
    /// Stretches of ventricular flutter or fibrillation.
    var flutter = TimeSpans([])
    /// Flutter waves, which WFDB counts as beats.
    var flutterWaves = 0
    /// Paced beats and fusions of paced and other beats.
    var pacedBeats = 0
    /// When somebody looked; nil: always.
    var annotated: TimeSpans?
    /// What a reader of the scores should know.
    var notes: [String] = []
    /// Whether these are the beats of the heart, which a pulse follows later.
    var isOfHeart = true

    /// Beats from elsewhere.
    init(name: String, onsets: [Seconds]) {
        self.name = name
        self.onsets = onsets
    }

    /// The beats of a record's annotations.
    /// - Parameter sampleRate: ticks per second where neither the annotations nor a header say.
    init(_ choice: AnnotatorChoice, sampleRate: Double) {
        name = ".\(choice.annotator)"
        let rate = (try? choice.annotations.sampleRate(beside: choice.url)) ?? sampleRate
        var episodes: [Range<Seconds>] = []
        var start: Seconds?
        var waves: [Seconds] = []
        for annotation in choice.annotations.list {
            let onset = Double(annotation.sample) / rate
            if annotation.isBeat { onsets.append(onset) }
            switch annotation.symbol {
            case "/", "f": pacedBeats += 1
            case "!": waves.append(onset)
            case "[": start = start ?? onset
            case "]":
                if let first = start { episodes.append(first..<onset) }
                start = nil
            default: break
            }
        }
        if let start { episodes.append(start..<(.infinity)) }
        flutterWaves = waves.count
        let marked = TimeSpans(episodes)
        let unmarked = waves.filter { !marked.contains($0) }
        flutter = marked.union(TimeSpans(unmarked.map { $0 - Self.flutterReach..<$0 + Self.flutterReach }))
        if choice.isPartial {
            annotated = Self.annotatedStretches(onsets)
            notes.append("only the stretches annotated in .\(choice.annotator) count")
        }
        if choice.isByProgram { notes.append("the reference .\(choice.annotator) was made by a program") }
    }

    /// Half the longest time from one flutter wave to the next, in seconds: below 120 per minute it is no flutter.
    private static let flutterReach: Seconds = 0.25
    /// How far an annotated stretch goes beyond its first and last beat, in seconds: the window of EC57.
    private static let margin: Seconds = 0.15

    /// The stretches over which beats follow each other without one left out: an interval much longer than those
    /// around it is where nobody looked.
    static func annotatedStretches(_ onsets: [Seconds]) -> TimeSpans {
        let beats = onsets.sorted()
        let intervals = zip(beats.dropFirst(), beats).map(-)
        var stretches: [Range<Seconds>] = []
        var first = 0
        for place in intervals.indices {
            let around = intervals[max(0, place - 4)...min(intervals.count - 1, place + 4)].sorted()
            // The shorter middle, so that two stretches of two beats are not one.
            guard intervals[place] > 1.75 * around[(around.count - 1) / 2] else { continue }
            stretches.append(beats[first] - margin..<beats[place] + margin)
            first = place + 1
        }
        if first < beats.count { stretches.append(beats[first] - margin..<beats[beats.count - 1] + margin) }
        return TimeSpans(stretches)
    }

    /// The beats of a simulated recording's truth that are to be seen in `stream`.
    init(truth url: URL, stream: String) throws {
        name = "truth"
        isOfHeart = false
        let table = try TextTable(reading: url)
        let times = try table.numbers("onset")
        let visible = try table.integers("visible")
        let streams = try table.texts("stream")
        // One stream may be named otherwise by the format it went through; then its kind tells.
        let names = Set(streams.compactMap { $0 })
        let wanted = names.contains(stream) ? stream : names.first { stream.lowercased().contains($0) } ?? stream
        for (index, time) in times.enumerated() where streams[index] == wanted && visible[index] == 1 {
            onsets.append(time)
        }
    }

    /// The truth beside a recording; nil when there is none.
    static func truth(beside stem: URL) -> URL? {
        let file = stem.deletingLastPathComponent().appendingPathComponent(stem.lastPathComponent + "_truth.tsv")
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }
}
