import Brain
import Cardiac
import Electrodermal
public import Pipeline
import Quality
public import Signals

extension RecordingReport {
    /// The report of an analysis.
    /// - Parameters:
    ///   - analysis: what was computed.
    ///   - provenance: how it was made.
    ///   - title: the page's heading.
    ///   - reopen: begins reading the recording again, for the stretches of signal that are drawn: once for all of
    ///     them, and not at all where there are none.
    /// - Throws: what the reader throws, or `EncodingError` where a parameter is no finite number.
    public init(
        _ analysis: RecordingAnalysis, provenance: Provenance, title: String,
        reopening reopen: () throws -> any RecordingReader
    ) throws {
        self.init(
            title: title, subject: analysis.header.subject, session: analysis.header.session,
            task: analysis.header.task, start: analysis.header.start, duration: analysis.duration,
            source: RecordingSource(
                fileName: provenance.inputs.first?.file ?? title, sha256: provenance.inputs.first?.sha256,
                format: analysis.header.format),
            software: "\(provenance.software) \(provenance.version)")
        hasTimeZone = analysis.header.hasTimeZone
        events = EventMarks(analysis.inventory.markers)
        streams = analysis.inventory.streams.map { stream in
            StreamSummary(
                header: stream.header, gaps: stream.gaps,
                coverage: stream.header.sampleRate > 0 ? analysis.share(stream.duration) : nil)
        }
        let (signals, eegs) = (analysis.results, analysis.brains.filter { $0.doubt == nil })
        let (drawnSignals, drawnEEGs) = (signals.map(DrawnSignal.init), eegs.map(DrawnEEG.init))
        let taken = try Self.strips(drawnSignals.map(\.request) + drawnEEGs.map(\.request), reopen)
        for (result, (drawing, strips)) in zip(signals, zip(drawnSignals, taken)) {
            var one = BeatSeries(result, analysis, overlay: drawing.overlay(strips))
            one.typicalStrip = drawing.typicalStrip(strips)
            series.append(one)
            worstStrips += drawing.strips(strips)
            if result.source.kind != .ibi { quality.append(QualityLane(result)) }
        }
        belts = analysis.belts.map(RespirationTrend.init)
        skin = analysis.electrodermal.map { SkinConductanceSeries($0, method: analysis.parameters.eda.separation) }
        motion = analysis.motion.map(MotionTrend.init)
        brains = try zip(eegs, zip(drawnEEGs, taken.dropFirst(signals.count))).map { result, drawn in
            let traces = try drawn.0.traces(drawn.1, cleaning: analysis.parameters.eeg.cleaning)
            return try BrainSeries(
                result, analysis.parameters.eeg, traces: traces, absence: analysis.whyNoEpoch(of: result))
        }
        electrochemistry = analysis.electrochemistry.map {
            ElectrochemistrySection(
                name: $0.source.name, points: $0.points, spectra: $0.spectra, sweeps: $0.sweeps, steps: $0.steps)
        }
        quality += analysis.electrodermal.map { QualityLane($0.source.name, $0.quality, $0.gaps) }
        quality += analysis.motion.filter { !$0.quality.isEmpty }.map {
            QualityLane($0.source.name, $0.quality, $0.gaps)
        }
        quality += analysis.brains.filter { !$0.quality.isEmpty }.map { result in
            let gaps = analysis.inventory.streams[result.source.stream].gaps
            return QualityLane(result.source.name, result.quality, gaps)
        }
        notComputed = analysis.notComputed.map { NotComputed(what: $0.what, why: $0.why) } + missingIndexes(analysis)
        verdict = analysis.verdict.grade == nil ? nil : analysis.verdict.line { Words.of($0.rawValue) }
        methods = try Methods(describing: analysis, version: provenance.version)
        self.provenance = provenance.entries
        notes = analysis.remarks
    }

    /// What is to be drawn, of all streams in one pass.
    private static func strips(
        _ requests: [SampleExtraction.Request], _ reopen: () throws -> any RecordingReader
    ) throws -> [[[SampleExtraction.Strip]]] {
        guard requests.contains(where: { !$0.spans.isEmpty }) else { return requests.map { _ in [] } }
        return try SampleExtraction.strips(requests, from: reopen())
    }

    /// Indices that no window has, with the reason the first window gives.
    private func missingIndexes(_ analysis: RecordingAnalysis) -> [NotComputed] {
        analysis.results.flatMap { result -> [NotComputed] in
            guard let first = result.windows.first else { return [] }
            let names = HRVIndex.list(analysis.parameters.hrv).map(\.name)
            let missing = names.enumerated().compactMap { place, name in
                result.windows.allSatisfy { $0.values[place] == nil }
                    ? (name: name, reason: first.missing[place].map { "\($0)" }) : nil
            }
            return NotComputed.grouped(missing, of: "\(result.source.name), every window")
        }
    }
}

extension RecordingAnalysis {
    /// How much of the recording `seconds` are, 0…1; nil where it has no length.
    func share(_ seconds: Seconds) -> Double? {
        duration.flatMap { $0 > 0 ? min(1, seconds / $0) : nil }
    }
}

extension QualityLane {
    /// The windows of a source.
    init(_ result: CardiacResult) {
        self.init(result.source.name, result.quality, result.gaps)
    }

    /// The windows of a stream of this name.
    init(_ name: String, _ windows: [QualityWindow], _ gaps: [Gap]) {
        // Neighbours with the same reasons share one list of them.
        var latest: (reasons: [QualityReason], words: [String]) = ([], [])
        let lane = windows.map { window in
            if window.reasons != latest.reasons {
                latest = (window.reasons, window.reasons.map(\.rawValue).sorted())
            }
            return Window(
                onset: window.onset, duration: window.duration, quality: window.quality, coverage: window.coverage,
                reasons: latest.words)
        }
        self.init(stream: name, windows: lane, gaps: gaps.map(MissingSpan.init))
    }
}

extension Provenance {
    /// For people to read.
    fileprivate var entries: [ProvenanceEntry] {
        var entries = [
            ProvenanceEntry("software", "\(software) \(version)"), ProvenanceEntry("machine", machine),
            ProvenanceEntry("parametersSHA256", parametersSHA256),
        ]
        entries += inputs.map { ProvenanceEntry("input \($0.file)", "\($0.bytes) bytes, SHA-256 \($0.sha256)") }
        if let json = try? parameters.json() {
            entries.append(ProvenanceEntry("parameters", String(decoding: json, as: UTF8.self)))
        }
        return entries
    }
}
