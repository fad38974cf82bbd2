import Brain
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct EpochCovarianceTests {
    private struct Reference: Decodable {
        var name: String
        var channels: Int
        var samples: [[Float]]
        var covariances: [[Double]]
    }

    private static func epoch(_ samples: [Float], channels: Int, reasons: [EpochReason] = []) -> Epoch {
        var states = Array(repeating: Epoch.ChannelState(), count: channels)
        states[channels - 1].reasons = reasons
        return Epoch(onset: 3, duration: 2, sampleRate: 100, samples: samples, channels: states)
    }

    @Test(
        "covariances of epochs are pyRiemann's with shrinkage after Ledoit and Wolf",
        .enabled(if: OracleData.has("brain_covariances.json")))
    func pyRiemann() throws {
        let data = try Data(contentsOf: OracleData.url("brain_covariances.json"))
        let references = try JSONDecoder().decode([Reference].self, from: data)
        #expect(references.count >= 4)
        for reference in references {
            let count = reference.channels
            for (samples, expected) in zip(reference.samples, reference.covariances) {
                let found = try #require(EpochCovariance(Self.epoch(samples, channels: count)).elements)
                #expect(found.count == expected.count)
                for (place, (value, wanted)) in zip(found, expected).enumerated() {
                    let (row, column) = (place / count, place % count)
                    let size = (expected[row * count + row] * expected[column * count + column]).squareRoot()
                    #expect(abs(value - wanted) <= 1e-9 * size, "\(reference.name) \(row) \(column)")
                }
            }
        }
    }

    @Test("a table of covariances has a row per epoch, and none of what could not be used")
    func table() throws {
        let samples = (0..<400).map { Float(($0 * 7919) % 101) }
        let good = EpochCovariance(Self.epoch(samples, channels: 2))
        let bad = EpochCovariance(Self.epoch(samples, channels: 2, reasons: [.muscle]))
        let table = EpochCovariance.table([good, bad], labels: ["AF7", "AF8"])
        #expect(table.columns.map(\.name) == ["onset", "duration", "AF7_AF7", "AF7_AF8", "AF8_AF7", "AF8_AF8"])
        let elements = try #require(good.elements)
        #expect(elements[1] == elements[2] && elements[0] > 0)
        #expect(table.rows[0] == [.onset(3), .onset(2)] + elements.map(Cell.number))
        #expect(bad.elements == nil)
        #expect(table.rows[1] == [.onset(3), .onset(2), .missing, .missing, .missing, .missing])
    }
}
