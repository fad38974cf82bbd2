import Cohort
import Decoding
import Formats
import Foundation
import FoundationXML
import Pipeline
import Sessions
import Signals
import Study
import Synchronization
import TestSupport
import Testing

/// From a recorded calibration task to the files of a session with predictions.
@Suite struct CalibrationTests {
    @Test("a task whose states can be told apart gives a model, its card and the status")
    func accepted() throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.calibrated(in: folder)
            #expect(try desk.book(of: "01").status(.visualAttention) == .modelsAvailable)
            #expect(try desk.book(of: "01").status(.focus) == .unknown)
            let card = try #require(try desk.card(of: "01", .visualAttention))
            #expect(card.recordings.map(\.file) == ["calibration.xdf"])
            let models = desk.study.derivatives.appendingPathComponent("sub-01/models")
            let page = try String(
                contentsOf: models.appendingPathComponent("visualAttention-1.html"), encoding: .utf8)
            #expect(page.contains("May be used.") && !page.contains("http://1"))
            #expect(XMLParser(data: Data(page.utf8)).parse())
        }
    }

    @Test("a task without effect is refused in words a person understands, and the status goes back")
    func refused() throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.desk(in: folder)
            let file = try CalibratedStudy.write(CalibratedHeadband.recording(effect: 0), "calibration.xdf", in: folder)
            let outcome = try CalibrationFitting(desk).fit(
                .visualAttention, of: "01", to: file, at: CalibratedStudy.now)
            guard case .refused(let reason, _, _) = outcome else { return #expect(Bool(false), "accepted") }
            #expect(reason.contains("repeat the calibration"))
            #expect(try desk.book(of: "01").status(.visualAttention) == .needsCalibration)
            #expect(try desk.bookkeeping.calibrations(of: "01").map(\.action) == ["register", "complete", "refuse"])
        }
    }

    @Test("a model goes to another study as it is, and is refused when it is of another format or other features")
    func transfer() throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.calibrated(in: folder)
            let card = try #require(try desk.card(of: "01", .visualAttention))
            let file = folder.appendingPathComponent("model.json")
            try Data(card.json()).write(to: file)
            let elsewhere = folder.appendingPathComponent("elsewhere")
            try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
            let other = try CalibratedStudy.desk(in: elsewhere)
            _ = try other.adopt(try ModelCard(reading: file), of: "7", cause: "imported", at: CalibratedStudy.now)
            #expect(try other.book(of: "7").status(.visualAttention) == .modelsAvailable)
            #expect(try other.card(of: "7", .visualAttention)?.fitted.model == card.fitted.model)
            #expect(try other.plan(["visualAttention"], of: "7") != nil)

            let text = String(decoding: try card.json(), as: UTF8.self)
            let format = "\"format\" : \(DecodingModel.currentFormat)"
            let changes = [
                (format, "\"format\" : 1"), (format, "\"format\" : 9"),
                ("\"version\" : \(FeatureLayout.currentVersion)\n", "\"version\" : 99\n"),
            ]
            for (found, changed) in changes {
                let strange = text.replacing(found, with: changed)
                #expect(strange != text)
                try Data(strange.utf8).write(to: file)
                #expect(throws: ModelError.self) { try ModelCard(reading: file) }
            }
            let damages: [((inout ModelCard) throws -> Void, String)] = [
                ({ $0.fitted.model.layout.labels = ["A", "B", "C", "D"] }, "not those of its channels A, B, C, D"),
                ({ $0.fitted.model.neutralShift = 1e300 }, "do not fit together"),
                ({ $0.fitted.model.map = .sigmoid(slope: 2e6, offset: 0) }, "do not fit together"),
            ]
            for (damage, words) in damages {
                var strange = card
                try damage(&strange)
                try Data(strange.json()).write(to: file)
                #expect { try ModelCard(reading: file) } throws: { "\($0)".contains(words) }
            }
            let weight = try #require(text.firstMatch(of: /"weights" : \[\s*-?[0-9.e-]+/))
            try Data(text.replacingCharacters(in: weight.range, with: "\"weights\" : [ 1e300").utf8).write(to: file)
            #expect { try ModelCard(reading: file) } throws: { "\($0)".contains("do not fit together") }
            var refused = card
            refused.fitted.verdict = .refused("chance", reason: .chance)
            #expect(throws: ModelError.self) {
                try other.adopt(refused, of: "8", cause: "imported", at: CalibratedStudy.now)
            }
            #expect(try other.book(of: "8").status(.visualAttention) == .unknown)
        }
    }

    @Test("a model that was given up or blocked is not handed out", arguments: [CalibrationAction.expire, .block])
    func modelGivenUp(action: CalibrationAction) throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.calibrated(in: folder)
            #expect(try desk.usableCard(of: "01", .visualAttention) != nil)
            try desk.apply(action, to: .visualAttention, of: "01", cause: "x", at: CalibratedStudy.now)
            #expect { try desk.usableCard(of: "01", .visualAttention) } throws: { "\($0)".contains("may not be used") }
        }
    }

    @Test("a model whose file was changed is not handed out")
    func changedModel() throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.calibrated(in: folder)
            let file = desk.study.derivatives.appendingPathComponent("sub-01/models/visualAttention-1.json")
            let text = try String(contentsOf: file, encoding: .utf8)
            let changed = text.replacing("\"smoothing\" : ", with: "\"smoothing\" : 1", maxReplacements: 1)
            try #require(changed != text)
            #expect(try desk.modelFindings().isEmpty)
            try Data(changed.utf8).write(to: file)
            #expect { try desk.card(of: "01", .visualAttention) } throws: {
                "\($0)".contains("was changed since it was noted")
            }
            #expect(try desk.modelFindings().map(\.severity) == [.error])
            #expect(try desk.modelFindings(readsCards: false).isEmpty)
            // A later model takes its place.
            let card = try ModelCard(reading: file)
            _ = try desk.adopt(card, of: "01", cause: "imported", at: CalibratedStudy.now)
            #expect(try desk.modelFindings().map(\.severity) == [.warning])
            try FileManager.default.removeItem(at: file)
            #expect(try desk.modelFindings(readsCards: false).first?.problem.contains("is not there") == true)
        }
    }

    /// A headband's samples, channel by channel, changed.
    private func changed(_ recording: Recording, _ change: (inout [[Float]]) -> Void) -> Recording {
        var recording = recording
        for place in recording.streams[0].segments.indices {
            let block = recording.streams[0].segments[place].block
            var channels = (0..<block.channelCount).map { Array(block.channel($0)) }
            change(&channels)
            recording.streams[0].segments[place].block = SampleBlock(
                channelCount: block.channelCount, samples: channels.flatMap { $0 })
        }
        return recording
    }

    @Test("another reference, or an electrode of another gain, is told; another session is not")
    func otherMontage() throws {
        let baseline = try CalibratedHeadband.model().baseline
        func drift(_ recording: Recording) throws -> DriftReport {
            try #require(baseline.drift(CalibratedHeadband.epochs(recording).epochs))
        }
        for seed in [5, 6, 7] as [UInt64] {
            let same = try drift(CalibratedHeadband.recording(seed: seed))
            #expect(!same.needsCalibration, "\(same)")
        }
        let session = CalibratedHeadband.recording(seed: 6)
        let mastoids = changed(session) { channels in
            let reference = zip(channels[0], channels[3]).map { ($0 + $1) / 2 }
            for channel in channels.indices {
                for place in reference.indices { channels[channel][place] -= reference[place] }
            }
        }
        let average = changed(session) { channels in
            for place in channels[0].indices {
                let mean = channels.reduce(0) { $0 + $1[place] } / Float(channels.count)
                for channel in channels.indices { channels[channel][place] -= mean }
            }
        }
        let gain = changed(session) { channels in channels[0] = channels[0].map { $0 / 3 } }
        for other in [mastoids, average, gain] {
            let found = try drift(other)
            #expect(found.needsCalibration && (found.isOfOtherMontage || found.isOfOneChannel), "\(found)")
        }
    }

    @Test("EEG in another unit than declared is refused, and nobody stands otherwise for it")
    func wrongUnit() throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.calibrated(in: folder)
            let recording = changed(CalibratedHeadband.recording()) { channels in
                for channel in channels.indices { channels[channel] = channels[channel].map { $0 * 1e-6 } }
            }
            let file = try CalibratedStudy.write(recording, "volts.xdf", in: folder)
            #expect {
                try CalibrationFitting(desk).fit(.visualAttention, of: "01", to: file, at: CalibratedStudy.now)
            } throws: { "\($0)".contains("as if its numbers were V") }
            #expect(try desk.book(of: "01").status(.visualAttention) == .modelsAvailable)
        }
    }

    @Test("ratings that lie on one side alone are told as the reason", arguments: [false, true])
    func ratingsAlike(areGiven: Bool) throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.desk(in: folder)
            var recording = CalibratedHeadband.recording(task: "enjoyment", conditions: ["picture", "picture"])
            let ratings = (1...12).map { block in
                let label = "task=enjoyment block=\(block) event=rating rating=\(block > 9 ? 6 : 5)"
                return Marker(onset: 12 * Double(block) + 0.1, label: label)
            }
            recording.markers = (recording.markers + ratings).sorted { $0.onset < $1.onset }
            let file = try CalibratedStudy.write(recording, "calibration.xdf", in: folder)
            let given = { (markers: [Marker]) in
                (spans: TaskSpans(markers, prediction: "enjoyment").spans, pause: CalibrationBlock.pause)
            }
            #expect {
                try CalibrationFitting(desk).fit(
                    .enjoyment, of: "01", to: file, spans: areGiven ? given : nil, at: CalibratedStudy.now)
            } throws: { "\($0)".contains("no block of the low state: ratings above the person's median") }
        }
    }

    @Test("blocks beyond the EEG are told")
    func blocksBeyond() throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.desk(in: folder)
            let file = try CalibratedStudy.write(CalibratedHeadband.recording(), "calibration.xdf", in: folder)
            var told: [String] = []
            let spans = { (markers: [Marker]) -> (spans: [CalibrationSpan], pause: Seconds) in
                let found = TaskSpans(markers, prediction: "visualAttention").spans
                return (found + [CalibrationSpan(state: .low, time: 1_000..<1_010)], 0)
            }
            _ = try CalibrationFitting(desk).fit(
                .visualAttention, of: "01", to: file, spans: spans, at: CalibratedStudy.now, remark: { told.append($0) }
            )
            #expect(told.count == 1 && told[0].hasPrefix("1 of 13 blocks lie beyond the EEG"), "\(told)")
        }
    }

    @Test("of many who block at once one does, and the others are told")
    func blockedAtOnce() throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.desk(in: folder)
            try desk.bookkeeping.addParticipant("01", at: CalibratedStudy.now)
            let desks = try (0..<6).map { try CalibrationDesk(desk.study, who: "\($0)") }
            let done = Mutex(0)
            DispatchQueue.concurrentPerform(iterations: 6) { index in
                let status = try? desks[index].request(
                    .block, of: .enjoyment, for: "01", cause: "x", at: CalibratedStudy.now)
                if status == .blocked { done.withLock { $0 += 1 } }
            }
            #expect(done.withLock { $0 } == 1)
            #expect(try desk.bookkeeping.calibrations().count == 1)
        }
    }

    @Test("changes that were never allowed count for nothing")
    func illegalHistory() throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.desk(in: folder)
            for _ in 0..<3 {
                try desk.bookkeeping.noteCalibration(
                    CalibrationEntry(
                        participant: "01", prediction: "enjoyment", time: CalibratedStudy.now, action: "block",
                        status: -1,
                        cause: "x", who: "older"))
            }
            #expect(try desk.books().first?.book.status(.enjoyment) == .blocked)
            #expect(try desk.apply(.unblock, to: .enjoyment, of: "01", cause: "x", at: CalibratedStudy.now) == .unknown)
        }
    }

    @Test(
        "a task whose recording gives no model sends the participant back with a plain reason",
        arguments: [true, false])
    func nothingToFit(hasEEG: Bool) throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.desk(in: folder)
            var recording = CalibratedHeadband.recording(blocks: 2)
            if !hasEEG { recording = Recording(header: recording.header, streams: [], markers: recording.markers) }
            let file = try CalibratedStudy.write(recording, "sub-01_calibration.xdf", in: folder)
            try desk.complete(.enjoyment, of: "01", cause: "the task was done", at: CalibratedStudy.now)
            #expect(throws: (any Error).self) {
                try CalibrationFitting(desk).fitAfterTask(.enjoyment, of: "01", to: file, at: CalibratedStudy.now)
            }
            let record = try desk.book(of: "01").records["enjoyment"]
            #expect(record?.status == .needsCalibration)
            let cause = record?.latest?.cause ?? ""
            #expect(cause.contains(hasEEG ? "no blocks" : "no EEG") && !cause.contains("sub-"), "\(cause)")
        }
    }

    @Test("a recording without the task's blocks changes nothing")
    func noBlocks() throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.desk(in: folder)
            let file = try CalibratedStudy.write(CalibratedHeadband.recording(), "calibration.xdf", in: folder)
            #expect(throws: SessionRefusal.self) {
                try CalibrationFitting(desk).fit(.enjoyment, of: "01", to: file, at: CalibratedStudy.now)
            }
            #expect(try desk.bookkeeping.calibrations().isEmpty)
        }
    }

    @Test("predictions that cannot run are refused with their reason")
    func refusals() throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.calibrated(in: folder)
            let eeg = try #require(CalibratedHeadband.recording(blocks: 2).streams.first).header
            func reason(_ names: [String], allowed: Set<String>? = nil, found kind: StreamKind? = nil) -> String? {
                do {
                    let plan = try desk.plan(names, of: "01", allowed: allowed)
                    if let kind {
                        var stream = eeg
                        stream.kind = kind
                        try plan?.demandFit(to: [stream], in: desk.study, parameters: Parameters())
                    }
                    return nil
                } catch { return (error as? PredictionRefusal)?.reason }
            }
            #expect(reason(["visualAttention", "blink"], found: .eeg) == nil)
            #expect(reason(["focus"]) == "notCalibrated")
            #expect(reason(["visualAttention"], allowed: ["blink"]) == "notAuthorised")
            #expect(reason(["sleep", "blink"]) == "excludesOthers")
            #expect(reason(["visualAttention"], found: .ecg) == "noStream")
            #expect(reason(["luck"]) == "unknownPrediction")
            try desk.apply(.block, to: .visualAttention, of: "01", cause: "withdrew", at: CalibratedStudy.now)
            #expect(reason(["visualAttention"]) == "notCalibrated")
        }
    }

    @Test(
        "a model is refused before the session where the EEG that was found has another sample rate or other channels")
    func modelMismatch() throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.calibrated(in: folder)
            let fitting = try #require(CalibratedHeadband.recording(blocks: 2).streams.first).header
            func reason(_ names: [String], _ streams: [StreamHeader]) throws -> String? {
                let plan = try #require(try desk.plan(names, of: "01"))
                do {
                    try plan.demandFit(to: streams, in: desk.study, parameters: Parameters())
                    return nil
                } catch let refusal as PredictionRefusal { return refusal.reason }
            }
            #expect(try reason(["visualAttention"], [fitting]) == nil)
            var (quick, bare) = (fitting, fitting)
            quick.sampleRate = 512
            bare.channels.removeLast()
            for found in [quick, bare] {
                #expect(try reason(["visualAttention"], [found]) == "modelMismatch")
                #expect(try reason(["blink"], [found]) == nil)
                #expect(try reason(["visualAttention"], [found, fitting]) == nil)
            }
            #expect(try reason(["visualAttention"], []) == "noStream")
        }
    }

    @Test(
        "a session with predictions leaves own tables, the compatibility folder, the drift and a report that names them"
    )
    func files() throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.calibrated(in: folder)
            let study = desk.study
            var recording = CalibratedHeadband.recording(blocks: 4, seed: 8)
            recording.markers = [Marker(onset: 3, label: "a \"tag\"")]
            let name = try #require(RunName(subject: "01", task: "rest", run: 1))
            let place = study.sourcedata.appendingPathComponent(name.folder)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            let url = place.appendingPathComponent("\(name.stem).xdf")
            try XDFWriter.write(recording, to: url)
            try desk.plan(["visualAttention", "blink"], of: "01")?.write(beside: url)
            _ = try desk.bookkeeping.noteRun(
                name, file: try #require(study.relativePath(of: url)), sha256: nil, status: .finished,
                at: CalibratedStudy.now)
            let outcome = try StudyAnalysis(study: study, parameters: Parameters()).run(only: name)
            #expect(outcome.failed == 0)

            let results = study.derivatives.appendingPathComponent(name.folder)
            let files = try FileManager.default.contentsOfDirectory(atPath: results.path)
            let stem = name.stem + "_"
            for ending in [
                "desc-visualAttention_physio.tsv", "desc-visualAttention_physio.json", "desc-blink_physio.tsv",
                "desc-drift_predictions.tsv", "report.html",
            ] { #expect(files.contains(stem + ending), "\(ending)") }
            let report = try String(contentsOf: results.appendingPathComponent(stem + "report.html"), encoding: .utf8)
            #expect(report.contains("visualAttention_physio.tsv") && report.contains("Visual Attention.csv"))

            let compatible = results.appendingPathComponent(stem + "compatibility")
            let session = try Recording(reading: try RecordingFile.open(compatible))
            #expect(session.header.format == "Arctop session")
            #expect(Set(session.streams.map(\.header.name)) == ["visualAttention", "blinks"])
            #expect(session.markers.map(\.label) == ["a \"tag\""] || session.markers.map(\.label) == ["a tag"])
            let values = try #require(session.streams.first { $0.header.name == "visualAttention" }).values
            #expect(values.count > 40 && values.allSatisfy { $0.values[0].isNaN || (0...1).contains($0.values[0]) })
            let blinks = results.appendingPathComponent("\(stem)compatibility/\(name.stem) Blinks.csv")
            let seconds = try String(contentsOf: blinks, encoding: .utf8).split(separator: "\n").dropFirst()
            #expect(
                seconds.count == 48
                    && seconds.allSatisfy { row in ["0", "1", "-1"].contains(row.split(separator: ",").last) })
        }
    }
}
