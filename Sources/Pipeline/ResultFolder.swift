import Brain
import Cardiac
import Decoding
import Electrodermal
import Formats
public import Foundation
import Quality
public import Signals

/// The files that an analysis leaves: tables with their sidecars, and provenance, named after BIDS derivatives.
public struct ResultFolder: Sendable {
    /// Where the files go.
    public let folder: URL
    /// What their names begin with, such as `sub-01_ses-1_task-rest`.
    public let stem: String

    /// Makes the descriptions of columns, from those that are declared. Nothing but the descriptions may depend on it.
    package var describing: @Sendable (String) -> String = { $0 }

    /// Results in `folder` whose names begin with `stem`.
    public init(_ folder: URL, stem: String) {
        self.folder = folder
        self.stem = stem
    }

    /// The report's file.
    public var report: URL { file("_report.html") }
    /// The provenance file.
    public var provenance: URL { file("_provenance.json") }

    /// The table of the recording's events: tags and device markers. A recording without any has no such table.
    public var events: URL { file(Self.eventsEnding + ".tsv") }
    private static let eventsEnding = "_events"

    /// Writes all tables with their sidecars; each file appears only when it is complete.
    /// - Returns: the files, by their names in the folder.
    /// - Throws: `FormatError` when the folder cannot be written.
    public func write(_ analysis: RecordingAnalysis) throws -> [String] {
        let header = analysis.header
        let origin = header.sourceOrigin
        var files = try write(events: analysis.inventory.markers, origin: origin)
        let labels = Self.labels(
            SourceNames.told(analysis.results.map(\.source), in: header) + analysis.belts.map(\.source.fileLabel)
                + SourceNames.told(analysis.electrodermal.map(\.source), in: header)
                + SourceNames.told(analysis.motion.map(\.source), in: header) + analysis.brains.map(\.source.fileLabel))
        for (result, label) in zip(analysis.results, labels) {
            for (suffix, table) in Self.tables(result, analysis.parameters) {
                files += try write(table, "_recording-\(label)_\(suffix)", origin)
            }
        }
        for (belt, label) in zip(analysis.belts, labels.dropFirst(analysis.results.count)) {
            let table = Respiration.table(belt.windows)
            files += try write(table, "_recording-\(label)_desc-respiration_physio", origin)
        }
        let own = labels.dropFirst(analysis.results.count + analysis.belts.count)
        for (result, label) in zip(analysis.electrodermal, own) {
            for (suffix, table) in Self.tables(result, analysis.parameters) {
                files += try write(table, "_recording-\(label)_\(suffix)", origin)
            }
        }
        for (result, label) in zip(analysis.motion, own.dropFirst(analysis.electrodermal.count)) {
            for (suffix, table) in Self.tables(result, analysis.parameters) {
                files += try write(table, "_recording-\(label)_\(suffix)", origin)
            }
        }
        for (brain, label) in zip(analysis.brains, labels.suffix(analysis.brains.count)) where brain.doubt == nil {
            for (suffix, table) in try Self.tables(brain, analysis.parameters) {
                files += try write(table, "_recording-\(label)_\(suffix)", origin)
            }
        }
        let potentiostats = Self.labels(analysis.electrochemistry.map(\.source.fileLabel))
        for (result, label) in zip(analysis.electrochemistry, potentiostats) {
            for (suffix, table) in result.tables { files += try write(table, "_recording-\(label)_\(suffix)", origin) }
        }
        return files
    }

    /// Writes the table of a recording's events with its sidecar; without events it writes nothing.
    /// - Parameter origin: the moment from which the recording's source counts its times, where that is not its start.
    /// - Returns: the files, by their names in the folder.
    /// - Throws: `FormatError` when the folder cannot be written.
    public func write(events markers: [Marker], origin: Seconds? = nil) throws -> [String] {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), !isFolder.boolValue {
            throw FormatError(folder, "is a file, and results go into a folder", advice: "name a folder")
        }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw FormatError(
                folder, "cannot be made: \(SystemReason.text(error))", advice: "name a folder that can be written")
        }
        // Annotated beats are a reference for marey validate; the table of events would hold thousands of them.
        let markers = markers.filter { $0.role == .event }
        guard !markers.isEmpty else { return [] }
        return try write(BIDSEvents.table(markers, isCode: \.isOfCalibration), Self.eventsEnding, origin)
    }

    private static let sidecars = LatestSidecars()

    /// - Parameter origin: the moment from which the recording's source counts its times, where that is not its start.
    private func write(_ table: any TableContent, _ ending: String, _ origin: Seconds?) throws -> [String] {
        let (url, sidecar) = (file(ending + ".tsv"), file(ending + ".json"))
        try TSV.write(table, to: url)
        let described = table.columns.map { column in
            var column = column
            column.definition = describing(column.definition)
            return column
        }
        let columns = SourceOrigin.columns(described, origin)
        try writeAtomically(Self.sidecars.text(of: columns, for: ending), to: sidecar)
        return [url.lastPathComponent, sidecar.lastPathComponent]
    }

    private func file(_ ending: String) -> URL { folder.appendingPathComponent(stem + ending, isDirectory: false) }

    private static func tables(_ result: CardiacResult, _ parameters: Parameters) -> [(
        suffix: String, table: any TableContent
    )] {
        var tables: [(String, any TableContent)] = []
        if result.source.kind != .ibi {
            tables.append(("desc-beats_events", CardiacTables.beats(of: result)))
            if parameters.wants(.quality) {
                tables.append(("desc-quality_physio", QualityRows(result.quality)))
            }
        }
        if parameters.wants(.hrv) || parameters.wants(.respiration) || result.source.kind == .ibi {
            tables.append(("desc-nn_events", CardiacTables.intervals(result.nn)))
            tables.append(("desc-corrections_events", Correction.table(result.audit)))
        }
        if parameters.wants(.hrv) { tables += variability(result, parameters) }
        if parameters.wants(.rhythm) { tables.append(("desc-rhythm_events", Rhythm.table(result.rhythm))) }
        if parameters.wants(.respiration) {
            tables.append(("desc-respiration_physio", Respiration.table(result.respiration)))
        }
        if parameters.wants(.heartRate), result.source.kind == .bvp {
            tables.append(("desc-heartrate_physio", PulseRateWindow.table(result.pulseRates)))
        }
        // Of what is too short for it no table says so epoch by epoch: the verb does, where somebody asks.
        if Double(result.sleep.count) * SleepEpoch.length >= HeartSleep.leastHours * 3_600 {
            tables.append(("desc-sleep_physio", SleepEpoch.table(result.sleep, from: .heart)))
        }
        return tables
    }

    private static func variability(_ result: CardiacResult, _ parameters: Parameters) -> [(
        suffix: String, table: any TableContent
    )] {
        [
            (
                "desc-hrv_physio",
                HRVRows(result.windows, parameters: parameters.hrv, quality: result.windowQuality)
            ),
            ("desc-hrvmissing_physio", CardiacTables.missing(result.windows, parameters: parameters.hrv)),
            ("desc-turbulence_physio", HeartRateTurbulence(of: result.intervals).table),
        ]
    }

    private static func tables(_ result: ElectrodermalResult, _ parameters: Parameters) -> [(
        suffix: String, table: any TableContent
    )] {
        var tables: [(String, any TableContent)] = [
            ("desc-scr_events", SkinConductanceResponse.table(result.responses)),
            ("desc-eda_physio", ElectrodermalRows(result.samples, parameters: parameters.eda)),
            ("desc-scl_physio", ElectrodermalWindow.table(result.windows)),
        ]
        if parameters.wants(.quality) { tables.append(("desc-quality_physio", QualityRows(result.quality))) }
        if !result.events.isEmpty { tables.append(("desc-eventrelated_events", EventResponse.table(result.events))) }
        return tables
    }

    private static func tables(_ result: MotionResult, _ parameters: Parameters) -> [(
        suffix: String, table: any TableContent
    )] {
        let quality: [(String, any TableContent)] =
            parameters.wants(.quality) ? [("desc-quality_physio", QualityRows(result.quality))] : []
        return switch result.source.kind {
        case .battery: [("desc-battery_physio", result.table)]
        case .temperature: [("desc-temperature_physio", result.table)] + quality
        default:
            [
                ("desc-motion_physio", result.table),
                ("desc-sleep_physio", SleepEpoch.table(result.sleep, from: result.sleepSource)),
            ] + quality
        }
    }

    private static func tables(_ result: BrainResult, _ parameters: Parameters) throws -> [(
        suffix: String, table: any TableContent
    )] {
        var tables: [(String, any TableContent)] = []
        if parameters.wants(.eeg) {
            tables.append(("desc-eeg_physio", try BrainTables.epochs(result, parameters: parameters.eeg)))
            if parameters.eeg.features.connectivityWindow != nil {
                tables.append(("desc-connectivity_physio", try BrainTables.pairs(result, parameters: parameters.eeg)))
            }
        }
        if parameters.wants(.eyes) {
            tables.append(("desc-eyes_events", EyeEvent.table(result.eyes)))
            tables.append(("desc-blinks_physio", BrainTables.blinks(result)))
        }
        if parameters.wants(.quality) {
            tables.append(("desc-quality_physio", QualityRows(result.quality)))
        }
        if parameters.wants(.sleep) {
            tables.append(("desc-sleep_physio", SleepEpoch.table(result.sleep, from: result.sleepSource)))
        }
        return tables
    }

    /// A label per name, no two alike.
    static func labels(_ names: [String]) -> [String] {
        var labels = DistinctNames<String>()
        return names.map { labels.next($0, separator: "") }
    }
}

extension BeltSource {
    /// What the files made from it are called, before names that are alike are told apart.
    var fileLabel: String {
        let letters = CardiacSource.labelCharacters(of: title)
        return letters.isEmpty ? "respiration" : letters
    }
}
