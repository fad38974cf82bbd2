import ArgumentParser
import Formats
import Foundation
import Signals

/// Where a verb's table goes and in which form.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON instead of tab-separated text.")
    var json = false

    @Option(
        name: .shortAndLong, help: "Write to this file instead of standard output; a JSON sidecar explains its columns."
    )
    var output: String?

    @Flag(help: "Let the JSON sidecar replace a file that explains no table.")
    var force = false

    func validate() throws {
        guard let output else { return }
        guard output != "-" else {
            throw ValidationError("-o - names no file; tables go to standard output where -o is left out")
        }
        guard json || URL(fileURLWithPath: output).pathExtension.lowercased() != "csv" else {
            throw ValidationError("-o \(output): tables are written with tabs between their cells; end it with .tsv")
        }
    }

    /// Refuses an output that would replace the recording it is made from, before anything is computed.
    /// - Throws: when the file to write, or its sidecar, is a file of `recording`, is one of `others` that are read with it,
    ///   lies among a study's raw data, or would replace one of another kind.
    func demandPlace(beside recording: String, and others: [String] = []) throws {
        guard let output else { return }
        let target = URL(fileURLWithPath: output)
        guard json || target.pathExtension.lowercased() != "json" else {
            throw Failure.misuse("-o \(output): a table's JSON sidecar would have the same name; end it with .tsv")
        }
        try OutputFiles.refuseInputs(files, of: URL(fileURLWithPath: recording), and: others)
        try demandResults()
        if hasSidecar { try OutputFiles.refuseForeign(target.jsonSidecar, force: force) }
    }

    /// The files that are written.
    var files: [URL] {
        guard let output else { return [] }
        let target = URL(fileURLWithPath: output)
        return [target] + (hasSidecar ? [target.jsonSidecar] : [])
    }

    /// Whether a sidecar goes beside the table: none lies beside a device.
    private var hasSidecar: Bool { !json && output.map { !OutputFiles.isDevice(URL(fileURLWithPath: $0)) } ?? false }

    private func demandResults() throws {
        try OutputFiles.refuseTwice(files)
        try ResultPlace.demand(Array(files.prefix(1)))
        // What a sidecar may replace is told from what it explains.
        for sidecar in files.dropFirst() {
            try OutputFiles.refuseDangling(sidecar)
            try ResultPlace.refuseRawData(sidecar)
        }
    }

    /// Prints or writes the table.
    func emit(_ table: some TableContent) throws {
        guard !json else { return try emit(TableJSON.rows(Table(table))) }
        guard let output else { return try TSV.forEachPiece(of: table, Self.print) }
        let target = URL(fileURLWithPath: output)
        try demandResults()
        guard hasSidecar else { return try TSV.write(table, to: target) }
        try OutputFiles.refuseForeign(target.jsonSidecar, force: force)
        // A table beside the sidecar of another would be explained wrongly.
        try AtomicFile.allOrNone { () throws -> Void in
            try TSV.write(table, to: target)
            try writeAtomically(TableJSON.sidecar(table.columns), to: target.jsonSidecar)
        }
    }

    /// Prints or writes finished bytes.
    func emit(_ bytes: [UInt8]) throws {
        guard let output else { return try Self.print(bytes) }
        try demandResults()
        try writeAtomically(bytes, to: URL(fileURLWithPath: output))
    }

    /// Prints or writes a table that people look at: on a terminal its columns line up.
    func show(_ table: Table) throws {
        if json || output != nil { try emit(table) } else { try Self.show(table) }
    }

    /// Prints a table: in columns that line up where a person looks, else separated by tabs.
    static func show(_ table: Table, asJSON json: Bool = false) throws {
        if Terminal.showsResults, !json {
            StandardOutput.print(AlignedTable.text(table), terminator: "")
        } else {
            try print(json ? TableJSON.rows(table) : TSV.encode(table))
        }
    }

    private static func print(_ bytes: [UInt8]) throws { try StandardOutput.write(bytes) }
}

extension OutputOptions {
    /// Prints a value as JSON with sorted keys.
    static func emitJSON(_ value: some Encodable) throws { try print(json(value)) }

    /// Prints a value as JSON that tells of work that is done.
    static func tellJSON(_ value: some Encodable) throws {
        StandardOutput.tell(String(decoding: try json(value), as: UTF8.self), terminator: "")
    }

    /// Prints a table as JSON that tells of work that is done.
    static func tell(asJSON table: Table) {
        StandardOutput.tell(String(decoding: TableJSON.rows(table), as: UTF8.self), terminator: "")
    }

    /// A value as JSON with sorted keys, and the end of its last line.
    static func json(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return try Array(encoder.encode(value)) + [0x0A]
    }
}
