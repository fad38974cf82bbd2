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
    /// The same features of the whole recording: of each channel the mean of its usable epochs, as a group's tables have it, and
    /// of the channels the middle one. Those that no epoch has are left out.
    public var indices: [IndexValue] = []
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
        let features = try EpochFeatures(labels: result.labels, parameters: parameters.usedFeatures())
        let columns = Array(features.channelColumns.suffix(features.features.count))
        let places = Self.trendColumns.compactMap { name in columns.firstIndex { $0.name == name } }
        trend = Self.trend(result, columns, places, step: parameters.epochs.step)
        indices = Self.indices(result, columns, places)
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
    private static func trend(_ result: BrainResult, _ columns: [Column], _ places: [Int], step: Seconds) -> Table {
        var table = Table(
            columns: [
                Column("onset", unit: .seconds, "When the stretch begins"),
                Column("duration", unit: .seconds, "How long it is"),
            ] + places.map { columns[$0] })
        let end = result.runs.last?.upperBound ?? 0
        let length = max(step, end / 400)
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

    private static func indices(_ result: BrainResult, _ columns: [Column], _ places: [Int]) -> [IndexValue] {
        let none = (sum: 0.0, count: 0)
        var means = places.map { _ in Array(repeating: none, count: result.labels.count) }
        for epoch in result.epochs {
            let rows = epoch.values
            for (index, place) in places.enumerated() {
                for channel in 0..<rows.channels where rows[channel, place].isFinite {
                    means[index][channel].sum += rows[channel, place]
                    means[index][channel].count += 1
                }
            }
        }
        return zip(places, means).compactMap { place, channels in
            let known = channels.filter { $0.count > 0 }.map { $0.sum / Double($0.count) }
            let words = "the mean of each channel's usable epochs, and of the channels the middle one"
            return known.isEmpty ? nil : IndexValue(columns[place].read(as: words), Statistics.median(known))
        }
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
