public import Foundation
public import Signals

/// Writes EDF+ and BDF+ files.
///
/// The files are continuous (EDF+C): gaps hold missing samples, since EDFlib opens no discontinuous file. Only where gaps
/// would take more than 2 GB the file is discontinuous (EDF+D), which a note says. A time between two records is a multiple
/// of the duration that the header states, as the EDF+ specification (2.2.4) demands.
///
/// EDF stores 16-bit numbers with a linear scale per channel. Values that lie on an even grid of at most 65 535 steps,
/// as those of a converter do, keep a number each and come back the same to within the rounding of the header's
/// 8-character fields, far below a step. Other values are rounded to 65 535 levels over the channel's range; the report
/// says how wide a step is. Fractions of a volt or siemens are written in µV or µS, as 8 characters cannot say small
/// numbers. BDF stores 24 bits, which keep other values too as exactly as single precision does.
///
/// Where no channel has samples there is no data record. Where only some lack them, or the last record of a run is not
/// full, the stored number is one below the digital minimum, and an annotation `BAD_missing@@<label>` covers
/// the stretch; `EDFReader` gives such samples back as missing. Markers become annotations. Irregular streams do not fit
/// into EDF and are left out, which the report says. When the recording does not start with its first sample, the
/// file's start is that of the first sample.
///
/// Kemp & Olivan, Clin. Neurophysiol. 114:1755, 2003; edfplus.info/specs.
public enum EDFWriter {
    /// What became of a recording.
    public struct Report: Hashable, Sendable {
        /// `EDF+C`, `EDF+D`, `BDF+C` or `BDF+D`.
        public var format: String
        /// Number of data records.
        public var recordCount: Int
        /// Seconds each of them lasts.
        public var recordDuration: Seconds
        /// The channels in the order of the file.
        public var channels: [Channel]
        /// What was changed or left out.
        public var notes: [String]
    }

    /// How a channel was stored.
    public struct Channel: Hashable, Sendable {
        /// Its label in the file.
        public var label: String
        /// Its unit in the file.
        public var unit: Signals.Unit
        /// The physical value of one stored step.
        public var step: Double
        /// Whether each value has a number of its own.
        public var isLossless: Bool
    }

    /// The equipment named in the header, by which the reader knows how missing samples are stored.
    static let equipment = "Marey"
    static let missingText = "BAD_missing@@"

    /// Writes a recording that is in memory.
    /// - Returns: what became of it.
    /// - Throws: `FormatError` when it cannot be stored as EDF or the file cannot be written; nothing is left then.
    @discardableResult
    public static func write(_ recording: Recording, to url: URL, as storage: EDFStorage = .edf) throws -> Report {
        try write(to: url, as: storage) { RecordedEvents(recording) }
    }

    /// Writes a recording of any length, holding only a part of it in memory.
    /// - Parameters:
    ///   - resampling: makes streams fit where their sample rates have no data record in common; without it such
    ///     recordings are refused.
    ///   - read: begins reading the recording from its start; called up to four times, to find the ranges of the
    ///     channels before and after resampling, to check their grids and to write.
    /// - Returns: what became of it.
    /// - Throws: `FormatError` when it cannot be stored as EDF or the file cannot be written; nothing is left then.
    ///   Errors of the reader.
    @discardableResult
    public static func write(
        to url: URL, as storage: EDFStorage = .edf, resampling: StreamResampling? = nil,
        reading read: () throws -> any RecordingReader
    ) throws -> Report {
        var first = try read()
        try first.header.checkRates(for: url)
        var scan = try EDFWriteScan(first)
        let rates = resampling == nil ? [:] : EDFCommonRates.resampled(scan, first.header)
        let notes = rates.sorted { $0.key < $1.key }.map { stream, rate in
            "\(first.header.streams[stream].name): resampled to \(Float(rate)) Hz from "
                + "\(Float(scan.streams[stream].runs.first?.rate ?? 0)) Hz, which has no data record in common with "
                + "the other streams"
        }
        func open() throws -> any RecordingReader {
            let reader = try read()
            guard let resampling, !rates.isEmpty else { return reader }
            return resampling(reader, rates)
        }
        if !rates.isEmpty {
            first = try open()
            scan = try EDFWriteScan(first)
        }
        let plan = try EDFWritePlan(scan, first.header, as: storage, for: url)
        // A file of annotations alone is one that was nothing else.
        guard !plan.streams.isEmpty || (first.header.streams.isEmpty && !scan.markers.isEmpty) else {
            throw FormatError(url, "there is no sampled stream to write")
        }
        var channels = try EDFWriteChannels(scan, plan, first.header, as: storage, for: url)
        if channels.hasGrids { try channels.check(try open(), scan, plan, url) }
        let content = EDFFileContent(scan, plan, channels, first.header, as: storage)
        let file = try AtomicFile(url)
        try file.write(content.headerBytes)
        var assembler = EDFRecordAssembler(plan, channels, content, storage)
        try assembler.write(try open(), to: file)
        try file.commit()
        return Report(
            format: content.format, recordCount: content.recordCount, recordDuration: content.recordDuration,
            channels: channels.reported,
            notes: notes + plan.notes + channels.notes + channels.coarseNotes(scan, plan) + content.notes
                + UntoldChannels.notes(first.header.streams, in: storage.name))
    }
}
