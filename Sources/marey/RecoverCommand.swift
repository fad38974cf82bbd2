import ArgumentParser
import Cohort
import Formats
import Foundation
import Recorder
import Sessions
import Signals
import Study

struct RecoverCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover", abstract: "Repair recordings that were cut off or damaged, and say what was lost.",
        discussion: """
            Example: marey recover session.xdf
                     marey recover --in-place recordings/

            Writes what can be read of an XDF file beside it as NAME.recovered.xdf and leaves the original alone. With \
            --in-place the repaired file takes the original's name and the original is kept as NAME.xdf.torn. A file \
            whose chunks, headers and footers are whole is left as it is; doing it twice does no more than doing it once. \
            The JSON file beside the recording says "recovered" then, and so does the study that the recording belongs to.

            XDF has no checksums, so the values of samples cannot be checked.
            """)

    @Argument(help: "The recording, or a folder in which to look for .xdf files.")
    var place: String

    @Flag(help: "Put the repaired file in the original's place; the original is kept as NAME.xdf.torn.")
    var inPlace = false

    @Flag(help: "Only say what is wrong; write nothing.")
    var check = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let files = try Self.recordings(at: URL(fileURLWithPath: place))
        guard !files.isEmpty else { throw Failure.nothingDone("\(place): there is no .xdf file in it") }
        var results: [Result] = []
        var failed = 0
        for file in files {
            do {
                let result = try recover(file)
                results.append(result)
                if !json { check ? StandardOutput.print(result.text) : StandardOutput.tell(result.text) }
            } catch {
                failed += 1
                Terminal.complain(String(describing: error))
            }
        }
        if json { try check ? OutputOptions.emitJSON(results) : OutputOptions.tellJSON(results) }
        if let failure = Failure.inputs(failed: failed, of: files.count) { throw failure }
    }

    /// What became of one file.
    private struct Result: Encodable {
        var file: String
        /// The repaired file; nil when none was written.
        var recovered: String?
        /// Where the original is kept, when the repaired file took its place.
        var original: String?
        /// The JSON file beside the recording, when it was mended.
        var sidecar: String?
        /// The table of the recording's events, when it was written.
        var events: String?
        /// The study in which the run now counts as recovered.
        var study: String?
        var report: XDFRecovery.Report

        var text: String {
            if report.isIntact { return (["\(file): \(Self.intact)"] + notes).joined(separator: "\n") }
            var lines = ["\(file):"]
            for damage in report.damage {
                let what = damage.isTail ? "the end is torn" : "damaged"
                lines.append("  \(what): \(damage.count) bytes from byte \(damage.offset) cannot be read")
            }
            if !report.isClosed { lines.append("  the recording was not closed") }
            lines += report.headerless.map { "  \($0.text) and are left out" }
            for stream in report.streams {
                let seconds = (stream.lostSeconds * 1_000).rounded() / 1_000
                let lost = stream.lostSeconds > 0 ? ", \(seconds) s lost" : ""
                lines.append("  \(stream.name): \(stream.frames) frames kept\(lost)")
            }
            lines += report.notes.map { "  note: \($0)" }
            if let recovered { lines.append("  wrote \(recovered)") }
            if let original { lines.append("  kept the original as \(original)") }
            lines += notes
            return lines.joined(separator: "\n")
        }

        private static let intact =
            "chunks, headers and footers are whole; XDF has no checksums, so sample values cannot be checked"

        private var notes: [String] {
            (sidecar.map { ["  mended \($0)"] } ?? []) + (events.map { ["  wrote \($0)"] } ?? [])
                + (study.map { ["  noted as recovered in \($0)"] } ?? [])
        }
    }

    private func recover(_ file: URL) throws -> Result {
        try Self.refuseGrowing(file)
        let target = inPlace ? file : file.deletingPathExtension().appendingPathExtension("recovered.xdf")
        var report = try XDFRecovery.inspect(file)
        var result = Result(file: file.relativePath, recovered: nil, original: nil, report: report)
        guard !report.streams.isEmpty else {
            let reason = "has no stream header that can be read, so nothing can be recovered"
            if !check { try note(.failed, because: "it " + reason, file, in: &result) }
            let found = report.headerless.map(\.text)
            let cause = found.isEmpty ? "it was cut off before the first sample" : found.joined(separator: ", ")
            throw FormatError(file, reason, advice: cause + "; the file stays as it is")
        }
        if check { return result }
        guard !report.isIntact else {
            try tidy(&result, original: file, whole: file, wasDamaged: false)
            return result
        }
        if inPlace {
            let kept = Self.free(file.appendingPathExtension("torn"))
            // A second name for the original: at no moment is there no file.
            if link(file.path, kept.path) != 0 { try FileManager.default.copyItem(at: file, to: kept) }
            do {
                report = try XDFRecovery.repair(kept, to: file)
            } catch {
                unlink(kept.path)
                throw error
            }
            result.original = kept.relativePath
        } else {
            report = try XDFRecovery.repair(file, to: target)
        }
        result.recovered = target.relativePath
        try tidy(&result, original: file, whole: target, wasDamaged: true)
        return result
    }

    /// Mends what is kept about the recording: its sidecar, and the bookkeeping of the study it belongs to.
    private func tidy(_ result: inout Result, original: URL, whole: URL, wasDamaged: Bool) throws {
        let reader = try XDFReader(whole)
        let duration = reader.header.duration ?? .nan
        if wasDamaged, StudyFolder(around: original) == nil {
            var markers: [Marker] = []
            while let event = try reader.next() { if case .marker(let marker) = event { markers.append(marker) } }
            do {
                let path = try SessionEventsTable.write(markers, beside: whole)?.relativePath
                result.events = path.map { $0.hasPrefix("./") ? String($0.dropFirst(2)) : $0 }
            } catch { Terminal.complain("\(error)") }
        }
        let sidecar = try RecoveredSidecar.mend(of: original, for: whole, duration: duration, wasDamaged: wasDamaged)
        result.sidecar = sidecar?.relativePath
        if whole == original { try note(.recovered, whole, wasDamaged: wasDamaged, in: &result) }
    }

    /// Tells the study that the recording belongs to how it stands with it. A run that is whole already stays as it is,
    /// unless its recording was damaged after that, and one that failed because nothing arrived keeps its reason.
    private func note(
        _ status: RunStatus, because message: String? = nil, _ file: URL, wasDamaged: Bool = false,
        in result: inout Result
    ) throws {
        guard let study = StudyFolder(around: file), let path = study.relativePath(of: file) else { return }
        let bookkeeping = try Bookkeeping(study)
        guard let run = try bookkeeping.runs().first(where: { $0.file == path }),
            wasDamaged || ![.finished, .recovered].contains(run.status)
        else { return }
        // There is nothing in it that could be recovered.
        if run.status == .failed, result.report.isIntact, !result.report.holdsSamples { return }
        try bookkeeping.noteRun(
            run.name, file: path, sha256: StudyImport.hash(of: file), status: status, message: message, at: .now)
        result.study = study.root.relativePath
    }

    /// A recording that is being made needs no repair.
    private static func refuseGrowing(_ file: URL) throws {
        guard RecordingLock.isHeld(on: file) else { return }
        throw FormatError(file, "is being recorded", advice: "end the recording first")
    }

    /// The name itself, or the first numbered one that is free.
    private static func free(_ url: URL) -> URL {
        var candidate = url
        var number = 2
        while FileManager.default.fileExists(atPath: candidate.path) {
            candidate = URL(fileURLWithPath: "\(url.path)\(number)")
            number += 1
        }
        return candidate
    }

    private static func recordings(at place: URL) throws -> [URL] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder), isFolder.boolValue else {
            return [place]
        }
        let found =
            FileManager.default.enumerator(at: place, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
        return found.filter { $0.pathExtension.lowercased() == "xdf" && !$0.path.hasSuffix(".recovered.xdf") }
            .sorted { $0.path < $1.path }
    }
}
