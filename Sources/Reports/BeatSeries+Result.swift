import Cardiac
import Pipeline
import Signals

extension BeatSeries {
    /// All that was computed from one source.
    init(_ result: CardiacResult, _ analysis: RecordingAnalysis, overlay: BeatOverlay?) {
        let parameters = analysis.parameters.hrv
        let covered = result.nn.reduce(0) { $0 + $1.duration }
        let isAsked = analysis.parameters.wants(.hrv)
        let indices = isAsked ? Self.indices(result, parameters) : []
        let spectra = isAsked ? Spectrum.spectra(of: result.nn, parameters: parameters, indices: indices) : []
        self.init(
            name: result.source.name,
            coverage: result.takesIntervals ? analysis.share(covered) : nil,
            beatCount: result.source.kind == .ibi ? nil : result.beats.count,
            intervals: Self.tachogram(result), gaps: result.gaps.map(MissingSpan.init),
            corrections: result.audit.map(CorrectionRow.init),
            indices: indices,
            spectra: spectra, overlay: overlay,
            windows: HRV.table(result.windows, parameters: parameters, quality: result.windowQuality),
            rhythm: RhythmLane(result), respiration: RespirationTrend(result))
        leavesOutIntervals = !result.takesIntervals
        leastCoverage = isAsked ? parameters.minimumCoverage : nil
        droppedIntervals = result.droppedIntervals
        pulseRate = PulseRateTrend(result)
    }

    /// The intervals that stayed, and those that were taken out.
    private static func tachogram(_ result: CardiacResult) -> [TachogramInterval] {
        var intervals = result.nn.map {
            TachogramInterval(
                onset: $0.onset, duration: $0.duration, status: $0.isCorrected ? .corrected : .kept,
                isContiguous: $0.isContiguous)
        }
        for row in result.corrections where row.new == nil && row.kind != .extra {
            guard let old = row.old else { continue }
            intervals.append(TachogramInterval(onset: row.onset, duration: old, status: .removed, isContiguous: false))
        }
        return intervals.sorted { $0.onset < $1.onset }
    }

    /// The indices over the whole recording.
    private static func indices(_ result: CardiacResult, _ parameters: HRVParameters) -> [IndexValue] {
        var whole = parameters
        whole.window = nil
        let indexes = HRVIndex.list(whole)
        guard let window = try? HRV.windows(of: result.nn, in: result.extent, parameters: whole).first else {
            return indexes.map { IndexValue($0.column(whole), nil, reason: "there are no intervals") }
        }
        return indexes.enumerated().map { place, index in
            IndexValue(index.column(whole), window.values[place], reason: window.missing[place].map { "\($0)" })
        }
    }
}

extension CorrectionRow {
    /// A line of the audit.
    init(_ row: Cardiac.CorrectionRow) {
        self.init(
            onset: row.onset, index: row.index, kind: row.kind.rawValue, old: row.old, new: row.new,
            reason: row.reason.rawValue)
    }
}

extension RhythmLane {
    /// The rhythm of one source; nil where nothing is known of it.
    init?(_ result: CardiacResult) {
        guard !result.rhythm.isEmpty else { return nil }
        self.init(
            stretches: result.rhythm.map {
                Stretch(
                    onset: $0.onset, duration: $0.duration, kind: $0.kind.rawValue, meaning: $0.kind.meaning,
                    heartRate: $0.heartRate)
            })
    }
}

extension PulseRateTrend {
    /// The windows of one source; nil without windows.
    init?(_ result: CardiacResult) {
        let windows = result.pulseRates
        guard !windows.isEmpty else { return nil }
        // Windows overlap: each is drawn around its middle.
        let step = PulseRateParameters.step
        let moving = windows.filter(\.isMoving).map { window -> Range<Seconds> in
            let middle = window.onset + window.duration / 2
            return (middle - step / 2)..<(middle + step / 2)
        }
        self.init(
            name: result.source.name, windows: PulseRateWindow.table(windows), moving: Self.joined(moving),
            hasAcceleration: windows.contains { $0.movement != nil })
    }
}

extension RespirationTrend {
    /// What the methods of one source say together; nil where there is no window.
    init?(_ result: CardiacResult) {
        let method: (RespirationMethod, String) =
            switch result.source.kind {
            case .ecg: (.fusion, "sinus arrhythmia and QRS heights together")
            case .bvp: (.bvpFusion, "height, level and spacing of pulses together")
            case .ibi: (.rsa, "sinus arrhythmia")
            }
        let windows = result.respiration.filter { $0.method == method.0 }
        guard !windows.isEmpty else { return nil }
        self.init(name: result.source.name, method: method.1, windows: Respiration.table(windows))
    }

    /// The windows of a belt.
    init(_ result: BeltResult) {
        self.init(
            name: result.source.title, method: "breaths in the signal", windows: Respiration.table(result.windows))
    }
}
