import ArgumentParser
import Formats
import Foundation
import Pipeline
import Signals

struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show what a file holds: streams, rates, units, gaps, markers.",
        discussion: "Example: marey info holter.edf")

    @Argument(help: "The recording: a file, an E4 folder or zip, or a WFDB record.")
    var file: String

    @OptionGroup var input: InputOptions

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Print only the table of streams, tab-separated.")
    var tsv = false

    func run() throws {
        let reader = try input.open(URL(fileURLWithPath: file))
        var inventory = RecordingInventory(reader.header)
        try Reading.all(reader, title: "reading") { inventory.take($0) }
        if json {
            try OutputOptions.emitJSON(InfoDocument(file: file, inventory: inventory, header: reader.header))
        } else if tsv {
            StandardOutput.print(String(decoding: TSV.encode(inventory.table), as: UTF8.self), terminator: "")
        } else {
            StandardOutput.print(text(inventory, reader.header), terminator: "")
        }
    }

    private func text(_ inventory: RecordingInventory, _ header: RecordingHeader) -> String {
        var lines = ["file      \(file.shown)", "format    \(header.format)"]
        if let start = header.start {
            let zone = header.hasTimeZone ? "" : " (the recorder's clock; no time zone is told)"
            lines.append("start     \(start.told(inUTC: header.hasTimeZone))\(zone)")
        }
        let duration = inventory.duration(by: header).map { TSV.text(.onset($0)) + " s" }
        lines.append("duration  \(duration ?? TSV.text(.missing))")
        if let subject = header.subject { lines.append("subject   \(subject.shown)") }
        lines += header.notes.map { "note      \($0.shown)" }
        var text = lines.joined(separator: "\n") + "\n\n" + AlignedTable.text(inventory.table)
        for stream in inventory.streams {
            for gap in stream.gaps.prefix(20) {
                text +=
                    "gap in \(stream.header.name.shown): \(TSV.text(.onset(gap.duration))) s from "
                    + "\(TSV.text(.onset(gap.onset))) s (\(gap.reason.rawValue))\n"
            }
            if stream.gaps.count > 20 {
                text += "… and \(stream.gaps.count - 20) more gaps in \(stream.header.name.shown)\n"
            }
        }
        if !inventory.markers.isEmpty {
            text += "\n\(inventory.markers.count) markers"
            text += inventory.markers.count > 20 ? ", the first 20:\n" : ":\n"
            for marker in inventory.markers.prefix(20) {
                let place = header.hasTimes ? "\(TSV.text(.onset(marker.onset))) s" : "record \(Int(marker.onset))"
                text += "  \(place)  \(marker.label.shown)\n"
            }
        }
        return text
    }
}

/// `marey info --json`.
private struct InfoDocument: Encodable {
    var file: String
    var header: RecordingHeader
    var streams: [StreamDocument]
    var markers: [Marker]

    struct StreamDocument: Encodable {
        var name: String
        var kind: StreamKind
        var channels: [Channel]
        var sampleRate: Double
        var samples: Int
        var onset: Seconds?
        var duration: Seconds
        var gaps: [Gap]
        var missing: Int
    }

    init(file: String, inventory: RecordingInventory, header: RecordingHeader) {
        self.file = file
        self.header = header
        markers = inventory.markers
        streams = inventory.streams.map {
            StreamDocument(
                name: $0.header.name, kind: $0.header.kind, channels: $0.header.channels,
                sampleRate: $0.header.sampleRate, samples: $0.samples, onset: header.hasTimes ? $0.onset : nil,
                duration: $0.duration, gaps: $0.gaps, missing: $0.missing)
        }
    }
}
