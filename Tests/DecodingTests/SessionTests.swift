import Brain
import Decoding
import Foundation
import Kernels
import Signals
import TestSupport
import Testing

@Suite struct SessionTests {
    private let start = SegmentStart(onset: 0, sample: 0, sampleRate: 256)

    private func model(_ person: inout SimulatedParticipant) throws -> DecodingModel {
        try fitting([.discriminant]).fit(person.calibration(), prediction: "enjoyment", layout: person.layout).model
    }

    @Test("values do not depend on how epochs come, and are missing where an epoch is not decodable")
    func chunks() throws {
        var person = SimulatedParticipant(dimensions: 5, effect: 2, seed: 1)
        let model = try model(&person)
        var epochs = person.block(.high, epochs: 60).epochs
        for index in 20..<24 { epochs[index].features = nil }
        let values = assertChunkInvariant(MetricDecoder(model), [(start, epochs), (start, epochs)], cuts: 4) {
            $0.time == $1.time && $0.value.bitPattern == $1.value.bitPattern
        }
        #expect(values.count == 120)
        #expect(values.indices.allSatisfy { values[$0].value.isNaN == (20..<24).contains($0 % 60) })
        #expect(values.allSatisfy { $0.value.isNaN || (0...1).contains($0.value) })
        // A new run begins anew.
        #expect(values[0].value == values[60].value)
    }

    @Test("a step is followed with the time constant")
    func smoothing() throws {
        var person = SimulatedParticipant(dimensions: 5, effect: 3, seed: 2)
        var model = try model(&person)
        model.smoothing = 8
        let (low, high) = (person.block(.low, epochs: 1).epochs[0], person.block(.high, epochs: 1).epochs[0])
        var epochs = [DecodableEpoch](repeating: low, count: 2) + [DecodableEpoch](repeating: high, count: 4)
        for index in epochs.indices { epochs[index].onset = 2 * Double(index) }
        var decoder = MetricDecoder(model)
        let values = decoder.run(epochs, from: start).map(\.value)
        let (from, to) = (try #require(model.value(low)), try #require(model.value(high)))
        #expect(abs(values[5] - (to + (from - to) * exp(-1))) < 1e-12)
    }

    @Test("a session like the calibration has not drifted, one far away has")
    func drift() throws {
        var person = SimulatedParticipant(dimensions: 10, effect: 1, seed: 3)
        let model = try model(&person)
        let alike = (0..<6).flatMap { _ in person.block(.neutral, epochs: 20).epochs }
        let same = try #require(model.baseline.drift(alike))
        #expect(!same.needsCalibration && same.decodableShare == 1 && same.farShare < 0.05)
        let moved = alike.map { epoch in
            var epoch = epoch
            epoch.features = epoch.features?.map { $0 + 2 }
            return epoch
        }
        let far = try #require(model.baseline.drift(moved))
        #expect(far.needsCalibration && far.shift > 1)
        #expect(model.baseline.drift([DecodableEpoch(onset: 0, duration: 2, features: nil)]) == nil)
    }

    @Test("one channel that lies far away is a drift, whatever the others do")
    func driftOfAChannel() throws {
        var person = SimulatedParticipant(dimensions: 12, effect: 1, seed: 4)
        var layout = try person.layout
        layout.labels = ["AF7", "AF8", "TP9", "TP10"]
        layout.names = layout.labels.flatMap { label in ["delta", "theta", "alpha"].map { "\(label).\($0)Power" } }
        let model = try fitting([.discriminant]).fit(person.calibration(), prediction: "enjoyment", layout: layout)
            .model
        let alike = (0..<6).flatMap { _ in person.block(.neutral, epochs: 20).epochs }
        #expect(try #require(model.baseline.drift(alike)).needsCalibration == false)
        let moved = alike.map { epoch in
            var epoch = epoch
            for place in 6..<9 { epoch.features?[place] += 3 }
            return epoch
        }
        let drift = try #require(model.baseline.drift(moved))
        #expect(drift.isOfOneChannel && drift.needsCalibration && drift.channel == 2 && drift.shift < 0.5)
    }

    @Test("features of an epoch are those of the layout, and none where a channel is not usable")
    func assembly() throws {
        let layout = try FeatureLayout(labels: ["TP9", "AF7", "AF8", "TP10"], sampleRate: 256)
        #expect(layout.names.count == 4 * (10 + 21) + 1)
        #expect(layout.names.last == "TP10.42-44 Hz")
        #expect(layout.names.filter { $0.hasSuffix("alphaAsymmetry") } == ["AF8.alphaAsymmetry"])
        var assembly = try FeatureAssembly(layout)
        var random = RandomSource(seed: 7, "epoch")
        var epoch = Epoch(
            onset: 3, duration: 2, sampleRate: 256, samples: (0..<4 * 512).map { _ in Float(10 * random.gaussian()) },
            channels: Array(repeating: Epoch.ChannelState(), count: 4))
        let whole = assembly.decodable(epoch)
        #expect(whole.features?.count == layout.names.count)
        #expect(whole.features?.allSatisfy { $0.isFinite } == true)
        #expect(whole.covariance?.rows == 4)
        #expect(whole.onset == 3)
        epoch.channels[2] = Epoch.ChannelState(coverage: 1, reasons: [.muscle])
        let part = assembly.decodable(epoch)
        #expect(part.features == nil && part.covariance == nil)
    }
}
