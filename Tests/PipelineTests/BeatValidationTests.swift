import Cardiac
import Formats
import Foundation
import Pipeline
import Signals
import Simulation
import TestSupport
import Testing

/// Scoring of sets whose errors are known because they were put there.
struct BeatValidationTests {
    private func validation(_ folder: URL, _ change: (inout BeatValidation.Request) -> Void = { _ in })
        -> BeatValidation
    {
        var request = BeatValidation.Request()
        change(&request)
        let search = ValidationSearch(folder)
        return BeatValidation(of: search.subjects, candidates: search.candidates, request, parameters: Parameters())
    }

    private func counts(_ comparison: BeatComparison?) -> [Int] {
        [comparison?.truePositives ?? -1, comparison?.falsePositives ?? -1, comparison?.falseNegatives ?? -1]
    }

    @Test func aReferenceThatWasCutOffIsAnErrorAndNotScored() throws {
        try withTemporaryFolder { folder in
            let session = AnnotatedSet.session(duration: 60)
            try AnnotatedSet.write(session, as: "100", in: folder, annotations: ["atr": AnnotatedSet.beats(session)])
            let file = folder.appendingPathComponent("100.atr")
            try Data(contentsOf: file).prefix(40).write(to: file)
            let result = validation(folder)
            #expect(result.channels.isEmpty)
            #expect(result.failures.map(\.reason).contains { $0.contains("no end mark") })
        }
    }

    @Test func missingAndAddedReferenceBeatsAreExtraAndMissedDetections() throws {
        try withTemporaryFolder { folder in
            let session = AnnotatedSet.session(duration: 120)
            let truth = AnnotatedSet.beats(session)
            let spoilt =
                truth.enumerated().filter { $0.offset % 40 != 20 }.map(\.element)
                + [30, 60].map { WFDBAnnotation(sample: truth[$0].sample + 100, code: 1) }
            try AnnotatedSet.write(session, as: "100", in: folder, annotations: ["atr": spoilt])
            let result = validation(folder)
            let left = truth.indices.count { $0 % 40 != 20 }
            #expect(counts(result.channels.first?.comparisons[0]) == [left, truth.count - left, 2])
            #expect(result.failures.isEmpty && result.excluded.isEmpty)
            #expect(result.channels.first?.reference == ".atr")
            #expect(result.convention.name == "whole")
        }
    }

    /// A file that was cut off holds fewer beats than its annotations, and those that it lost are no misses.
    @Test func annotationsBeyondTheSignalsEndAreNoMisses() throws {
        try withTemporaryFolder { folder in
            let session = AnnotatedSet.session(duration: 120)
            let truth = AnnotatedSet.beats(session)
            try AnnotatedSet.write(session, as: "100", in: folder, annotations: ["atr": truth])
            let file = folder.appendingPathComponent("100.dat")
            let bytes = try Data(contentsOf: file)
            try bytes.prefix(bytes.count / 3 & ~1).write(to: file)
            let channel = try #require(validation(folder).channels.first)
            let left = truth.count { Double($0.sample) / 250 < channel.signalEnd }
            #expect((39...41).contains(channel.signalEnd))
            let found = channel.comparisons[0]
            #expect(found.truePositives + found.falseNegatives == left && found.falsePositives == 0)
            #expect(found.falseNegatives <= 1, "a beat at the edge may be missed, no more")
            #expect(channel.uncountedBeats == truth.count - left)
            #expect(abs(channel.scored - channel.signalEnd) < 0.1)
            let lost = "\(truth.count - left) of \(truth.count) reference beats lie beyond the signal's end"
            #expect(channel.notes.contains { $0.hasPrefix(lost) })
        }
    }

    /// A record of two segments with nothing between them, and the beats that were there.
    @Test func annotationsInGapsAreNoMisses() throws {
        try withTemporaryFolder { folder in
            let session = AnnotatedSet.session(duration: 120)
            let truth = AnnotatedSet.beats(session)
            try AnnotatedSet.write(session, as: "w", in: folder, annotations: [:])
            let (header, file) = (folder.appendingPathComponent("w.hea"), folder.appendingPathComponent("w.dat"))
            let lines = try String(contentsOf: header, encoding: .utf8).split(separator: "\n")
            let signal = try #require(lines.first { $0.hasPrefix("w.dat") }).dropFirst("w.dat".count)
            let bytes = try Data(contentsOf: file)
            for (name, frames) in [("s1", 0..<12_500), ("s2", 17_500..<30_000)] {
                try Data("\(name) 1 250 12500\n\(name).dat\(signal)\n".utf8)
                    .write(to: folder.appendingPathComponent("\(name).hea"))
                try bytes[2 * frames.lowerBound..<2 * frames.upperBound]
                    .write(to: folder.appendingPathComponent("\(name).dat"))
            }
            for url in [header, file] { try FileManager.default.removeItem(at: url) }
            try Data("a/3 1 250 30000\ns1 12500\n~ 5000\ns2 12500\n".utf8)
                .write(to: folder.appendingPathComponent("a.hea"))
            try WFDBAnnotations(truth, timeResolution: 250).write(to: folder.appendingPathComponent("a.atr"))
            let channel = try #require(validation(folder).channels.first)
            let lost = truth.count { (12_500..<17_500).contains($0.sample) }
            #expect(lost > 10 && channel.uncountedBeats == lost)
            #expect(channel.comparisons[0].falseNegatives <= 2, "a beat at each edge may be missed, no more")
            #expect(abs(channel.scored - 100) < 0.1)
            let note = "\(lost) of \(truth.count) reference beats lie where nothing was recorded"
            #expect(channel.notes == ["\(note) and do not count"])
        }
    }

    /// Errors in the first five minutes do not count by EC57, and no pair is torn apart at minute 5.
    @Test func ec57BeginsAtMinuteFive() throws {
        try withTemporaryFolder { folder in
            let session = AnnotatedSet.session(duration: 420)
            let truth = AnnotatedSet.beats(session)
            let early = truth.filter { $0.sample < 300 * 250 }
            var spoilt = truth
            spoilt.removeAll { [early[10], early[11], early[50]].contains($0) }
            spoilt += [early[100], truth[early.count + 20]].map { WFDBAnnotation(sample: $0.sample + 100, code: 1) }
            try AnnotatedSet.write(session, as: "101", in: folder, annotations: ["atr": spoilt])
            let whole = validation(folder).channels[0]
            #expect(counts(whole.comparisons[0]) == [truth.count - 3, 3, 2])
            let late = validation(folder) { $0.convention = .ec57 }
            #expect(counts(late.channels[0].comparisons[0]) == [truth.count - early.count, 0, 1])
            #expect(late.channels[0].uncountedBeats == early.count - 3 + 1)
            #expect(abs(late.channels[0].scored - 120) < 0.1)
            #expect(late.convention.name == "EC57")
            #expect(late.remarks.contains { $0.contains("EC57: from minute 5") })
        }
    }

    @Test func ec57LeavesOutPacedRecordsAndShortOnesAndSaysSo() throws {
        try withTemporaryFolder { folder in
            let session = AnnotatedSet.session(duration: 330)
            let beats = AnnotatedSet.beats(session)
            let paced = beats.enumerated().compactMap { place, beat in
                WFDBAnnotation(sample: beat.sample, symbol: place % 9 == 3 ? "/" : place % 50 == 0 ? "f" : "N")
            }
            try AnnotatedSet.write(session, as: "102", in: folder, annotations: ["atr": paced])
            try AnnotatedSet.write(session, as: "103", in: folder, annotations: ["atr": beats])
            let short = AnnotatedSet.session(duration: 60)
            try AnnotatedSet.write(short, as: "900", in: folder, annotations: ["atr": AnnotatedSet.beats(short)])
            let result = validation(folder) { $0.convention = .ec57 }
            #expect(result.channels.map(\.record) == ["103"])
            #expect(result.excluded.map(\.record) == ["102", "900"])
            #expect(result.excluded[0].reason.contains("paced"))
            #expect(result.excluded[1].reason.contains("ends after 60 s"))
            #expect(result.failures.isEmpty)
            #expect(validation(folder).channels.count == 3)
        }
    }

    /// Flutter from `[` to `]` whose waves stand where no R peak is.
    @Test func flutterIsLeftOutWhereTheConventionSaysSo() throws {
        try withTemporaryFolder { folder in
            let session = AnnotatedSet.session(duration: 400)
            let truth = AnnotatedSet.beats(session)
            let episode = 350 * 250...365 * 250
            var annotations = truth.filter { !episode.contains($0.sample) }
            annotations += try [("[", episode.lowerBound), ("]", episode.upperBound)].map {
                try #require(WFDBAnnotation(sample: $0.1, symbol: $0.0))
            }
            let waves = stride(from: episode.lowerBound + 30, to: episode.upperBound, by: 50)
            annotations += waves.compactMap { WFDBAnnotation(sample: $0, symbol: "!") }
            try AnnotatedSet.write(session, as: "207", in: folder, annotations: ["atr": annotations])
            let whole = validation(folder).channels[0]
            #expect(whole.comparisons[2].falseNegatives > 60, "flutter waves count as beats")
            let without = validation(folder) { $0.convention = ScoringConvention(excludesFlutter: true) }
            #expect(counts(without.channels[0].comparisons[0]).dropFirst() == [0, 0])
            #expect(without.channels[0].uncountedBeats == Array(waves).count)
            #expect(without.remarks.contains { $0.contains("1 episode of ventricular flutter") })
            #expect(without.convention.name == "custom")
        }
    }

    /// As in the QT Database: a few stretches by hand, and nothing else in the record.
    @Test func onlyTheStretchesAnnotatedByHandCount() throws {
        try withTemporaryFolder { folder in
            let session = AnnotatedSet.session(duration: 200)
            let truth = AnnotatedSet.beats(session)
            let stretches = [20.0...45, 100...130.0]
            let chosen = truth.filter { beat in stretches.contains { $0.contains(Double(beat.sample) / 250) } }
            // Wave boundaries, as .q1c has them, are no beats.
            let waves = chosen.flatMap { beat in
                [("(", -12), ("N", 0), (")", 12), ("t", 70)].compactMap { symbol, shift in
                    WFDBAnnotation(sample: beat.sample + shift, symbol: symbol)
                }
            }
            try AnnotatedSet.write(session, as: "sel30", in: folder, annotations: ["q1c": waves])
            let channel = try #require(validation(folder).channels.first)
            #expect(counts(channel.comparisons[0]) == [chosen.count, 0, 0])
            #expect(channel.reference == ".q1c")
            #expect((50...56).contains(channel.scored))
            #expect(channel.notCounted.count == 3)

            try AnnotatedSet.write(session, as: "sel30", in: folder, annotations: ["q1c": waves, "atr": truth])
            #expect(validation(folder).channels.first?.reference == ".atr", "a whole reference goes first")
            #expect(validation(folder) { $0.annotator = "q2c" }.failures.first?.reason.contains(".q2c") == true)
            let forced = validation(folder) { $0.annotator = "q1c" }
            #expect(counts(forced.channels.first?.comparisons[0]) == [chosen.count, 0, 0])
        }
    }

    @Test(arguments: ["man", "ecg", "qrs", "pu1", "xyz"])
    func beatsAreFoundInAnnotationsOfAnyEnding(annotator: String) throws {
        try withTemporaryFolder { folder in
            let session = AnnotatedSet.session(duration: 60)
            let beats = AnnotatedSet.beats(session)
            // Marks of sleep apnoea, one a minute, look like beats but for their distance.
            let minutes = (0..<30).map { WFDBAnnotation(sample: $0 * 15_000, code: 1) }
            try AnnotatedSet.write(session, as: "a", in: folder, annotations: [annotator: beats, "apn": minutes])
            let channel = try #require(validation(folder).channels.first)
            #expect(channel.reference == ".\(annotator)")
            #expect(counts(channel.comparisons[0]) == [beats.count, 0, 0])
        }
    }

    @Test func recordsThatCannotBeScoredAreNamedWithAReason() throws {
        try withTemporaryFolder { folder in
            let session = AnnotatedSet.session(duration: 30)
            let beats = AnnotatedSet.beats(session)
            try AnnotatedSet.write(session, as: "good", in: folder, annotations: ["atr": beats])
            try AnnotatedSet.write(session, as: "nothing", in: folder, annotations: [:])
            try AnnotatedSet.write(session, as: "torn", in: folder, annotations: ["atr": beats])
            try Data([1, 2, 3]).write(to: folder.appendingPathComponent("torn.atr"))
            try AnnotatedSet.write(session, as: "lost", in: folder, annotations: ["atr": beats])
            try FileManager.default.removeItem(at: folder.appendingPathComponent("lost.dat"))
            try Data("b 1 1 60\nb.dat 16 200 16 0 0 0 0 HR\n".utf8).write(to: folder.appendingPathComponent("b.hea"))
            try Data(repeating: 0, count: 120).write(to: folder.appendingPathComponent("b.dat"))
            let result = validation(folder)
            #expect(result.channels.map(\.record) == ["good"])
            #expect(result.failures.map(\.record) == ["lost", "nothing", "torn"])
            #expect(result.failures[1].reason.contains("no reference beats"))
            #expect(result.passedOver.map(\.record) == ["b"])
        }
    }

    @Test func nestedFoldersAndRecordsFilesAreFollowed() throws {
        try withTemporaryFolder { folder in
            let session = AnnotatedSet.session(duration: 20)
            let beats = AnnotatedSet.beats(session)
            for name in ["p1/a", "p1/b", "p2/a", "old/c"] {
                try AnnotatedSet.write(session, as: name, in: folder, annotations: ["atr": beats])
            }
            #expect(ValidationSearch(folder).subjects.map(\.name) == ["old/c", "p1/a", "p1/b", "p2/a"])
            try Data("p1/\r\np2/a\r\np2/gone\r\n".utf8).write(to: folder.appendingPathComponent("RECORDS"))
            let result = validation(folder)
            #expect(Set(result.channels.map(\.record)) == ["p1/a", "p1/b", "p2/a"])
            #expect(result.failures.map(\.record) == ["p2/gone"])
            #expect(Set(result.channels.map(\.set)) == ["p1", "p2"])
        }
    }

    @Test func everyLeadIsScoredByItself() throws {
        try withTemporaryFolder { folder in
            let session = AnnotatedSet.session(duration: 60, leads: [.ii, .v5])
            let beats = AnnotatedSet.beats(session)
            try AnnotatedSet.write(session, as: "a", in: folder, annotations: ["atr": beats])
            try AnnotatedSet.write(session, as: "b", in: folder, annotations: ["atr": beats])
            let result = validation(folder) { $0.scoresEachChannel = true }
            #expect(result.channels.map(\.lead) == ["II", "V5", "II", "V5"])
            let scores = result.scores(by: .lead)
            #expect(scores.map(\.name) == ["II", "V5"])
            #expect(scores.allSatisfy { $0.comparisons[0].truePositives == 2 * beats.count })
            let byLead = result.table(by: .lead)
            #expect(byLead.columns.filter { $0.name == "lead" }.count == 1)
            #expect(byLead.rows.first?.first == Cell.text("II"))
            let byRecord = result.table().columns.map(\.name)
            #expect(byRecord.first == "record" && byRecord.contains("lead"))
        }
    }

    @Test func leadsOfSeveralStreamsAreScoredToo() throws {
        try withTemporaryFolder { folder in
            let session = AnnotatedSet.session(duration: 40)
            var recording = session.recording()
            let slow = recording.streams[0]
            var fast = slow
            fast.header.sampleRate *= 2
            fast.header.channels[0].label = "V2"
            fast.segments = slow.segments.map { segment in
                var start = segment.start
                start.sampleRate *= 2
                let samples = segment.block.samples.flatMap { [$0, $0] }
                return Segment(start: start, block: SampleBlock(samples))
            }
            recording.streams.append(fast)
            recording.header.streams.append(fast.header)
            let url = folder.appendingPathComponent("a.hea")
            _ = try WFDBWriter.write(RecordedEvents(recording), to: url)
            let beats = AnnotatedSet.beats(session)
            try WFDBAnnotations(beats, timeResolution: 250).write(to: folder.appendingPathComponent("a.atr"))
            let result = validation(folder) { $0.scoresEachChannel = true }
            #expect(result.channels.map(\.lead) == ["II", "V2"])
            #expect(result.channels.map(\.source.sampleRate) == [250, 500])
            #expect(result.channels.allSatisfy { ($0.comparisons[0].f1 ?? 0) == 1 })
        }
    }

    @Test func noiseAndActivityComeFromNamesCommentsAndTables() throws {
        try withTemporaryFolder { folder in
            let session = AnnotatedSet.session(duration: 20)
            let beats = AnnotatedSet.beats(session)
            try AnnotatedSet.write(session, as: "118e06", in: folder, annotations: ["atr": beats])
            try AnnotatedSet.write(session, as: "118e_6", in: folder, annotations: ["atr": beats])
            try AnnotatedSet.write(
                session, as: "x", in: folder, comments: ["SNR = 12 dB", "activity: walking"],
                annotations: ["atr": beats])
            let table = folder.appendingPathComponent("groups.tsv")
            try Data("record\tactivity\twho\n118e06\tsitting\tann\nx\trunning\tben\n".utf8).write(to: table)
            let plain = validation(folder)
            #expect(plain.scores(by: .named("noise")).map(\.name) == ["12 dB", "6 dB", "-6 dB"])
            #expect(plain.scores(by: .named("activity")).map(\.name) == ["walking", "n/a"])
            let told = try GroupTable(reading: table)
            #expect(told.names == ["activity", "who"])
            let grouped = validation(folder) { $0.groups = told }
            #expect(grouped.scores(by: .named("activity")).map(\.name) == ["running", "sitting", "n/a"])
            #expect(grouped.scores(by: .named("who")).map(\.channels.count) == [1, 1, 1])
            let rows = grouped.table(by: .named("who")).rows
            #expect(rows.count == 3 * 3 + 3 + 3)
        }
    }

    @Test func theWorstStripsHoldTheErrors() throws {
        try withTemporaryFolder { folder in
            let session = AnnotatedSet.session(duration: 120)
            let truth = AnnotatedSet.beats(session)
            let clean = AnnotatedSet.session(duration: 60, seed: 2)
            let gone = [40, 41, 42, 100]
            let spoilt = truth.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
            try AnnotatedSet.write(session, as: "a", in: folder, annotations: ["atr": spoilt])
            try AnnotatedSet.write(clean, as: "b", in: folder, annotations: ["atr": AnnotatedSet.beats(clean)])
            let strips = try validation(folder).worstStrips(10)
            #expect(strips.map(\.extra.count) == [3, 1])
            #expect(strips.allSatisfy { $0.missed.isEmpty && $0.channel == 0 && $0.samples.count == 2_500 })
            #expect(try validation(folder).worstStrips(1).map(\.extra.count) == [3])
            #expect(try validation(folder).worstStrips(0).isEmpty)
        }
    }
}
