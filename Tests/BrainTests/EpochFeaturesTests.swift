import Brain
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct EpochFeaturesTests {
    private let labels = ["TP9", "AF7", "AF8", "TP10"]

    private func epochs(_ count: Int, rate: Double = 256, seed: UInt64 = 1) -> [Epoch] {
        var generator = SplitMix64(seed: seed)
        return (0..<count).map { index in
            let frames = Int(2 * rate)
            let samples = labels.indices.flatMap { channel in
                (0..<frames).map { frame in
                    let alpha =
                        Double(4 + 4 * channel) * sin(2 * Double.pi * 10 * (Double(frame) / rate + Double(index)))
                    return Float(alpha + Double.random(in: -9...9, using: &generator))
                }
            }
            return Epoch(
                onset: Double(index), duration: 2, sampleRate: rate, samples: samples,
                channels: labels.map { _ in Epoch.ChannelState() })
        }
    }

    private func isIdentical(_ a: EEGValues, _ b: EEGValues) -> Bool {
        func bits(_ values: [Double]) -> [UInt64] { values.map(\.bitPattern) }
        switch (a, b) {
        case (.channels(let a), .channels(let b)):
            return a.onset == b.onset && bits(a.values.numbers) == bits(b.values.numbers)
        case (.pairs(let a), .pairs(let b)):
            return a.onset == b.onset && a.duration == b.duration && a.epochs == b.epochs
                && a.values.map(bits) == b.values.map(bits)
        default: return false
        }
    }

    @Test("features do not depend on how epochs come")
    func chunks() throws {
        var parameters = EEGFeatureParameters()
        parameters.connectivityWindow = 12
        let stage = try EpochFeatures(labels: labels, parameters: parameters)
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: 256)
        let outputs = assertChunkInvariant(
            stage, [(start, epochs(30)), (start, epochs(17, rate: 250, seed: 2))], cuts: 4, identical: isIdentical)
        let windows = outputs.compactMap { if case .pairs(let values) = $0 { values } else { nil } }
        #expect(outputs.count - windows.count == 47)
        // 12 s hold 11 epochs of 2 s that begin every second; the last of a run is what is left.
        #expect(windows.map { $0.epochs[0] } == [11, 11, 8, 11, 6])
        #expect(windows[4].values.allSatisfy { $0.allSatisfy { $0.isNaN } })
        #expect(windows[0].values.allSatisfy { $0.allSatisfy { $0.isFinite && abs($0) <= 1 } })
    }

    @Test("the features that are named are what they are among all, and no others are there")
    func named() throws {
        var parameters = EEGFeatureParameters()
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: 256)
        var whole = try EpochFeatures(labels: labels, parameters: parameters, computing: .channels)
        // The order is that of the columns; one of the families is not needed.
        parameters.indexes = ["higuchiDimension", "alphaAsymmetry", "alphaPower"]
        var stage = try EpochFeatures(labels: labels, parameters: parameters, computing: .channels)
        let names = ["alphaPower", "alphaAsymmetry", "higuchiDimension"]
        #expect(stage.features.map(\.name) == names && stage.channelColumns.suffix(3).map(\.name) == names)
        let places = try names.map { name in try #require(whole.features.firstIndex { $0.name == name }) }
        let all = whole.run(epochs(5), from: start)
        let some = stage.run(epochs(5), from: start)
        #expect(all.count == 5 && some.count == 5)
        for (all, some) in zip(all, some) {
            guard case .channels(let all) = all, case .channels(let some) = some else {
                Issue.record("no values of channels")
                continue
            }
            let expected = labels.indices.flatMap { row in places.map { all.values[row, $0].bitPattern } }
            #expect(some.values.numbers.map(\.bitPattern) == expected)
        }
    }

    @Test("parameters that were written before features could be named name none")
    func earlierParameters() throws {
        var parameters = EEGFeatureParameters()
        (parameters.families, parameters.connectivityWindow) = ([.power, .aperiodic], nil)
        let written = try JSONEncoder().encode(parameters)
        var tree = try #require(try JSONSerialization.jsonObject(with: written) as? [String: Any])
        #expect(tree.removeValue(forKey: "indexes") != nil)
        func read(_ tree: [String: Any]) throws -> EEGFeatureParameters {
            try JSONDecoder().decode(EEGFeatureParameters.self, from: JSONSerialization.data(withJSONObject: tree))
        }
        let earlier = try read(tree)
        #expect(earlier == parameters)
        // All else is read, and asked for.
        for key in tree.keys {
            let others = tree.filter { $0.key != key }
            #expect(throws: DecodingError.self, "\(key)") { try read(others) }
        }
    }

    @Test("rows have a cell per declared column, and names are unique")
    func columns() throws {
        var stage = try EpochFeatures(labels: labels)
        let outputs = stage.run(epochs(40), from: SegmentStart(onset: 0, sample: 0, sampleRate: 256))
        #expect(Set(stage.channelColumns.map(\.name)).count == stage.channelColumns.count)
        #expect(Set(stage.pairColumns.map(\.name)).count == stage.pairColumns.count)
        for column in stage.channelColumns + stage.pairColumns {
            #expect(!column.definition.contains("{") && column.definition.hasSuffix("."), "\(column.name)")
        }
        for output in outputs {
            switch output {
            case .channels(let values):
                let rows = Table(OneEpoch(stage: stage, values: values)).rows
                #expect(rows.count == 4)
                #expect(rows.allSatisfy { $0.count == stage.channelColumns.count })
            case .pairs(let values):
                let rows = Table(OneWindow(stage: stage, values: values)).rows
                #expect(rows.count == 6)
                #expect(rows.allSatisfy { $0.count == stage.pairColumns.count })
            }
        }
    }

    @Test("asymmetry is ln right less ln left, on the right frontal electrode alone")
    func asymmetry() throws {
        var stage = try EpochFeatures(labels: labels)
        let alpha = try #require(stage.features.firstIndex { $0.name == "alphaPower" })
        let asymmetry = try #require(stage.features.firstIndex { $0.name == "alphaAsymmetry" })
        let outputs = stage.run(epochs(1), from: SegmentStart(onset: 0, sample: 0, sampleRate: 256))
        guard case .channels(let values) = outputs[0] else {
            Issue.record("another output")
            return
        }
        let expected = log(values.values[2, alpha]) - log(values.values[1, alpha])
        #expect(abs(values.values[2, asymmetry] - expected) < 1e-12)
        #expect([0, 1, 3].allSatisfy { values.values[$0, asymmetry].isNaN })
    }

    @Test("a channel that is not usable has no values, and its neighbours' do not change")
    func unusable() throws {
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: 256)
        var epoch = epochs(1)[0]
        var stage = try EpochFeatures(labels: labels)
        guard case .channels(let whole) = stage.run([epoch], from: start)[0] else {
            Issue.record("another output")
            return
        }
        epoch.channels[1] = Epoch.ChannelState(coverage: 0.9, reasons: [.missing])
        for frame in 0..<20 { epoch.samples[512 + frame] = .nan }
        guard case .channels(let part) = stage.run([epoch], from: start)[0] else {
            Issue.record("another output")
            return
        }
        #expect(stage.features.indices.allSatisfy { part.values[1, $0].isNaN })
        let features = stage.features.indices.filter { stage.features[$0].name != "alphaAsymmetry" }
        for channel in [0, 2, 3] {
            for feature in features {
                #expect(part.values[channel, feature].bitPattern == whole.values[channel, feature].bitPattern)
            }
        }
        #expect(Table(OneEpoch(stage: stage, values: part)).rows[1][4] == .text("missing"))
    }

    @Test("flat and empty epochs give no plausible number", arguments: [0, 4, 512])
    func degenerate(frames: Int) throws {
        var stage = try EpochFeatures(labels: labels)
        let epoch = Epoch(
            onset: 0, duration: 2, sampleRate: 256, samples: Array(repeating: 3, count: 4 * frames),
            channels: labels.map { _ in Epoch.ChannelState() })
        let outputs = stage.run([epoch], from: SegmentStart(onset: 0, sample: 0, sampleRate: 256))
        guard case .channels(let values) = outputs[0] else {
            Issue.record("another output")
            return
        }
        for (place, feature) in stage.features.enumerated() where !values.values[0, place].isNaN {
            let value = values.values[0, place]
            #expect(
                value == 0 && (feature.name.hasSuffix("Power") || feature.name == "hjorthActivity"), "\(feature.name)")
        }
    }

    @Test("parameters outside their range are refused by name")
    func parameters() {
        var parameters = EEGFeatureParameters()
        parameters.bands.alpha = EEGBand(13, 8)
        #expect(throws: BrainError.self) { _ = try EpochFeatures(labels: labels, parameters: parameters) }
        parameters = EEGFeatureParameters()
        parameters.permutationOrder = 9
        #expect(throws: BrainError.parameter("permutationOrder", found: "9", expected: "2 to 7")) {
            _ = try EpochFeatures(labels: labels, parameters: parameters)
        }
    }
}

/// The table of one epoch.
private struct OneEpoch: TableContent {
    let stage: EpochFeatures
    let values: ChannelValues
    var columns: [Column] { stage.channelColumns }
    var rowCount: Int { values.channels.count }
    func write<Sink: TableSink>(_ rows: Range<Int>, to sink: inout Sink) {
        stage.write(values, channels: rows, to: &sink)
    }
}

private struct OneWindow: TableContent {
    let stage: EpochFeatures
    let values: PairValues
    var columns: [Column] { stage.pairColumns }
    var rowCount: Int { values.pairs.count }
    func write<Sink: TableSink>(_ rows: Range<Int>, to sink: inout Sink) {
        for row in values.rows { stage.write(row, to: &sink) }
    }
}

@Test("Ranges that do not pass the filter are refused where they were asked for, and without number where not")
func featuresKeepWithinThePassBand() throws {
    var parameters = EEGFeatureParameters()
    #expect(try parameters.within(1...45) == parameters)
    let used = try parameters.within(1...30)
    #expect(used.bands.total == EEGBand(1, 30) && used.aperiodic.range == EEGBand(2, 30))
    #expect(used.bands.gamma == parameters.bands.gamma)
    parameters.bands.gamma = EEGBand(60, 80)
    #expect(throws: BrainError.self) { try parameters.within(1...45) }
    #expect(try parameters.within(1...90).bands.gamma == EEGBand(60, 80))
    parameters = EEGFeatureParameters()
    parameters.aperiodic.range = EEGBand(2, 50)
    #expect(throws: BrainError.self) { try parameters.within(1...45) }

    let frequencies = (0..<129).map { Double($0) / 2 }
    let density = [Double](repeating: 1, count: 129)
    let powers = BandIntegration(EEGBands(), frequencies: frequencies, reach: 5...35).powers(density.span)
    #expect(powers.delta.isNaN && powers.theta.isNaN && powers.gamma.isNaN && powers.total.isNaN)
    #expect(powers.alpha == 5 && powers.beta == 17)
}
