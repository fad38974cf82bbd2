import Cardiac
import Formats
import Foundation
import Signals

/// Scores one recording: finds out what can be compared with what, detects and compares.
struct SubjectScoring {
    enum Outcome: Sendable {
        case scored([ValidatedChannel])
        case failed(String)
        case excluded(String)
        case passedOver(String)
    }

    private struct Exclusion: Error {
        var reason: String
    }

    private let subject: ValidationSubject
    private let isCandidate: Bool
    private let request: BeatValidation.Request
    private let parameters: Parameters

    init(
        _ subject: ValidationSubject, isCandidate: Bool, _ request: BeatValidation.Request, _ parameters: Parameters
    ) {
        self.subject = subject
        self.isCandidate = isCandidate
        self.request = request
        self.parameters = parameters
    }

    func outcome() -> Outcome {
        do {
            let header = try RecordingFile.open(subject.url).header
            let held = Set(SourceRequest.all(in: header).map(\.kind))
            if isCandidate, !held.isSuperset(of: [.ecg, .bvp]) {
                return .passedOver("has no reference beats and not both ECG and BVP")
            }
            if request.source == SourceRequest(), held.isDisjoint(with: [.ecg, .bvp]) {
                return .passedOver("has neither ECG nor BVP")
            }
            return .scored(try channels(in: header, held))
        } catch let exclusion as Exclusion {
            return .excluded(exclusion.reason)
        } catch {
            return isCandidate ? .passedOver("\(error)") : .failed("\(error)")
        }
    }

    private func channels(in header: RecordingHeader, _ held: Set<CardiacSource.Kind>) throws -> [ValidatedChannel] {
        let annotations = try AnnotatorChoice(beside: subject.stem, wanted: request.annotator)
        if let wanted = request.annotator, annotations == nil {
            throw PipelineError("\(subject.url.relativePath): has no annotations .\(wanted) beside it")
        }
        let truth = annotations == nil ? ReferenceBeats.truth(beside: subject.stem) : nil
        var wish = request.source
        if annotations == nil, truth == nil, wish.stream == nil, wish.kind == nil, held.isSuperset(of: [.ecg, .bvp]) {
            // Without a reference the pulse can be judged by the heart.
            wish.kind = .bvp
        }
        let source = try wish.source(in: header, file: subject.url.relativePath)
        guard source.kind != .ibi else {
            throw PipelineError("\(subject.url.relativePath): holds intervals, in which no beats are detected")
        }
        let reference = try self.reference(for: source, annotations, truth, header)
        if request.convention.excludesPaced, reference.pacedBeats > 0 {
            throw Exclusion(reason: "paced: \(reference.pacedBeats) paced beats or fusions with them")
        }
        return try sources(wish, source, header).map { try channel($0, reference) }
    }

    /// The source, or every channel of its kind: of the stream that was asked for, else of all.
    private func sources(_ wish: SourceRequest, _ source: CardiacSource, _ header: RecordingHeader) -> [SourceRequest] {
        guard request.scoresEachChannel else { return [wish] }
        let streams = SourceRequest.all(in: header).filter { $0.kind == source.kind }.map(\.stream)
        let wanted = wish.stream == nil && streams.contains(source.stream) ? streams : [source.stream]
        return wanted.flatMap { stream in
            header.streams[stream].channels.indices.map {
                SourceRequest(stream: String(stream), channel: String($0), kind: source.kind)
            }
        }
    }

    private func reference(
        for source: CardiacSource, _ annotations: AnnotatorChoice?, _ truth: URL?, _ header: RecordingHeader
    ) throws -> ReferenceBeats {
        if let annotations { return ReferenceBeats(annotations, sampleRate: source.sampleRate) }
        if let truth {
            let beats = try ReferenceBeats(truth: truth, stream: source.name)
            if !beats.onsets.isEmpty { return beats }
        }
        if source.kind == .bvp, let heart = Self.heart(in: header) {
            let result = try CardiacReading.result(of: subject.url, heart, parameters: parameters, computing: [])
            var beats = ReferenceBeats(
                name: "marey ECG beats (\(result.source.label.label))", onsets: result.beats.map(\.onset))
            beats.annotated = TimeSpans(result.runs)
            return beats
        }
        throw PipelineError(
            "\(subject.url.relativePath): no reference beats",
            advice: "expected WFDB annotations of beats, _truth.tsv, or an ECG beside a BVP")
    }

    /// The ECG channel that a pulse is judged by: lead II where there is one, whose R waves are mostly tall.
    private static func heart(in header: RecordingHeader) -> SourceRequest? {
        guard let source = SourceRequest.all(in: header).first(where: { $0.kind == .ecg }) else { return nil }
        let place = CardiacSource.leadII(of: header.streams[source.stream].channels) ?? 0
        return SourceRequest(stream: String(source.stream), channel: String(place), kind: .ecg)
    }

    private func channel(_ wish: SourceRequest, _ reference: ReferenceBeats) throws -> ValidatedChannel {
        let result = try CardiacReading.result(of: subject.url, wish, parameters: parameters, computing: [])
        let detected = result.beats.map(\.onset)
        var lag: Seconds?
        var notes = reference.notes
        if result.source.kind == .bvp, reference.isOfHeart {
            lag = PulseLag.estimate(pulse: detected, heart: reference.onsets)
            if lag == nil { notes.append("no lag of the pulse was found; its beats were compared as they are") }
        }
        let ruled = ruled(reference, lag ?? 0)
        // Where nothing was recorded nothing can be found: that is no miss.
        let counted = ruled.intersection(TimeSpans(result.runs))
        let excluded = counted.complement.ranges
        let moved = reference.onsets.map { $0 + (lag ?? 0) }
        let uncounted = moved.count { !counted.contains($0) }
        guard moved.count > uncounted else { throw nothingCounts(reference, result.runs) }
        notes += Self.notes(
            onUnrecorded: reference.onsets.filter { ruled.contains($0 + (lag ?? 0)) }, of: reference.onsets.count,
            result.runs)
        let comparisons = request.tolerances.map {
            BeatComparison(detected: detected, reference: moved, tolerance: $0, excluding: excluded)
        }
        if uncounted > 0, request.convention.excludesFlutter, !reference.flutter.ranges.isEmpty {
            notes.append(Self.note(on: reference))
        }
        return ValidatedChannel(
            record: subject.name, set: subject.set, url: subject.url, source: result.source,
            reference: reference.name, lag: lag, detectedBeats: detected, referenceBeats: moved,
            notCounted: excluded, signalEnd: result.runs.last?.upperBound ?? 0, scored: counted.duration,
            uncountedBeats: uncounted, comparisons: comparisons,
            groups: RecordingGroups.values(of: subject, kind: result.source.kind, request.groups), notes: notes)
    }

    /// The time that counts by the rules, recorded or not, on the axis of the detected beats.
    private func ruled(_ reference: ReferenceBeats, _ lag: Seconds) -> TimeSpans {
        var counted = TimeSpans([request.convention.span])
        if request.convention.excludesFlutter {
            counted = counted.intersection(reference.flutter.shifted(by: lag).complement)
        }
        if let annotated = reference.annotated { counted = counted.intersection(annotated.shifted(by: lag)) }
        return counted
    }

    /// What is to be said of reference beats where the signal was not recorded.
    private static func notes(onUnrecorded beats: [Seconds], of count: Int, _ runs: [Range<Seconds>]) -> [String] {
        let recorded = TimeSpans(runs)
        let end = runs.last?.upperBound ?? 0
        let lost = beats.filter { !recorded.contains($0) }
        let beyond = lost.count { $0 >= end }
        func text(_ number: Int, _ place: String) -> String {
            "\(number) of \(count.counted("reference beat")) \(number.word("lies", "lie")) \(place) and "
                + number.word("does not count", "do not count")
        }
        let seconds = (end * 10).rounded() / 10
        var notes = beyond > 0 ? [text(beyond, "beyond the signal's end at \(seconds) s") + ": was it cut off?"] : []
        if lost.count > beyond { notes.append(text(lost.count - beyond, "where nothing was recorded")) }
        return notes
    }

    private func nothingCounts(_ reference: ReferenceBeats, _ runs: [Range<Seconds>]) -> any Error {
        if reference.onsets.isEmpty {
            return PipelineError("\(subject.url.relativePath): no beats in the reference (\(reference.name))")
        }
        if request.convention == .whole {
            return PipelineError(
                "\(subject.url.relativePath): no signal where the reference (\(reference.name)) has beats")
        }
        let end = runs.last?.upperBound ?? 0
        return Exclusion(
            reason: end <= request.convention.start
                ? "ends after \(Int(end)) s, before the part that counts begins"
                : "no reference beats in the part that counts")
    }

    private static func note(on reference: ReferenceBeats) -> String {
        let episodes = reference.flutter.ranges.count
        let seconds = reference.flutter.ranges.allSatisfy { $0.upperBound.isFinite } ? reference.flutter.duration : nil
        let length = seconds.map { ", \(Int($0.rounded())) s" } ?? ""
        return "\(episodes) episode\(episodes == 1 ? "" : "s") of ventricular flutter or fibrillation\(length), "
            + "\(reference.flutterWaves) flutter waves left out"
    }
}
