import Decoding
import Foundation
import Kernels
import Testing

/// Models of several kinds that share the say.
@Suite struct MixtureTests {
    /// A participant whose states differ in features and in covariances as asked.
    private func calibration(effect: Double, strength: Double, seed: UInt64) throws -> [CalibrationBlock] {
        var random = RandomSource(seed: seed, "mixture")
        var person = SimulatedParticipant(dimensions: 6, effect: effect, seed: seed)
        return try person.calibration(blocks: 6, epochs: 15, neutral: 2).map { block in
            var block = block
            let size = block.state == .high ? 1 + strength : block.state == .low ? 1 : 1 + strength / 2
            for index in block.epochs.indices {
                let rows = (0..<60).map { _ in
                    let common = random.gaussian()
                    return [common * size + random.gaussian(), common + random.gaussian(), random.gaussian()]
                }
                block.epochs[index].covariance = try ShrunkCovariance(Matrix(rows)).matrix
            }
            return block
        }
    }

    private func fit(effect: Double, strength: Double, seed: UInt64 = 4) throws -> FittedModel {
        var layout = try SimulatedParticipant(dimensions: 6, effect: effect, seed: seed).layout
        layout.labels = ["AF7", "AF8", "TP9"]
        return try ModelFitting().fit(
            calibration(effect: effect, strength: strength, seed: seed), prediction: "enjoyment", layout: layout)
    }

    private func weight(_ model: DecodingModel, _ isOne: (ModelKind) -> Bool) -> Double {
        model.scorer.members.filter { isOne($0.kind) }.reduce(0) { $0 + $1.weight }
    }

    @Test("weights are shares, the weightiest first, and the summary names every member with its weight")
    func weights() throws {
        for seed in 1...6 {
            let scorer = try fit(effect: 1.5, strength: 0.5, seed: UInt64(seed)).model.scorer
            #expect(abs(scorer.members.reduce(0) { $0 + $1.weight } - 1) < 1e-12)
            #expect(scorer.members.allSatisfy { $0.weight >= 0.01 })
            #expect(zip(scorer.members, scorer.members.dropFirst()).allSatisfy { $0.weight >= $1.weight })
            #expect(Set(scorer.members.map(\.kind)).count == scorer.members.count)
            #expect(scorer.members.allSatisfy { scorer.summary.contains($0.kind.name) })
        }
    }

    @Test("the say goes to those that see where the states differ")
    func sayGoesWhereTheStatesDiffer() throws {
        let featured = try fit(effect: 2.5, strength: 0).model
        #expect(weight(featured) { $0 == .tangentLogistic(penalty: 0.03) } < 0.02)
        let curved = try fit(effect: 0, strength: 0.8).model
        #expect(weight(curved) { [.discriminant, .powerDiscriminant, .logistic(penalty: 0.03)].contains($0) } < 0.05)
    }

    @Test("one kind alone has the whole say, and its name is the summary")
    func alone() throws {
        var person = SimulatedParticipant(dimensions: 6, effect: 2, seed: 2)
        let model = try fitting([.logistic(penalty: 1)]).fit(
            person.calibration(), prediction: "enjoyment", layout: person.layout
        ).model
        #expect(model.scorer.members.map(\.weight) == [1])
        #expect(model.scorer.summary == "logistic (penalty 1.0)")
    }

    @Test("the score is the members' weighted log-odds: kinds fitted alone, summed, order epochs alike")
    func scoreIsTheSum() throws {
        let blocks = try calibration(effect: 1.5, strength: 0.6, seed: 9)
        let layout = try SimulatedParticipant(dimensions: 6, effect: 1.5, seed: 9).layout
        let mixed = try ModelFitting().fit(blocks, prediction: "enjoyment", layout: layout).model.scorer
        let alone = try mixed.members.map {
            try fitting([$0.kind]).fit(blocks, prediction: "enjoyment", layout: layout).model.scorer
        }
        for epoch in blocks.flatMap(\.epochs) {
            let sum = try zip(mixed.members, alone).reduce(0.0) { sum, part in
                let score = part.1.score(features: epoch.features, covariance: epoch.covariance)
                return sum + part.0.weight * (try #require(score))
            }
            let score = try #require(mixed.score(features: epoch.features, covariance: epoch.covariance))
            #expect(abs(score - sum) < 1e-9 * max(1, abs(sum)))
        }
    }

    @Test("members that see covariances make one needed")
    func needsCovariance() throws {
        let blocks = try calibration(effect: 1, strength: 0.8, seed: 5)
        let layout = try SimulatedParticipant(dimensions: 6, effect: 1, seed: 5).layout
        let model = try ModelFitting().fit(blocks, prediction: "enjoyment", layout: layout).model
        var epoch = try #require(blocks[0].epochs.first)
        #expect(model.value(epoch) != nil)
        epoch.covariance = nil
        #expect(model.value(epoch) == nil)
        epoch.features = nil
        #expect(model.value(epoch) == nil)
    }

    @Test("a mixture's card is the same after export and import")
    func file() throws {
        let model = try fit(effect: 1.5, strength: 0.5).model
        #expect(model.scorer.members.count > 1)
        let data = try model.exported()
        #expect(try DecodingModel.imported(data, layout: model.layout) == model)
        // One whose covariances are of other channels than it names is damaged.
        var other = model
        other.layout.labels.append("TP10")
        #expect(model.isConsistent && !other.isConsistent)
    }
}
