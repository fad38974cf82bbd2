import ArgumentParser
import Devices
import Foundation
import Signals

struct DevicesLSL: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lsl", abstract: "List the streams of the Lab Streaming Layer on this network.",
        discussion: """
            Example: marey devices lsl
                     marey acquire session.xdf lsl@openbci_eeg
            """)

    @Option(help: "Seconds to wait for streams to show themselves.")
    var duration = 1.0

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        try DevicesCommand.demandListening(for: duration)
        let streams = try Self.streams(within: duration)
        if json { return try OutputOptions.emitJSON(streams) }
        streams.forEach { StandardOutput.print(Self.line($0, among: streams)) }
        if streams.isEmpty {
            throw Failure.nothingDone(
                "no stream showed itself in \(duration) s: is its program running, on this network, and is multicast "
                    + "allowed?")
        }
    }

    /// The streams, by name.
    /// - Throws: `LinkError` when there is no library.
    static func streams(within seconds: Double) throws -> [LSLStreamInfo] {
        let library = try LSLLibrary()
        return try waiting { try await library.streams(within: seconds) }
            .sorted { ($0.name, $0.sourceID) < ($1.name, $1.sourceID) }
    }

    /// All streams, once those that are required show themselves.
    /// - Throws: `Failure` if a required stream does not appear within ten seconds, or no stream does; `LinkError` without a library.
    static func streams(with required: [LSLPlace]) throws -> [LSLStreamInfo] {
        let end = SystemClock().now + requiredWithin
        var found: [LSLStreamInfo] = []
        var missing = required
        repeat {
            found = try streams(within: 2)
            missing = required.filter { place in !found.contains { place.fits($0) } }
        } while !missing.isEmpty && SystemClock().now < end
        guard missing.isEmpty else {
            let names = missing.map(\.text).joined(separator: ", ")
            throw Failure.nothingDone(
                "required streams do not show themselves within \(Int(requiredWithin)) s: \(names); `marey devices lsl` "
                    + "lists those that do")
        }
        guard !found.isEmpty else {
            throw Failure.nothingDone("no stream of the Lab Streaming Layer shows itself on this network")
        }
        return found
    }

    /// Seconds to wait for required streams.
    private static let requiredWithin = 10.0

    /// How `acquire` is told of a stream, and what it says of itself. One whose name others have, too, goes by its source.
    static func line(_ stream: LSLStreamInfo, among streams: [LSLStreamInfo]) -> String {
        let rate = stream.isText ? "texts" : stream.sampleRate > 0 ? "\(stream.sampleRate) Hz" : "irregular"
        let count = stream.channels.count
        return [
            "lsl@\(LSLPlace(stream, among: streams).text)", stream.type, "\(count) channel\(count == 1 ? "" : "s")",
            rate, stream.host,
        ]
        .joined(separator: "\t")
    }
}
