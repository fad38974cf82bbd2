import Brain
import Decoding
import Foundation
import Kernels
import TestSupport
import Testing

@Suite struct ModelFittingTests {
    @Test("values are nearly as good as the ideal observer's, calibrated, and 0.5 at neutral", arguments: [1.5, 2.2])
    func simulated(effect: Double) throws {
        var (gaps, neutrals, eces, accepted) = ([Double](), [Double](), [Double](), 0)
        let participants = 12
        for seed in 0..<participants {
            var person = SimulatedParticipant(dimensions: 12, effect: effect, seed: UInt64(seed))
            person.blockSpread = 0.1
            let fitted = try ModelFitting().fit(
                person.calibration(blocks: 8, epochs: 28, neutral: 3), prediction: "cognitiveWorkload",
                layout: person.layout)
            if fitted.verdict == .accepted { accepted += 1 }
            func values(_ state: DecodedState) -> [Double] {
                (0..<40).flatMap { _ in person.block(state, epochs: 40).epochs.compactMap(fitted.model.value) }
            }
            let (low, high, neutral) = (values(.low), values(.high), values(.neutral))
            let scores = Scores(
                values: low + high, isHigh: low.map { _ in false } + high.map { _ in true })
            gaps.append(person.idealAUC - scores.auc)
            eces.append(scores.ece)
            neutrals.append(Statistics.mean(neutral))
        }
        #expect(accepted == participants)
        #expect(Statistics.mean(gaps) < 0.03, "AUC \(Statistics.mean(gaps)) below the ideal observer's")
        #expect(Statistics.mean(eces) < 0.05, "ECE \(Statistics.mean(eces))")
        #expect(abs(Statistics.mean(neutrals) - 0.5) < 0.03, "neutral at \(Statistics.mean(neutrals))")
    }

    @Test("neutral blocks as short as a task's put 0.5 where they lie, wherever that is between the states")
    func shortNeutralBlocks() throws {
        var neutrals: [Double] = []
        for seed in 0..<24 {
            var person = SimulatedParticipant(dimensions: 12, effect: 1.5, seed: UInt64(400 + seed))
            person.blockSpread = 0.1
            person.neutral = seed % 2 == 0 ? 0.25 : -0.25
            let fitted = try ModelFitting().fit(
                person.calibration(blocks: 6, epochs: 11, neutral: 4, neutralEpochs: 8),
                prediction: "visualAttention", layout: person.layout)
            #expect(fitted.report.used[.neutral]?.blocks == 4)
            let far = (0..<40).flatMap { _ in person.block(.neutral, epochs: 8).epochs.compactMap(fitted.model.value) }
            neutrals.append(Statistics.mean(far))
        }
        #expect(abs(Statistics.mean(neutrals) - 0.5) < 0.03, "neutral at \(Statistics.mean(neutrals))")
    }

    @Test("a discriminant on powers does not look at other features")
    func powersAlone() throws {
        var person = SimulatedParticipant(dimensions: 6, effect: 2.5, seed: 21)
        var layout = try person.layout
        layout.names = [
            "a.thetaPower", "a.thetaBeta", "a.alphaPower", "a.aperiodicOffset", "a.betaPower", "a.alphaAsymmetry",
        ]
        let fitted = try fitting([.powerDiscriminant]).fit(
            person.calibration(), prediction: "enjoyment", layout: layout)
        #expect(fitted.verdict == .accepted)
        var epoch = try #require(person.block(.high, epochs: 1).epochs.first)
        let value = fitted.model.value(epoch)
        for place in [1, 3, 5] { epoch.features?[place] += 10 }
        #expect(fitted.model.value(epoch) == value && value != nil)
        epoch.features?[0] += 1
        #expect(fitted.model.value(epoch) != value)
    }

    @Test("with no neutral blocks, or too few epochs in them, 0.5 is the middle between the states", arguments: [0, 1])
    func noNeutral(blocks: Int) throws {
        var person = SimulatedParticipant(dimensions: 6, effect: 2, seed: 12)
        let calibration = person.calibration(blocks: 8, epochs: 25, neutral: blocks, neutralEpochs: 5)
        let fitted = try fitting([.discriminant]).fit(calibration, prediction: "focus", layout: person.layout)
        #expect(fitted.model.neutralShift == 0 && fitted.report.used[.neutral] == nil)
        func mean(_ state: DecodedState) -> Double {
            let blocks = (0..<40).map { _ in person.block(state, epochs: 20) }
            return Statistics.mean(blocks.flatMap(\.epochs).compactMap(fitted.model.value))
        }
        #expect(abs((mean(.low) + mean(.high)) / 2 - 0.5) < 0.05)
    }

    @Test("without an effect at most 5 % of 200 participants get a model", arguments: [0.3])
    func noEffect(blockSpread: Double) throws {
        var accepted = 0
        for seed in 0..<200 {
            var person = SimulatedParticipant(dimensions: 8, effect: 0, seed: UInt64(1000 + seed))
            person.blockSpread = blockSpread
            let fitted = try ModelFitting().fit(
                person.calibration(epochs: 12, neutral: 0), prediction: "enjoyment", layout: person.layout)
            if fitted.verdict == .accepted { accepted += 1 }
        }
        #expect(accepted <= 10, "\(accepted) of 200")
    }

    @Test("a model comes with covariances, too, and tells states they alone differ in")
    func covariances() throws {
        var random = RandomSource(seed: 3, "covariances")
        var person = SimulatedParticipant(dimensions: 4, effect: 0, seed: 5)
        let blocks = try person.calibration(blocks: 6, epochs: 12, neutral: 1).map { block in
            var block = block
            for index in block.epochs.indices {
                let strength = block.state == .high ? 1.6 : block.state == .low ? 1 : 1.3
                let rows = (0..<60).map { _ in
                    let common = random.gaussian()
                    return [common * strength + random.gaussian(), common + random.gaussian(), random.gaussian()]
                }
                block.epochs[index].covariance = try ShrunkCovariance(Matrix(rows)).matrix
            }
            return block
        }
        let fitted = try ModelFitting().fit(blocks, prediction: "visualAttention", layout: person.layout)
        #expect(fitted.verdict == .accepted)
        #expect(fitted.report.nested.auc > 0.8)
        #expect(fitted.report.heldOut.auc > 0.7)
    }

    @Test("the report does not depend on the held-out blocks' epochs")
    func heldOutIsUntouched() throws {
        var person = SimulatedParticipant(dimensions: 6, effect: 1, seed: 8)
        var blocks = person.calibration(blocks: 6, epochs: 15, neutral: 0)
        let before = try fitting([.discriminant]).fit(blocks, prediction: "enjoyment", layout: person.layout)
        for index in blocks.indices.suffix(2) {
            for epoch in blocks[index].epochs.indices {
                blocks[index].epochs[epoch].features = Array(repeating: 99, count: 6)
            }
        }
        let after = try fitting([.discriminant]).fit(blocks, prediction: "enjoyment", layout: person.layout)
        #expect(before.report.nested == after.report.nested)
        #expect(before.report.permutationP == after.report.permutationP)
        #expect(before.model.scorer == after.model.scorer)
        #expect(before.report.heldOut != after.report.heldOut)
    }

    @Test("too few blocks or epochs are refused, saying so")
    func tooLittle() throws {
        var person = SimulatedParticipant(dimensions: 6, effect: 1, seed: 8)
        let few = person.calibration(blocks: 4)
        #expect(throws: ModelError.tooFewBlocks(.low, found: 4, needed: 5)) {
            _ = try ModelFitting().fit(few, prediction: "enjoyment", layout: person.layout)
        }
        let short = person.calibration(blocks: 5, epochs: 3)
        #expect(throws: ModelError.tooFewEpochs(.low, found: 15, needed: 40)) {
            _ = try ModelFitting().fit(short, prediction: "enjoyment", layout: person.layout)
        }
        let layout = try FeatureLayout(labels: ["Cz"], sampleRate: 256)
        #expect(throws: ModelError.self) {
            _ = try ModelFitting().fit(person.calibration(), prediction: "enjoyment", layout: layout)
        }
    }

    @Test("a model is the same after export and import, and refused for other data")
    func files() throws {
        var person = SimulatedParticipant(dimensions: 6, effect: 2, seed: 9)
        let layout = try person.layout
        let fitted = try fitting([.logistic(penalty: 1)]).fit(
            person.calibration(), prediction: "enjoyment", layout: layout)
        let data = try fitted.model.exported()
        let read = try DecodingModel.imported(data, layout: layout)
        #expect(read == fitted.model)
        #expect(try read.exported() == data)
        var other = layout
        other.labels = ["AF8", "AF7"]
        #expect(throws: ModelError.mismatch("the channels", found: "AF8, AF7", expected: "AF7, AF8")) {
            _ = try DecodingModel.imported(data, layout: other)
        }
        other = layout
        other.sampleRate = 500
        #expect(throws: ModelError.self) { _ = try DecodingModel.imported(data, layout: other) }
        other = layout
        other.cleaning.lowest = 0.5
        #expect(throws: ModelError.self) { _ = try DecodingModel.imported(data, layout: other) }
        other = layout
        other.epochs.length = 4
        #expect(throws: ModelError.self) { _ = try DecodingModel.imported(data, layout: other) }
        #expect(throws: ModelError.self) { _ = try DecodingModel.imported(Data("{}".utf8), layout: layout) }
        let format = DecodingModel.currentFormat
        let newer = Data(
            String(decoding: data, as: UTF8.self)
                .replacing("\"format\" : \(format)", with: "\"format\" : \(format + 1)").utf8)
        #expect(throws: ModelError.mismatch("its format", found: "\(format + 1)", expected: "\(format)")) {
            _ = try DecodingModel.imported(newer, layout: layout)
        }
    }
}
