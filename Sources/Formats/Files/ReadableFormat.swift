public import Foundation
public import Signals

/// A format that can be read: how to tell it and how to open it.
public struct ReadableFormat: Sendable {
    /// Whether a recording tells when its samples were taken.
    enum Timing {
        /// It does.
        case own
        /// It does where its name says that it is of this format: else its numbers may be samples too.
        case ownIfNamed
        /// It may not.
        case uncertain
        /// What is inside may.
        case inside
    }

    /// Its name, for people.
    public let name: String
    /// Extensions of its files, in lower case. They decide only where the content tells nothing, so that a damaged file
    /// is refused by the reader it was meant for.
    public let extensions: [String]
    /// Extensions of files beside those, by which a recording is known too, such as signals beside their header.
    public let companions: [String]
    /// Whether it is a table of text, whose columns may be told.
    let isTable: Bool
    /// Whether a file or folder is of this format, by its first bytes (none for a folder, or a record's bare name) and
    /// its place.
    public let recognizes: @Sendable (_ head: [UInt8], _ url: URL) -> Bool
    /// Opens it.
    public let open: @Sendable (_ url: URL) throws -> any RecordingReader
    /// Opens it with what somebody says of its columns; nil where these are not read so.
    let openColumns: (@Sendable (_ url: URL, _ columns: ColumnMap) throws -> any RecordingReader)?
    /// The files it is made of.
    public let files: @Sendable (_ url: URL) throws -> [URL]
    /// The tables beside it, or above it in its data set, that tell of its channels and of what happened.
    let tables: @Sendable (_ url: URL) -> [URL]
    /// Whether its recordings are `FrameCounted`.
    let countsFrames: Bool
    let timing: Timing

    init(
        _ name: String, extensions: [String], companions: [String] = [], isTable: Bool = false, timing: Timing = .own,
        recognizes: @escaping @Sendable ([UInt8], URL) -> Bool,
        open: @escaping @Sendable (URL) throws -> any RecordingReader,
        openColumns: (@Sendable (URL, ColumnMap) throws -> any RecordingReader)? = nil,
        files: @escaping @Sendable (URL) throws -> [URL] = { [$0] },
        tables: @escaping @Sendable (URL) -> [URL] = { _ in [] }, countsFrames: Bool = false
    ) {
        self.name = name
        self.extensions = extensions
        self.companions = companions
        self.isTable = isTable
        self.recognizes = recognizes
        self.open = open
        self.openColumns = openColumns
        self.files = files
        self.tables = tables
        self.countsFrames = countsFrames
        self.timing = timing
    }

    /// The extensions of all formats, in lower case.
    public static let endings = Set(all.flatMap { $0.extensions + $0.companions })

    /// All formats, the most certain to recognise first. A new one is a line here.
    public static let all: [ReadableFormat] = [
        .init(
            "EDF, EDF+, BDF, BDF+", extensions: ["edf", "bdf", "rec"], recognizes: EDFReader.recognizes,
            open: BIDSMarkedRecording.opening { try EDFReader($0) }, tables: BIDSMarkedRecording.tables),
        .init(
            "BrainVision", extensions: ["vhdr"], companions: ["eeg", "vmrk"], recognizes: BrainVisionReader.recognizes,
            open: BIDSMarkedRecording.opening { try BrainVisionReader($0) }, files: BrainVisionReader.files,
            tables: BIDSMarkedRecording.tables, countsFrames: true),
        .init(
            "ISHNE Holter ECG", extensions: ["ecg"], recognizes: ISHNEReader.recognizes, open: { try ISHNEReader($0) }),
        .init(
            "Empatica EmbracePlus (Avro file or folder of them)", extensions: ["avro"],
            recognizes: EmbracePlusSession.recognizes, open: { try EmbracePlusSession($0) },
            files: EmbracePlusSession.files),
        .init(
            "AcqKnowledge", extensions: ["acq"], recognizes: AcqKnowledgeReader.recognizes,
            open: { try AcqKnowledgeReader($0) }),
        .init("XDF", extensions: ["xdf"], recognizes: XDFReader.recognizes, open: XDFKindReader.open),
        .init(
            "Empatica E4 session (folder or zip)", extensions: ["zip"], recognizes: EmpaticaSession.recognizes,
            open: { try EmpaticaSession($0) }, files: EmpaticaSession.files),
        .init(
            "Arctop session (folder or CSV)", extensions: [], isTable: true, recognizes: ArctopSession.recognizes,
            open: { try ArctopSession($0) }, files: ArctopSession.files),
        .init(
            "WFDB record", extensions: ["hea"], companions: ["dat"], recognizes: WFDBRecord.recognizes,
            open: { try WFDBRecord($0) }, files: WFDBRecord.files),
        .init(
            "WFDB annotations of beats", extensions: WFDBIntervals.extensions, recognizes: WFDBIntervals.recognizes,
            open: WFDBIntervals.open, files: WFDBIntervals.files),
        .init(
            "EEGLAB", extensions: ["set"], companions: ["fdt"], recognizes: EEGLABReader.recognizes,
            open: BIDSMarkedRecording.opening { try EEGLABReader($0) }, files: EEGLABReader.files,
            tables: BIDSMarkedRecording.tables, countsFrames: true),
        .init(
            "AcqKnowledge MATLAB file", extensions: [], recognizes: AcqKnowledgeMatlab.recognizes,
            open: { try AcqKnowledgeMatlab($0) }),
        .init(
            "MATLAB file of a WFDB record", extensions: ["mat"], recognizes: MatlabFile.recognizes,
            open: MatlabFile.open),
        .init(
            "BIDS physio or stim", extensions: [], recognizes: BIDSPhysioReader.recognizes,
            open: BIDSMarkedRecording.opening { try BIDSPhysioReader($0) },
            openColumns: { url, map in
                let open = BIDSMarkedRecording.opening { try BIDSPhysioReader($0, columns: map) }
                return try open(url)
            }, files: BIDSPhysioReader.files,
            tables: { BIDSEvents.file(for: $0).map { [$0] } ?? [] }),
        .init(
            "BIDS events", extensions: [], isTable: true, recognizes: BIDSEventsReader.recognizes,
            open: { try BIDSEventsReader($0) }),
        .init(
            "gzip-compressed file", extensions: ["gz"], timing: .inside, recognizes: GzipFile.recognizes,
            open: GzipFile.open, tables: GzipFile.tables),
        .init(
            "text of UTF-16", extensions: [], timing: .inside, recognizes: UTF16File.recognizes, open: UTF16File.open),
        .init(
            "Mind Monitor CSV", extensions: [], isTable: true, recognizes: MindMonitorReader.recognizes,
            open: { try MindMonitorReader($0) }),
        .init(
            "muse-lsl CSV", extensions: [], isTable: true, recognizes: MuseLSLReader.recognizes,
            open: { try MuseLSLReader($0) }),
        .init(
            "EmotivPRO CSV", extensions: [], isTable: true, recognizes: EmotivReader.recognizes,
            open: { try EmotivReader($0) }),
        .init(
            "Neuroelectrics easy", extensions: ["easy"], isTable: true, recognizes: EasyReader.recognizes,
            open: { try EasyReader($0) }, files: EasyReader.files),
        .init(
            "OpenSignals text", extensions: [], isTable: true, recognizes: OpenSignalsReader.recognizes,
            open: { try OpenSignalsReader($0) }),
        .init(
            "AcqKnowledge text", extensions: [], isTable: true, recognizes: AcqKnowledgeText.recognizes,
            open: { try AcqKnowledgeText($0) }),
        .init(
            "LabChart text", extensions: [], isTable: true, recognizes: LabChartReader.recognizes,
            open: { try LabChartReader($0) }),
        .init(
            "OpenBCI GUI text", extensions: [], isTable: true, recognizes: OpenBCIReader.recognizes,
            open: { try OpenBCIReader($0) }),
        .init(
            "Polar Sensor Logger text", extensions: [], isTable: true, recognizes: PolarSensorLogger.recognizes,
            open: { try PolarSensorLogger($0) }),
        .init(
            "Polar Flow CSV", extensions: [], isTable: true, recognizes: PolarFlow.recognizes,
            open: { try PolarFlow($0) }),
        .init(
            "ActiGraph CSV", extensions: [], isTable: true, recognizes: ActiGraphReader.recognizes,
            open: { try ActiGraphReader($0) }),
        .init(
            "GENEActiv CSV", extensions: [], isTable: true, recognizes: GENEActivReader.recognizes,
            open: { try GENEActivReader($0) }),
        .init(
            "Apple Health ECG", extensions: [], isTable: true, recognizes: AppleECG.recognizes,
            open: { try AppleECG($0) }),
        .init(
            "MethodSCRIPT log", extensions: [], recognizes: MethodSCRIPTLog.recognizes,
            open: { try MethodSCRIPTLog($0) }),
        .init(
            "VNS Analyse text", extensions: [], isTable: true, recognizes: VNSAnalyse.recognizes, open: VNSAnalyse.open),
        .init(
            "RR-interval text", extensions: ["rr", "rri", "ibi", "nn", "hrm"], isTable: true,
            timing: .ownIfNamed, recognizes: RRText.recognizes, open: { try RRText($0) }),
        .init(
            "delimited text", extensions: ["csv", "tsv", "txt"], isTable: true, timing: .uncertain,
            recognizes: Delimited.recognizes, open: { try Delimited($0) }),
    ]
}

extension EDFReader {
    /// Whether a file that begins with `head` is EDF or BDF: by its version field and a header length that fits the
    /// number of signals, or by its version field and its extension.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        guard head.starts(with: EDFHeaderParser.edfMagic) || head.starts(with: EDFHeaderParser.bdfMagic) else {
            return false
        }
        if ["edf", "bdf", "rec"].contains(url.pathExtension.lowercased()) { return true }
        guard head.count >= 256, let length = Int(EDFHeaderParser.text(head, 184, 8)),
            let signals = Int(EDFHeaderParser.text(head, 252, 4))
        else { return false }
        return (1...9999).contains(signals) && length == (signals + 1) * 256
    }
}

extension EmpaticaSession {
    /// Whether `url` is a folder with files called as those of an E4 export, or `head` begins a zip archive, the only
    /// kind of zip that is read.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        if head.isEmpty { return EmpaticaSource.isSessionFolder(url) }
        return head.starts(with: [0x50, 0x4B, 0x03, 0x04]) || head.starts(with: [0x50, 0x4B, 0x05, 0x06])
    }

    /// Whether a file is one of those of a session, which alone would be taken for a table whose first rows, start and
    /// rate, are samples.
    static func isPart(_ head: [UInt8], url: URL) -> Bool {
        // IBI.csv alone is a series of RR intervals.
        guard let role = EmpaticaSource.Role(path: url.lastPathComponent), role != .ibi else { return false }
        let start = head.prefix { $0 != 0x2C && $0 != 0x0A && $0 != 0x0D }
        return NumberParsing.double(String(decoding: start, as: UTF8.self)).map { $0 > 5e8 && $0 < 4.2e9 } ?? false
    }

    /// The files of a session: those of the folder that are read, or the zip.
    /// - Throws: `FormatError` when it is none.
    public static func files(of url: URL) throws -> [URL] {
        try EmpaticaSource(url).files
    }
}

extension WFDBRecord {
    /// The files of a record: its header, those of its segments, their signal files, and its annotations `.atr`.
    /// - Throws: `FormatError` when a header cannot be read.
    public static func files(of url: URL) throws -> [URL] {
        let place = WFDBPlace.header(of: url)
        let folder = place.deletingLastPathComponent()
        var files = [place]
        func add(_ file: URL) {
            if !files.contains(file) { files.append(file) }
        }
        let record = try WFDBHeader(reading: place)
        for signal in record.signals { signal.file.map { add(folder.appendingPathComponent($0)) } }
        for name in Set(record.segments.compactMap(\.name)).sorted() {
            let header = folder.appendingPathComponent(name).appendingPathExtension("hea")
            add(header)
            for signal in try WFDBHeader(reading: header).signals {
                signal.file.map { add(folder.appendingPathComponent($0)) }
            }
        }
        let annotations = place.deletingPathExtension().appendingPathExtension("atr")
        if FileManager.default.fileExists(atPath: annotations.path) { add(annotations) }
        return files
    }
}
