import Cardiac
import Formats
import Foundation
import Signals
import TestSupport
import Testing

@Suite("Rhythm of annotated recordings")
struct RhythmRecordingTests {
    private struct Agreement {
        var irregular = 0.0, irregularFound = 0.0, other = 0.0, otherFound = 0.0
        var sensitivity: Double { irregularFound / irregular }
        var specificity: Double { otherFound / other }
    }

    private func detected(_ path: String) throws -> (beats: [Beat], duration: Seconds) {
        let recording = try Recording(reading: WFDBRecord(RealData.url(path)))
        let segment = try #require(recording.streams.first?.segments.first)
        var detector = ECGBeatDetector(sampleRate: segment.start.sampleRate)
        return (detector.run(segment.block.channel(0), from: segment.start), segment.duration)
    }

    /// Adds up, by time, where the annotators saw atrial fibrillation or flutter and where the intervals are irregular.
    private func compare(_ name: String, useDetector: Bool, _ sum: inout Agreement) throws -> [RhythmSegment] {
        let annotations = try WFDBAnnotations.read(RealData.url("mitdb/\(name).atr")).list
        let end = 650_000.0 / 360
        let beats =
            useDetector
            ? try detected("mitdb/\(name).hea").beats
            : annotations.filter(\.isBeat).map { Beat(onset: Double($0.sample) / 360, sample: $0.sample) }
        let segments = try Rhythm.segments(beats, signal: [(0, end, true)])
        let marks = annotations.filter { $0.symbol == "+" && $0.aux.hasPrefix("(") }
        for (place, mark) in marks.enumerated() {
            let from = Double(mark.sample) / 360
            let until = place + 1 < marks.count ? Double(marks[place + 1].sample) / 360 : end
            let found = segments.filter { $0.kind == .irregular }
                .reduce(0) { $0 + max(0, min($1.end, until) - max($1.onset, from)) }
            if mark.aux.hasPrefix("(AF") {
                sum.irregular += until - from
                sum.irregularFound += found
            } else {
                sum.other += until - from
                sum.otherFound += until - from - found
            }
        }
        return segments
    }

    private static let records = [
        "100", "101", "104", "106", "108", "109", "114", "116", "118", "119", "201", "203", "205", "207", "208", "209",
        "215", "217", "223", "230",
    ]

    @Test(
        "MIT-BIH: fibrillation and flutter by time", .enabled(if: RealData.has("mitdb/230.hea")),
        arguments: [false, true])
    func fibrillation(useDetector: Bool) throws {
        var (all, paced, sinus) = (Agreement(), Agreement(), Agreement())
        for name in Self.records {
            switch name {
            // A pacemaker makes the intervals of 217 regular while its atria fibrillate.
            case "217": _ = try compare(name, useDetector: useDetector, &paced)
            // 201, 203: fibrillation; 106, 119, 208: ectopy that comes in every pattern.
            case "106", "119", "201", "203", "208": _ = try compare(name, useDetector: useDetector, &all)
            default: _ = try compare(name, useDetector: useDetector, &sinus)
            }
        }
        #expect(all.sensitivity > 0.99)
        #expect(sinus.specificity > 0.98)
        let specificity = (all.otherFound + sinus.otherFound) / (all.other + sinus.other)
        #expect(specificity > 0.94)
    }

    @Test(
        "MIT-BIH: sinus rhythm is one segment", .enabled(if: RealData.has("mitdb/101.hea")), arguments: ["100", "101"])
    func sinus(name: String) throws {
        var sum = Agreement()
        #expect(try compare(name, useDetector: true, &sum).map(\.kind) == [.regular])
    }

    @Test(
        "MIT-BIH: bigeminy and trigeminy are ectopy", .enabled(if: RealData.has("mitdb/119.hea")),
        arguments: ["106", "119"])
    func bigeminy(name: String) throws {
        let annotations = try WFDBAnnotations.read(RealData.url("mitdb/\(name).atr")).list
        let marks = annotations.filter { $0.symbol == "+" }
        let beats = annotations.filter(\.isBeat).map { Beat(onset: Double($0.sample) / 360, sample: $0.sample) }
        let ectopic = try Rhythm.segments(beats).filter { $0.kind == .ectopy || $0.kind == .irregular }
        var (length, found) = (0.0, 0.0)
        for (mark, next) in zip(marks, marks.dropFirst()) where mark.aux.hasPrefix("(B") || mark.aux.hasPrefix("(T") {
            let (from, until) = (Double(mark.sample) / 360, Double(next.sample) / 360)
            length += until - from
            found += ectopic.reduce(0) { $0 + max(0, min($1.end, until) - max($1.onset, from)) }
        }
        #expect(found > 0.95 * length)
    }

    @Test("Handheld ECG of half a minute", .enabled(if: RealData.has("cinc2017/A00001.hea")))
    func handheld() throws {
        for (name, isIrregular) in [("A00001", false), ("A00004", true)] {
            let (beats, duration) = try detected("cinc2017/\(name).hea")
            let segments = try Rhythm.segments(beats, signal: [(0, duration, true)])
            #expect(segments.contains { $0.kind == .irregular } == isIrregular, "\(name)")
        }
    }
}
