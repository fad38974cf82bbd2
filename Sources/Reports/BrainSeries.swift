public import Brain
import Kernels
import Pipeline
public import Signals

/// EEG of one stream: its spectra, a trend over time and some stretches of signal.
public struct BrainSeries: Sendable {
    /// The stream's name.
    public var name: String
    /// The channels' labels.
    public var labels: [String]
    /// The spectra of all usable epochs; nil where none was.
    public var overview: SpectrumOverview?
    /// Why no epoch was usable; nil where one was, or features were not asked for.
    public var absence: String?
    /// The 1/f fit of each channel's spectrum; nil where it has none.
    public var fits: [AperiodicFit?] = []
    /// The band, in hertz, of the fits.
    public var fitted: (lower: Double, upper: Double)
    /// Some features over time, the middle of usable channels: `onset` and `duration` of a stretch, then features.
    public var trend: Table
    /// Blinks and saccades.
    public var eyes: [EyeEvent]
    /// Stretches of cleaned signal.
    public var traces: [EEGTraces] = []
    /// What was rebuilt, in words; nil where nothing was to be.
    public var reconstruction: String?
    /// Share of channels and epochs that were usable, 0…1.
    public var usable: Double?

    /// The features whose trend is drawn, where they were computed.
    static let trendColumns = ["engagement", "thetaBeta", "alphaRelative", "aperiodicExponent"]

    /// A channel's label where there is little room: without the prefix that EDF files put before it.
    static func short(_ label: String) -> String {
        let own = label.hasPrefix("EEG ") ? label.dropFirst(4) : label[...]
        return Words.shortened(String(own), to: 7)
    }

    /// The series of a stream that was analysed.
    init(_ result: BrainResult, _ parameters: BrainParameters, traces: [EEGTraces], absence: String?) throws {
        name = result.source.name
        labels = result.labels
        overview = result.overview
        self.absence = absence
        eyes = result.seenEyes
        usable = result.usableShare
        trend = try Self.trend(result, parameters)
        self.traces = traces
        let aperiodic = try parameters.usedFeatures().aperiodic
        fitted = (aperiodic.range.lower, aperiodic.range.upper)
        fits = overview?.aperiodicFits(aperiodic) ?? []
        if let report = result.reconstruction { reconstruction = Self.words(report, labels: labels) }
    }

    private static func words(_ report: SubspaceCleaning.Report, labels: [String]) -> String {
        guard report.calibrationSeconds > 0 else {
            return "Bursts were not rebuilt: there was too little clean EEG to calibrate on."
        }
        return "Bursts were rebuilt in \(NumberText.percent(report.rebuilt)) of the time, after "
            + "\(Words.count(report.calibrationSeconds, "clean second")) of "
            + "\(Words.count(report.channels.count, "channel"))."
    }

    /// Medians over usable channels, then over at most 400 stretches.
    private static func trend(_ result: BrainResult, _ parameters: BrainParameters) throws -> Table {
        let features = try EpochFeatures(labels: result.labels, parameters: parameters.usedFeatures())
        let columns = Array(features.channelColumns.suffix(features.features.count))
        let places = trendColumns.compactMap { name in columns.firstIndex { $0.name == name } }
        var table = Table(
            columns: [
                Column("onset", unit: .seconds, "When the stretch begins"),
                Column("duration", unit: .seconds, "How long it is"),
            ] + places.map { columns[$0] })
        let end = result.runs.last?.upperBound ?? 0
        let length = max(parameters.epochs.step, end / 400)
        var (current, values) = (0, places.map { _ in [Double]() })
        func close() {
            guard values.contains(where: { !$0.isEmpty }) else { return }
            let middles = values.map { $0.isEmpty ? nil : Statistics.median($0) }
            table.append([.onset(Double(current) * length), .onset(length)] + middles.map { .optional($0) })
            values = places.map { _ in [] }
        }
        for epoch in result.epochs {
            let stretch = Int(epoch.onset / length)
            if stretch != current { close() }
            current = stretch
            for (index, place) in places.enumerated() {
                let rows = epoch.values
                let known = (0..<rows.channels).map { rows[$0, place] }.filter(\.isFinite)
                if !known.isEmpty { values[index].append(Statistics.median(known)) }
            }
        }
        close()
        return table
    }
}

/// Some seconds of cleaned EEG.
public struct EEGTraces: Sendable {
    /// What it shows, such as `the worst window`.
    public var title: String
    /// Seconds from the recording's start to the first sample.
    public var onset: Seconds
    /// The sample rate in Hz.
    public var sampleRate: Double
    /// An array per channel, in µV; not a number where there is nothing.
    public var channels: [[Float]]
    /// What the windows of quality say: how good, and why not.
    public var quality: Double?
    /// See `quality`.
    public var reasons: [String]

    /// Seconds it lasts.
    public var duration: Seconds { Double(channels.first?.count ?? 0) / sampleRate }
}
