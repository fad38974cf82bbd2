import Formats
public import Foundation
import Pipeline
public import Signals
public import Study

/// Brings a recording into a study.
public struct StudyImport {
    /// The study.
    public var study: StudyFolder
    /// The run it becomes.
    public var name: RunName

    /// Brings recordings into `study` as `name`.
    public init(study: StudyFolder, name: RunName) {
        self.study = study
        self.name = name
    }

    /// Copies the recording's files under `sourcedata`, renamed after the run, and notes the run. One that lies there
    /// already and is not noted, as after the bookkeeping was lost, is noted as it is.
    /// - Returns: the recording's path relative to the study.
    /// - Throws: `StudyError` when there is such a run already or the study cannot be written, `FormatError` when the
    ///   recording cannot be read.
    public func add(_ recording: URL, at now: Timestamp) throws -> String {
        guard name.stem.utf8.count <= Self.mostBytesOfStem else {
            throw StudyError(
                recording, "would get a name of \(name.stem.utf8.count) characters from its labels, too long for disks",
                advice: "give shorter labels: at most \(Self.mostBytesOfStem) characters with sub-, ses- and task-")
        }
        // Refuses what cannot be read before anything is copied.
        _ = try RecordingFile.open(recording)
        let place = try placeInside(recording) ?? folder.appendingPathComponent(placeName(recording))
        guard let path = study.relativePath(of: place) else { throw StudyError(place, "lies outside the study") }
        try study.demandFree(name, for: path)
        let bookkeeping = try Bookkeeping(study)
        if FileManager.default.fileExists(atPath: place.path) {
            let isNoted = try bookkeeping.runs().contains { $0.file == path }
            guard try !isNoted && Self.hash(of: place) == Self.hash(of: recording) else {
                throw StudyError(
                    place, "exists already; raw data are never replaced", advice: "give another --run number")
            }
            try study.enroll(subject: name.subject)
        } else {
            try study.enroll(subject: name.subject)
            do {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                try copy(recording, to: place)
            } catch let error as CocoaError {
                throw StudyError(
                    place, "cannot be written: \(SystemReason.text(error))",
                    advice: "see whether there is room and the study can be written, then add it again")
            }
        }
        try bookkeeping.noteRun(name, file: path, sha256: Self.hash(of: place), status: .finished, at: now)
        return path
    }

    /// File systems take names of 255 bytes; those of results are longer than that of their recording.
    private static let mostBytesOfStem = 150

    private var folder: URL { study.sourcedata.appendingPathComponent(name.folder) }

    /// The recording itself when it is among the study's raw data already; nil when it has to be copied there.
    /// - Throws: `StudyError` when it lies where other labels put it.
    private func placeInside(_ recording: URL) throws -> URL? {
        guard let path = study.relativePath(of: recording), path.hasPrefix("sourcedata/sub-") else { return nil }
        guard study.recordings(named: name).contains(where: { path == $0 || path.hasPrefix($0 + "/") }) else {
            throw StudyError(
                recording, "is raw data of the study, but its place is not that of \(name)",
                advice: "give the labels that its name has")
        }
        return recording
    }

    /// One hash over all files of a recording.
    public static func hash(of recording: URL) throws -> String {
        InputHash.combined(try RecordingFile.files(of: recording).map(InputHash.init(of:)))
    }

    /// A recording of one file is renamed after the run; one of several keeps its names, which refer to each other, in
    /// a folder named after the run.
    private func placeName(_ recording: URL) -> String {
        guard !isSeveralFiles(recording) else { return name.stem + "/" + recording.lastPathComponent }
        // What else has a dot, such as `Ada.Example.edf`, is part of the name, and may be that of a person.
        let ending = recording.pathExtension
        guard !ending.isEmpty else { return name.stem }
        let inner = ending.lowercased() == "gz" ? recording.deletingPathExtension().pathExtension : ""
        return name.stem + (inner.isEmpty ? "" : ".\(inner)") + ".\(ending)"
    }

    private func isSeveralFiles(_ recording: URL) -> Bool {
        ((try? RecordingFile.files(of: recording))?.count ?? 1) > 1
    }

    private func copy(_ recording: URL, to place: URL) throws {
        let files = try RecordingFile.files(of: recording)
        // What people go on writing: first, so that no recording is there without it.
        let tables = try RecordingFile.inputs(of: recording).filter { !files.contains($0) }
        let several = files.count > 1
        // A folder, such as that of an E4 session, stands for the files in it.
        let base = several && isFolder(recording) ? place : place.deletingLastPathComponent()
        let copies = (tables + files).map { file in
            let isTable = tables.contains(file)
            let target =
                several
                ? base.appendingPathComponent(file.lastPathComponent)
                : isTable ? base.appendingPathComponent(tableName(file)) : place
            let name = ".\(target.lastPathComponent).\(getpid()).partial"
            let aside = target.deletingLastPathComponent().appendingPathComponent(name)
            return (file: file, aside: aside, target: target, mode: isTable ? 0o600 : 0o400)
        }
        // Under their names when all are whole: a piece of a recording would be taken for one.
        defer { for copy in copies { unlink(copy.aside.path) } }
        for copy in copies {
            try FileManager.default.createDirectory(
                at: copy.target.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try copyWhole(copy.file, to: copy.aside, mode: copy.mode)
        }
        for copy in copies {
            guard link(copy.aside.path, copy.target.path) == 0 || renamed(copy.aside, to: copy.target) else {
                throw StudyError(copy.target, "cannot be written: \(String(cString: strerror(errno)))")
            }
        }
    }

    /// What a BIDS table beside a recording of one file is called.
    private func tableName(_ table: URL) -> String {
        let suffix = table.lastPathComponent.split(separator: "_").last ?? "events.tsv"
        return "\(name.stem)_\(suffix)"
    }

    /// Where a disk knows no second name for a file.
    private func renamed(_ file: URL, to target: URL) -> Bool {
        errno != EEXIST && !FileManager.default.fileExists(atPath: target.path) && rename(file.path, target.path) == 0
    }

    private func copyWhole(_ file: URL, to place: URL, mode: Int) throws {
        unlink(place.path)
        do { try FileManager.default.copyItem(at: file, to: place) } catch {
            throw StudyError(
                place.deletingLastPathComponent(),
                "cannot take \(file.lastPathComponent): \(SystemReason.text(error))",
                advice: "see whether there is room, then add it again")
        }
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place.path)
        let descriptor = open(place.path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            throw StudyError(place, "cannot be written: \(String(cString: strerror(errno)))")
        }
    }

    private func isFolder(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && isDirectory.boolValue
    }
}
