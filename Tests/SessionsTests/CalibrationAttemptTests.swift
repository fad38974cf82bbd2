import Decoding
import Foundation
import Pipeline
import Sessions
import Signals
import Study
import TestSupport
import Testing

/// Repeated attempts, bad electrodes and designs that cannot give a model.
@Suite struct CalibrationAttemptTests {
    private func fit(
        _ desk: CalibrationDesk, _ recording: Recording, _ name: String, of subject: String = "01",
        leavingOut leftOut: [String] = [], spans: CalibrationFitting.Spans? = nil, in folder: URL
    ) throws -> (outcome: CalibrationFitting.Outcome, remarks: [String]) {
        var remarks: [String] = []
        let file = try CalibratedStudy.write(recording, name, in: folder)
        let outcome = try CalibrationFitting(desk).fit(
            .visualAttention, of: subject, to: file, spans: spans, leavingOut: leftOut, at: CalibratedStudy.now,
            remark: { remarks.append($0) })
        return (outcome, remarks)
    }

    private func card(_ outcome: CalibrationFitting.Outcome) -> ModelCard? {
        switch outcome {
        case .accepted(let card, _): card
        case .refused(_, _, let card): card
        }
    }

    @Test("attempts are counted by their EEG, and each has its level")
    func attempts() throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.desk(in: folder)
            var found: [(Int?, Double?)] = []
            for (seed, name) in [(1, "a.xdf"), (2, "b.xdf"), (1, "again.xdf"), (3, "c.xdf")] as [(UInt64, String)] {
                let recording = CalibratedHeadband.recording(seed: seed, effect: 0)
                let report = try card(fit(desk, recording, name, in: folder).outcome)?.fitted.report
                found.append((report?.attempt, report?.level))
            }
            #expect(found.map(\.0) == [1, 2, 1, 3])
            #expect(found.map(\.1) == [0.03, 0.008, 0.03, 0.008])
            let tests = try desk.tests(of: .visualAttention)
            #expect(tests.map(\.test.level) == [0.03, 0.008, 0.03, 0.008])
            #expect(Set(tests.map(\.test.montage)) == ["TP9,AF7,AF8,TP10"])
        }
    }

    @Test("the same EEG under another label is noticed and gets no higher level")
    func otherLabel() throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.desk(in: folder)
            for seed in [1, 2] as [UInt64] {
                _ = try fit(desk, CalibratedHeadband.recording(seed: seed, effect: 0), "\(seed).xdf", in: folder)
            }
            let same = try fit(
                desk, CalibratedHeadband.recording(seed: 2, effect: 0), "renamed.xdf", of: "02", in: folder)
            #expect(same.remarks.contains { $0.contains("already used to calibrate participant 01") })
            #expect(card(same.outcome)?.fitted.report.level == 0.008)
            let other = try fit(desk, CalibratedHeadband.recording(seed: 9, effect: 0), "9.xdf", of: "03", in: folder)
            #expect(other.remarks.isEmpty && card(other.outcome)?.fitted.report.level == 0.03)
        }
    }

    private func flat(_ recording: Recording, channel: Int) -> Recording {
        var recording = recording
        let block = recording.streams[0].segments[0].block
        var samples = block.samples
        for place in block.range(ofChannel: channel) { samples[place] = 12 }
        recording.streams[0].segments[0].block = SampleBlock(channelCount: block.channelCount, samples: samples)
        return recording
    }

    @Test("one bad electrode does not prevent a model on the others, which predicts without it", arguments: 0..<4)
    func badElectrode(channel: Int) throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.desk(in: folder)
            let bad = CalibratedHeadband.labels[channel]
            let (outcome, remarks) = try fit(
                desk, flat(CalibratedHeadband.recording(), channel: channel), "bad.xdf", in: folder)
            guard case .accepted(let card, _) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            let layout = card.fitted.model.layout
            #expect(layout.leftOut == [bad] && !layout.labels.contains(bad))
            #expect(remarks.contains { $0.contains("\(bad) is left out") })
            // Later the electrode is in order, and the model does not look at it.
            let later = try CalibratedStudy.write(CalibratedHeadband.recording(seed: 8), "later.xdf", in: folder)
            let read = try DecodingReading.epochs(of: later, layout: layout)
            #expect(read.layout == layout)
            #expect(read.epochs.compactMap(card.fitted.model.value).count > 100)
        }
    }

    @Test("a channel can be left out, and one that is not there is refused")
    func leftOut() throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.desk(in: folder)
            let (outcome, _) = try fit(
                desk, CalibratedHeadband.recording(), "a.xdf", leavingOut: ["AF8"], in: folder)
            #expect(card(outcome)?.fitted.model.layout.labels == ["TP9", "AF7", "TP10"])
            #expect { try fit(desk, CalibratedHeadband.recording(), "b.xdf", leavingOut: ["Cz"], in: folder) } throws: {
                "\($0)".contains("is called Cz") && "\($0)".contains("TP9, AF7, AF8, TP10")
            }
        }
    }

    @Test("neighboring blocks of one state are named as joined, with what would help")
    func joined() throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.desk(in: folder)
            let order = "LHHHHHLLLLHL".map { $0 == "H" ? DecodedState.high : .low }
            let spans = order.enumerated().map { place, state in
                CalibrationSpan(state: state, time: 12 * Double(place)..<12 * Double(place) + 9)
            }
            let (outcome, _) = try fit(
                desk, CalibratedHeadband.recording(), "a.xdf", spans: { _ in (spans, CalibrationBlock.pause) },
                in: folder)
            guard case .refused(let text, let reason, _) = outcome else {
                Issue.record("accepted")
                return
            }
            #expect(reason == .tooFewBlocks)
            #expect(text.contains("3 of 6 low blocks") && text.contains("joined") && text.contains("alternate"))
            #expect(!text.contains("electrodes"), "\(text)")
            let entry = try #require(try desk.history(of: "01").last)
            #expect(entry.reason == "tooFewBlocks" && entry.montage == nil)
            // Nothing was tested, so nothing was spent.
            #expect(try desk.tests(of: .visualAttention).isEmpty)
        }
    }

    @Test("a task without an answer is refused as not done, whatever the EEG shows", arguments: [0, 18])
    func notDone(hits: Int) throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.desk(in: folder)
            var recording = CalibratedHeadband.recording()
            for place in recording.markers.indices where recording.markers[place].label.contains("blockEnd") {
                let block = (place + 1) / 2
                recording.markers[place].label = recording.markers[place].label.replacing(
                    "targets=3", with: block % 2 == 0 ? "targets=3 hits=\(hits / 6) falseAlarms=0" : "")
            }
            let (outcome, _) = try fit(desk, recording, "a.xdf", in: folder)
            switch outcome {
            case .accepted(let card, _):
                #expect(hits > 0)
                #expect(card.performance?.states[.high]?.hits == hits)
                #expect(card.summary.contains("hits 18 of 18"))
            case .refused(let text, let reason, _):
                #expect(hits == 0 && reason == .taskNotDone && text.contains("0 of 18 targets"))
                let standing = try desk.book(of: "01").overview.first { $0.name == "visualAttention" }
                #expect(standing?.reason == .taskNotDone)
            }
        }
    }
}
