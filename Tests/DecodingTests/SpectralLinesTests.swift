import Brain
import Decoding
import Foundation
import Kernels
import Testing

@Suite struct SpectralLinesTests {
    /// Blocks of noise with a steady response at one of two frequencies of the same band.
    private func blocks(_ layout: FeatureLayout, low: Double, high: Double, amplitude: Double) throws
        -> [CalibrationBlock]
    {
        var assembly = try FeatureAssembly(layout)
        var random = RandomSource(seed: 5, "lines")
        return (0..<12).map { block in
            let frequency = block % 2 == 0 ? low : high
            let epochs = (0..<20).map { index in
                let phase = random.uniform()
                var samples: [Float] = []
                for frame in 0..<2 * 512 {
                    let turns = frequency * Double(frame % 512) / 256 + phase
                    samples.append(Float(8 * random.gaussian() + amplitude * sin(2 * Double.pi * turns)))
                }
                return assembly.decodable(
                    Epoch(
                        onset: Double(20 * block + index), duration: 2, sampleRate: 256, samples: samples,
                        channels: Array(repeating: Epoch.ChannelState(), count: 2)))
            }
            return CalibrationBlock(state: block % 2 == 0 ? .low : .high, epochs: epochs)
        }
    }

    @Test("a response at one frequency is told from another in the same band, by the lines of the spectrum")
    func narrowResponses() throws {
        let layout = try FeatureLayout(labels: ["O1", "O2"], sampleRate: 256)
        let fitted = try ModelFitting().fit(
            try blocks(layout, low: 22, high: 27, amplitude: 3), prediction: "visualAttention", layout: layout)
        #expect(fitted.verdict == .accepted)
        #expect(fitted.report.nested.auc > 0.95)
        let lines = fitted.model.scorer.members.filter { $0.kind == .lineDiscriminant }
        #expect((lines.first?.weight ?? 0) > 0.5)
    }

    @Test("lines end below half the sample rate", arguments: [(256.0, 21), (100, 21), (64, 13)])
    func lines(sampleRate: Double, count: Int) throws {
        let layout = try FeatureLayout(labels: ["Cz"], sampleRate: sampleRate)
        #expect(layout.names.count { $0.hasSuffix(" Hz") } == count)
    }

    @Test("a block is never split, be it longer than anything recorded")
    func endlessSpans() {
        let epochs = (0..<50).map { DecodableEpoch(onset: Double($0), duration: 2, features: [1]) }
        let spans = [CalibrationSpan(state: .low, time: 0..<1e300)]
        let blocks = CalibrationBlock.blocks(epochs, spans: spans)
        #expect(blocks.map(\.epochs.count) == [49])
    }

    @Test("a model whose numbers were damaged is refused", arguments: ["spreads", "weights", "centres"])
    func damage(key: String) throws {
        var person = SimulatedParticipant(dimensions: 5, effect: 3, seed: 31)
        let layout = try person.layout
        let model = try fitting([.discriminant]).fit(
            person.calibration(), prediction: "enjoyment", layout: layout
        ).model
        let whole = String(decoding: try model.exported(), as: UTF8.self)
        #expect(throws: Never.self) { try DecodingModel.imported(Data(whole.utf8), layout: layout) }
        let list = try #require(whole.range(of: "\"\(key)\" : [", options: .backwards))
        let end = try #require(whole.range(of: ",", range: list.upperBound..<whole.endIndex))
        let damaged = whole.replacingCharacters(in: list.upperBound..<end.upperBound, with: "")
        #expect(throws: ModelError.self) { try DecodingModel.imported(Data(damaged.utf8), layout: layout) }
    }
}
