public import Decoding
public import Formats
public import Foundation
public import Pipeline
public import Signals
import Study

/// Fits a participant's model to a recorded calibration, keeps it where it is better than chance, and notes how the
/// participant stands then.
public struct CalibrationFitting {
    /// How it went.
    public enum Outcome: Sendable {
        /// The model may be used: its card, and where that was kept in the study.
        case accepted(ModelCard, file: String)
        /// It may not: why, the cause for programs, and the card where one could be fitted at all.
        case refused(String, reason: RefusalReason, ModelCard?)
    }

    /// Where the blocks of a recording are told from its markers; spans of one state with a shorter pause between them, in
    /// seconds, are one block.
    public typealias Spans = ([Marker]) throws -> (spans: [CalibrationSpan], pause: Seconds)

    private let desk: CalibrationDesk
    private let parameters: Parameters

    /// Fitting for the participants of a study.
    public init(_ desk: CalibrationDesk, parameters: Parameters = Parameters()) {
        (self.desk, self.parameters) = (desk, parameters)
    }

    /// Fits a model to a recording.
    /// - Parameters:
    ///   - stream: the EEG stream; nil for the first.
    ///   - spans: the blocks; without it, those of the prediction's task on the page.
    ///   - labels: the file that `spans` reads them from, where that is not the recording.
    ///   - leftOut: labels of EEG channels that are left out. Channels that are unusable in most epochs, or without which enough
    ///     epochs would be usable, are left out besides, and `remark` is told.
    ///   - open: opens the recording, where its file does not say everything about itself.
    ///   - remark: told what whoever fits should know, in a sentence.
    /// - Throws: what reading the recording throws, `SessionRefusal` where a state has no blocks, `ModelError.overlap` where
    ///   two claim the same time, `CalibrationRefusal` where the prediction is blocked, `StudyError` where the participant
    ///   was erased meanwhile. Nothing is noted then.
    public func fit(
        _ prediction: Prediction, of subject: String, to recording: URL, stream: String? = nil, spans: Spans? = nil,
        labels: URL? = nil, leavingOut leftOut: [String] = [], at now: Timestamp,
        opening open: (URL) throws -> any RecordingReader = RecordingFile.open,
        remark: (String) -> Void = { _ in }, progress: (Double) -> Void = { _ in }
    ) throws -> Outcome {
        let wasThere = try isThere(subject)
        var read = try DecodingReading.epochs(
            of: recording, stream: stream, parameters: parameters, leavingOut: leftOut, opening: open,
            progress: progress)
        let task = TaskSpans(read.markers, prediction: prediction.name)
        let (told, pause) = try spans?(read.markers) ?? (task.spans, 0)
        guard !told.isEmpty else {
            throw SessionRefusal.misuse("the recording has no blocks of the task for \(prediction.name)")
        }
        let separated = try CalibrationSpan.separated(told)
        var parameters = parameters
        let trials = TrialCut(separated)
        let margin = trials?.margin ?? CalibrationBlock.margin
        if trials != nil, let finer = parameters.withEpochs(every: TrialCut.step) {
            parameters = finer
            read = try DecodingReading.epochs(
                of: recording, stream: stream, parameters: parameters, leavingOut: leftOut, opening: open)
        }
        var blocks = CalibrationBlock.blocks(read.epochs, spans: separated, margin: margin, joining: pause)
        var without = leftOut
        while let worst = ChannelChoice.worst(blocks, labels: read.layout.labels), read.channels.contains(worst.label) {
            without.append(worst.label)
            remark(
                "\(worst.label) is left out: \(worst.why) in \(Scores.percent(worst.share)) of the blocks' epochs")
            read = try DecodingReading.epochs(
                of: recording, stream: stream, parameters: parameters, leavingOut: without, opening: open)
            blocks = CalibrationBlock.blocks(read.epochs, spans: separated, margin: margin, joining: pause)
        }
        let performance =
            told == task.spans ? TaskPerformance(read.markers, prediction: prediction.name) : nil
        if told == task.spans { Self.noteResponses(read.markers, prediction, in: &blocks) }
        let diagnosis = CalibrationDiagnosis(
            separated, read.epochs, labels: read.layout.labels, margin: margin, joining: pause)
        if let lost = Self.outside(separated, read.epochs) { remark(lost) }
        let needed = spans == nil ? 1 : ModelFitting().leastEpochs
        try demandEpochs(
            blocks, separated, read.epochs, atLeast: needed, margin: margin,
            isRated: task.isRated && told == task.spans)
        return try desk.study.writingResults { () throws -> Outcome in
            // Whoever was erased since must not come back.
            if wasThere, try !isThere(subject) { throw StudyError.erasedMeanwhile(in: desk.study) }
            try desk.complete(prediction, of: subject, cause: recording.lastPathComponent, at: now)
            func refuse(_ text: String, _ reason: RefusalReason) throws -> Outcome {
                try desk.apply(.refuse, to: prediction, of: subject, cause: text, at: now, reason: reason)
                return .refused(text, reason: reason, nil)
            }
            if let refusal = performance?.refusal { return try refuse(refusal, .taskNotDone) }
            do {
                let attempt = try attempt(prediction, subject, read, separated)
                if let repeated = attempt.repeated { remark(repeated) }
                var fitting = ModelFitting()
                (fitting.attempt, fitting.level) = (attempt.number, attempt.test.level)
                let fitted = try fitting.fit(blocks, prediction: prediction.name, layout: read.layout)
                let card = ModelCard(
                    fitted: fitted, recordings: [try InputHash(of: recording)],
                    labels: try labels.map { try InputHash(of: $0) }, blocks: separated, performance: performance,
                    version: MareyVersion.current)
                return try note(card, prediction, subject, attempt.test, at: now)
            } catch let error as ModelError {
                return try refuse(Self.text(error, diagnosis), error.reason)
            }
        }
    }

    /// The text of an error; for too few blocks or epochs with their fate and advice.
    private static func text(_ error: ModelError, _ diagnosis: CalibrationDiagnosis) -> String {
        switch error {
        case .tooFewBlocks(let state, let found, let needed):
            "only \(found) blocks of the \(state.rawValue) state have clean data, \(needed) are needed. "
                + diagnosis.explanation(state)
        case .tooFewEpochs(let state, let found, let needed):
            "only \(found) clean epochs of the \(state.rawValue) state, \(needed) are needed. "
                + diagnosis.explanation(state)
        default: "\(error)"
        }
    }

    /// A test of a participant's model: which attempt it is, and its level.
    private struct Attempt {
        var number: Int
        var test: ModelTest
        /// The note for EEG that was tested under another label; nil otherwise.
        var repeated: String?
    }

    /// The attempt that this recording is for a participant: the same EEG and blocks count once, whatever their file is called.
    /// EEG that was tested under another label gets no higher level than it had there.
    private func attempt(
        _ prediction: Prediction, _ subject: String, _ read: DecodingReading.Epochs, _ spans: [CalibrationSpan]
    ) throws -> Attempt {
        let subject = try CalibrationDesk.participant(subject)
        let montage = read.layout.labels.joined(separator: ",")
        let (eeg, all) = EEGFingerprint.of(read.epochs, spans)
        let tests = try desk.tests(of: prediction)
        let own = tests.filter { $0.participant == subject && $0.test.montage == montage }.map(\.test)
        var earlier: [String] = []
        for test in own where test.recording != all && !earlier.contains(test.recording) {
            earlier.append(test.recording)
        }
        let number =
            own.firstIndex { $0.recording == all }.map { place in
                Set(own[..<place].map(\.recording)).count + 1
            } ?? earlier.count + 1
        var level = SignificanceSpending.level(ofAttempt: number)
        let elsewhere = tests.filter { $0.participant != subject && $0.test.recording.hasPrefix(eeg) }
        if let lowest = elsewhere.map(\.test.level).min() { level = min(level, lowest) }
        let repeated = elsewhere.first.map {
            "the same EEG was already used to calibrate participant \($0.participant): check the labels; it gets no higher "
                + "significance level here"
        }
        return Attempt(
            number: number, test: ModelTest(montage: montage, recording: all, level: level), repeated: repeated)
    }

    /// Counts the key presses within each epoch.
    private static func noteResponses(
        _ markers: [Marker], _ prediction: Prediction, in blocks: inout [CalibrationBlock]
    ) {
        let onsets = TaskPerformance.responses(markers, prediction: prediction.name)
        guard !onsets.isEmpty else { return }
        for block in blocks.indices {
            for index in blocks[block].epochs.indices {
                let epoch = blocks[block].epochs[index]
                let end = epoch.onset + epoch.duration
                blocks[block].epochs[index].controls.responses = Double(
                    onsets.count { $0 >= epoch.onset && $0 < end })
            }
        }
    }

    private func isThere(_ subject: String) throws -> Bool {
        try desk.bookkeeping.participants().contains(CalibrationDesk.participant(subject))
    }

    /// Blocks that lie elsewhere than the EEG, or are too short, are somebody's slip, and nobody's fault who did the task.
    private func demandEpochs(
        _ blocks: [CalibrationBlock], _ spans: [CalibrationSpan], _ epochs: [DecodableEpoch], atLeast needed: Int,
        margin: Seconds, isRated: Bool
    ) throws(SessionRefusal) {
        guard let first = epochs.first, let last = epochs.last else {
            throw .misuse("the EEG of the recording is shorter than an epoch")
        }
        let eeg = first.onset..<last.onset + last.duration
        for state in [DecodedState.low, .high] {
            let times = spans.filter { $0.state == state }.map(\.time)
            guard let begin = times.first?.lowerBound, let end = times.last?.upperBound else {
                throw .misuse(
                    "the recording has no block of the \(state.rawValue) state"
                        + (isRated
                            ? ": ratings above the person's median are the high state and those below it the low one, and "
                                + "these do not lie on both sides of it" : ""))
            }
            let held = blocks.filter { $0.state == state }.reduce(0) { $0 + $1.epochs.count }
            guard held < needed else { continue }
            guard times.contains(where: { $0.overlaps(eeg) }) else {
                let places =
                    "lie at \(Self.text(begin, end)), its epochs at \(Self.text(eeg.lowerBound, eeg.upperBound))"
                throw .misuse(
                    "no EEG of the recording lies in a block of the \(state.rawValue) state: the blocks \(places); onsets count "
                        + "in seconds from the recording's start")
            }
            let lengths = times.map { $0.upperBound - $0.lowerBound }
            let blocks =
                times.count == 1
                ? "block of the \(state.rawValue) state holds" : "blocks of the \(state.rawValue) state hold"
            let length = Self.text(lengths.min() ?? 0, lengths.max() ?? 0)
            let reasons = [
                "\(times.count) \(blocks) \(held) epochs of EEG, at least \(needed) are needed",
                "blocks last \(length), of which the first \(Self.text(margin)) are left out",
                "an epoch \(Self.text(first.duration)), and epochs lie at \(Self.text(eeg.lowerBound, eeg.upperBound))",
            ]
            throw .misuse("\(reasons[0]): \(reasons[1]), \(reasons[2]); give longer blocks, or more of them")
        }
    }

    /// What is to be said of blocks that lie beyond the EEG, wholly or in part; nil where none does.
    private static func outside(_ spans: [CalibrationSpan], _ epochs: [DecodableEpoch]) -> String? {
        guard let first = epochs.first, let last = epochs.last else { return nil }
        let end = last.onset + last.duration
        let lost = spans.filter { $0.time.lowerBound < first.onset - 1 || $0.time.upperBound > end + 1 }
        guard let worst = lost.last else { return nil }
        return "\(lost.count) of \(spans.count) blocks lie beyond the EEG, which lasts from "
            + "\(text(first.onset, end)), wholly or in part, such as the one at "
            + "\(text(worst.time.lowerBound, worst.time.upperBound)): was the recording cut off, or do its events count from "
            + "another start?"
    }

    /// A time or a range of times, in seconds to two places.
    private static func text(_ from: Seconds, _ to: Seconds? = nil) -> String {
        func number(_ value: Seconds) -> String { NumberFormatting.onset((value * 100).rounded() / 100) }
        guard let to, number(from) != number(to) else { return "\(number(from)) s" }
        return "\(number(from)) to \(number(to)) s"
    }

    /// Fits a model to the recording in which a participant just did the task. Where that cannot be done, the participant
    /// does not wait for a model for ever: the status goes back, with the reason.
    /// - Throws: as `fit`, when that is noted.
    public func fitAfterTask(
        _ prediction: Prediction, of subject: String, to recording: URL, at now: Timestamp
    ) throws -> Outcome {
        do { return try fit(prediction, of: subject, to: recording, at: now) } catch {
            try desk.study.writingResults {
                guard try isThere(subject) else { return }
                try desk.withdraw(prediction, of: subject, cause: Self.cause(error), at: now)
            }
            throw error
        }
    }

    /// Why there is no model, without the recording's name.
    private static func cause(_ error: any Error) -> String {
        switch error {
        case let error as PipelineError where error.cause == .noEEG:
            "the recording has no EEG of the task: wear a device that measures it and repeat the calibration"
        case let refusal as SessionRefusal: "\(refusal.description): repeat the calibration"
        default: "the recording could not be used: repeat the calibration"
        }
    }

    private func note(
        _ card: ModelCard, _ prediction: Prediction, _ subject: String, _ test: ModelTest, at now: Timestamp
    ) throws -> Outcome {
        switch card.fitted.verdict {
        case .accepted:
            let file = try desk.keep(card, of: subject, at: now)
            try desk.apply(.accept, to: prediction, of: subject, cause: card.summary, at: now, test: test)
            return .accepted(card, file: file)
        case .refused(let text, let reason):
            try desk.apply(.refuse, to: prediction, of: subject, cause: text, at: now, reason: reason, test: test)
            return .refused(text, reason: reason, card)
        }
    }
}
