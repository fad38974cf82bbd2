import Foundation
import Signals
import Synchronization

extension Provenance {
    /// As JSON with sorted keys.
    public func json() throws -> [UInt8] {
        // Most of it are the parameters, which a batch has in common: they are put in place of a number.
        let around = try Self.text(Around(self))
        let key = Array("\n  \"parameters\" : ".utf8)
        let line = around.indices.first { around[$0] == key[0] && around[$0...].starts(with: key) }
        guard let place = line.map({ $0 + key.count }), around[place] == UInt8(ascii: "0") else {
            return try Self.text(self) + [0x0A]
        }
        return try around[..<place] + LatestParameters.shared.text(of: parameters) + around[(place + 1)...] + [0x0A]
    }

    fileprivate static func text(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return try Array(encoder.encode(value))
    }

    /// The same with a number for parameters.
    private struct Around: Encodable {
        var software: String
        var version: String
        var machine: String
        var inputs: [InputHash]
        var parameters = 0
        var parametersSHA256: String
        var outputs: [String]?
        var remarks: [String]?
        var skipped: [SkippedStream]?
        var sourceOrigin: Seconds?

        init(_ provenance: Provenance) {
            software = provenance.software
            version = provenance.version
            machine = provenance.machine
            inputs = provenance.inputs
            parametersSHA256 = provenance.parametersSHA256
            outputs = provenance.outputs
            remarks = provenance.remarks
            skipped = provenance.skipped
            sourceOrigin = provenance.sourceOrigin
        }
    }
}

/// The parameters that were written or read last, as they stand in provenance.
final class LatestParameters: Sendable {
    static let shared = LatestParameters()

    private let latest = Mutex<(value: Parameters, text: [UInt8])?>(nil)

    /// Keeps what `json` tells, which is their JSON with sorted keys and without blanks.
    func keep(_ parameters: Parameters, json: [UInt8]) {
        latest.withLock { $0 = (parameters, IndentedJSON.text(of: json, level: 1)) }
    }

    func text(of parameters: Parameters) throws -> [UInt8] {
        if let text = latest.withLock({ $0?.value == parameters ? $0?.text : nil }) { return text }
        let text = IndentedJSON.text(of: try Array(parameters.json()), level: 1)
        latest.withLock { $0 = (parameters, text) }
        return text
    }
}
