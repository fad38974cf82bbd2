import Brain
import Formats
import Foundation
import Pipeline
import Quality
import Signals
import Simulation
import TestSupport
import Testing

@Test("EEG gives epochs, blinks and quality; motion and gaps are told and not spanned")
func headbandIsAnalyzed() throws {
    let result = try brainResult(headband(), blocks: 1)
    #expect(result.doubt == nil && result.labels == headbandLabels)
    let reasons = Dictionary(uniqueKeysWithValues: result.epochs.map { ($0.onset, $0.channels[0].reasons) })
    #expect(reasons[10] == [] && reasons[35] == [])
    #expect(reasons[21] == [.motion] && reasons[29] == [.gap] && reasons[31] == nil)
    #expect(result.epochs.allSatisfy { epoch in epoch.values[0, 0].isFinite == epoch.channels[0].isUsable })
    #expect(!result.eyes.isEmpty && !result.quality.isEmpty)
    #expect(result.runs == [0..<30, 33..<40])
    let blinks = BrainTables.blinks(result)
    #expect(blinks.rows.count == 40 && blinks.rows[31][1] == .missing)
}

@Test(
    "Where no electrode is of use it is not known whether the eyes blinked",
    arguments: [(Float(0), 30..<60, 35..<60, 0..<25), (.nan, 20..<30, 20..<30, 0..<15)])
func blinksAreMissingWithoutSignal(value: Float, bad: Range<Int>, missing: Range<Int>, known: Range<Int>) throws {
    let recording = headband(showing: value, in: bad)
    let tables = try [BrainTrack.Outputs.all, .eyes].flatMap { outputs in
        try [0.3, 60].map { BrainTables.blinks(try brainResult(recording, blocks: $0, computing: outputs)) }
    }
    let rows = tables[0].rows
    #expect(rows.count == 60 && tables.allSatisfy { $0 == tables[0] })
    #expect(missing.allSatisfy { rows[$0][1] == .missing }, "\(rows)")
    #expect(known.allSatisfy { rows[$0][1] != .missing }, "\(rows)")
    #expect(known.contains { rows[$0][1] == .integer(1) })
}

@Test("Features and connectivity are computed each for itself, and are the same together")
func featuresAndConnectivityAlone() throws {
    let all = try brainResult(headband(), blocks: 1)
    let features = try brainResult(headband(), blocks: 1, computing: [.features, .overview])
    let pairs = try brainResult(headband(), blocks: 1, computing: .connectivity)
    #expect(features.pairs.isEmpty && pairs.epochs.isEmpty && !all.pairs.isEmpty && !all.epochs.isEmpty)
    let parameters = BrainParameters()
    let tables = try [features, all].map { Table(try BrainTables.epochs($0, parameters: parameters)) }
    #expect(tables[0] == tables[1] && features.overview?.frequencies == all.overview?.frequencies)
    #expect(try brainResult(headband(), blocks: 1, computing: .features).overview == nil && features.overview != nil)
    #expect(
        Table(try BrainTables.pairs(pairs, parameters: parameters))
            == Table(try BrainTables.pairs(all, parameters: parameters)))
}

@Test("A connectivity window without meaning is refused even where no connectivity is computed")
func windowsWithoutMeaningAreRefused() throws {
    var parameters = Parameters()
    parameters.eeg.features.connectivityWindow = -1
    for outputs in [BrainTrack.Outputs.features, .connectivity, .eyes, .quality, .sleep] {
        #expect(throws: BrainError.self) {
            try brainResult(headband(), blocks: 1, parameters: parameters, computing: outputs)
        }
    }
}

@Test("EEG that does not suit the parameters is told of among the remarks of an analysis")
func unsuitedEEGIsTold() throws {
    var parameters = Parameters()
    (parameters.eeg.cleaning.lowest, parameters.eeg.cleaning.highest) = (200, 300)
    let analysis = try RecordingAnalysis(RecordedEvents(headband()), parameters: parameters, file: "test")
    #expect(analysis.brains.isEmpty && analysis.refused.count == 1)
    #expect(analysis.remarks.contains { $0.hasPrefix("EEG of muse-eeg was not computed: ") }, "\(analysis.remarks)")
}

@Test("a band that half the sample rate does not hold is told of among the remarks of an analysis")
func bandsBeyondAreTold() throws {
    var parameters = Parameters()
    parameters.eeg.cleaning.highest = 200
    parameters.eeg.features.bands.gamma = EEGBand(30, 180)
    let analysis = try RecordingAnalysis(RecordedEvents(headband()), parameters: parameters, file: "test")
    let told = "EEG of muse-eeg: no power in gamma (30 to below 180 Hz), which half of its 256.0 Hz does not hold"
    #expect(analysis.remarks.contains(told), "\(analysis.remarks)")
}

/// The headband's EEG with other channels, all of which rise, among its own.
private func headband(beside others: [Channel]) -> Recording {
    var streams = headband().streams
    streams[0].header.channels.insert(contentsOf: others, at: 2)
    for index in streams[0].segments.indices {
        let block = streams[0].segments[index].block
        let own = (0..<4).map(block.channel)
        let rising = (0..<block.frameCount).map { Float($0) }
        let rows = Array(own[..<2]) + others.map { _ in rising } + Array(own[2...])
        streams[0].segments[index].block = SampleBlock(channelCount: rows.count, samples: rows.flatMap { $0 })
    }
    return Recording(header: RecordingHeader(duration: 40, format: "test"), streams: streams)
}

@Test("Channels of an EEG's stream that are no EEG are neither in its reference nor in its features, and are named")
func otherChannelsAreLeftOut() throws {
    let others = [
        Channel(label: "X", unit: .g), Channel(label: "Level", unit: .percent),
        Channel(label: "Battery", unit: .microvolts), Channel(label: "Counter", unit: .unknown),
        Channel(label: "TRIG", unit: .microvolts), Channel(label: "sync", unit: .microvolts, kind: .marker),
        Channel(label: "HEOG", unit: .microvolts),
    ]
    var parameters = Parameters()
    parameters.eeg.cleaning.reference = .average
    let expected = try brainResult(headband(), blocks: 1, parameters: parameters)
    let found = try brainResult(headband(beside: others), blocks: 1, parameters: parameters)
    #expect(found.labels == headbandLabels && found.source.others == others.map(\.label))
    #expect(others.allSatisfy { found.source.remark?.contains($0.label) ?? false })
    let tables = try [found, expected].map { Table(try BrainTables.epochs($0, parameters: parameters.eeg)) }
    #expect(tables[0] == tables[1])
    #expect(found.quality == expected.quality && found.eyes == expected.eyes)
}

@Test("An EEG whose channels are all in a unit of their own is not lost")
func countsAreStillEEG() throws {
    let source = try BrainSource.meant(by: nil, in: headband(unit: Signals.Unit("counts")).header, file: "test")
    #expect(source.channels.map(\.label) == headbandLabels && source.others.isEmpty && source.remark == nil)
}

@Test("A channel that an XDF file declares to be of another type is none of the EEG")
func declaredTypesAreHeard() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("marey-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("a.xdf")
    try XDFWriter.write(RecordedEvents(headband()), to: url, software: "test")
    var file = try Data(contentsOf: url)
    // The stream's own type comes first, then those of its channels.
    let type = try #require(file.range(of: Data("<label>AF8</label><unit>microvolts</unit><type>EEG".utf8)))
    file.replaceSubrange(type.upperBound - 3..<type.upperBound, with: Data("ACC".utf8))
    try file.write(to: url)
    let source = try BrainSource.meant(by: nil, in: RecordingFile.open(url).header, file: "a.xdf")
    #expect(source.places == [0, 1, 3] && source.others == ["AF8"])
}

@Test("The results do not depend on how the recording came", arguments: [0.1, 7.3])
func brainResultsDoNotDependOnCuts(blocks: Double) throws {
    let (a, b) = (try brainResult(headband(), blocks: 1), try brainResult(headband(), blocks: blocks))
    let parameters = BrainParameters()
    // Missing values compare equal as cells.
    let (first, second) = (
        try BrainTables.epochs(a, parameters: parameters), try BrainTables.epochs(b, parameters: parameters)
    )
    #expect(Table(first) == Table(second))
    let tables = try [a, b].map { Table(try BrainTables.pairs($0, parameters: parameters)) }
    #expect(tables[0] == tables[1])
    #expect(a.eyes == b.eyes && a.quality == b.quality && a.runs == b.runs)
}

/// Gives a recording's streams one after the other, each for `block` seconds at a time, the last stream first.
private final class StreamByStream: RecordingReader {
    let header: RecordingHeader
    private var rest: ArraySlice<RecordingEvent> = []

    init(_ recording: Recording, block: Seconds) {
        header = recording.header
        let pieces = RecordedEvents(recording, blockDuration: 0.5)
        var slots: [Int: [RecordingEvent]] = [:]
        var now = recording.streams.map { _ in 0.0 }
        let rates = recording.streams.map(\.header.sampleRate)
        while let event = pieces.next() {
            guard let stream = Self.stream(event) else { continue }
            if case .segment(_, let start) = event { now[stream] = start.onset }
            slots[Int(now[stream] / block) * 10 + stream, default: []].append(event)
            if case .samples(_, let block) = event { now[stream] += Double(block.frameCount) / rates[stream] }
        }
        rest = slots.sorted { $0.key < $1.key }.flatMap(\.value)[...]
    }

    private static func stream(_ event: RecordingEvent) -> Int? {
        switch event {
        case .segment(let stream, _), .samples(let stream, _): stream
        default: nil
        }
    }

    func next() -> RecordingEvent? { rest.popFirst() }
}

@Test("Motion is told wherever the accelerometer stands in the file", arguments: [5.0, 100])
func motionDoesNotDependOnTheOrderOfBytes(block: Seconds) throws {
    // Four minutes, longer than anything waits for acceleration.
    let recording = long(headband(), times: 6)
    let file = URL(fileURLWithPath: "/dev/null")
    let expected = try BrainReading.result(of: file, opening: { _ in RecordedEvents(recording) })
    let found = try BrainReading.result(of: file, opening: { _ in StreamByStream(recording, block: block * 10) })
    #expect(found.quality == expected.quality && found.quality.contains { $0.reasons.contains(.motion) })
    #expect(found.epochs.map { $0.channels.map(\.reasons) } == expected.epochs.map { $0.channels.map(\.reasons) })
    let analysis = try RecordingAnalysis(
        StreamByStream(recording, block: block * 10), parameters: Parameters(), file: "test")
    #expect(analysis.brains[0].quality == expected.quality)
}

/// A recording played several times over, in one run.
private func long(_ recording: Recording, times: Int) -> Recording {
    var result = recording
    for index in result.streams.indices {
        let stream = recording.streams[index]
        guard let first = stream.segments.first else { continue }
        let channels = first.block.channelCount
        let samples = (0..<channels).flatMap { channel -> [Float] in
            (0..<times).flatMap { _ in first.block.channel(channel) }
        }
        result.streams[index].segments = [
            Segment(start: first.start, block: SampleBlock(channelCount: channels, samples: samples))
        ]
    }
    result.header.duration = 30 * Double(times)
    return result
}

@Test("A headband that says it is off the head is believed", arguments: [0.3, 9])
func contactIsHeard(blocks: Double) throws {
    var recording = headband()
    let header = StreamHeader(
        name: "contact", kind: .other,
        channels: [
            Channel(label: "HSI_TP9", unit: .dimensionless), Channel(label: "HeadBandOn", unit: .dimensionless),
        ],
        sampleRate: 256)
    let on = (0..<30 * 256).map { (256 * 8..<256 * 16).contains($0) ? Float(0) : 1 }
    let block = SampleBlock(channelCount: 2, samples: Array(repeating: 1, count: on.count) + on)
    let start = SegmentStart(onset: 0, sample: 0, sampleRate: 256)
    recording.header.streams.append(header)
    recording.streams.append(Signals.Stream(header: header, segments: [Segment(start: start, block: block)]))
    let windows = try brainResult(recording, blocks: blocks).quality
    let off = windows.filter { $0.reasons.contains(.headbandOffHead) }
    #expect(off.contains { $0.onset <= 8 && $0.onset + $0.duration >= 16 })
    #expect(off.allSatisfy { !$0.isGood && $0.onset < 16 && $0.onset + $0.duration > 8 })
    #expect(try brainResult(headband(), blocks: blocks).quality.allSatisfy { !$0.reasons.contains(.headbandOffHead) })
}

@Test(
    "Electrodes that the headband says have no contact make a bad EEG where they are most of them", arguments: [0.3, 9])
func electrodesAreHeard(blocks: Double) throws {
    func windows(codes: [String: Float]) throws -> [QualityWindow] {
        var recording = headband()
        let header = StreamHeader(
            name: "contact", kind: .other,
            channels: codes.keys.sorted().map { Channel(label: "HSI_\($0)", unit: .dimensionless) },
            sampleRate: 256)
        let samples = codes.keys.sorted().flatMap { label -> [Float] in
            var told = [Float](repeating: 1, count: 30 * 256)
            for frame in 8 * 256..<18 * 256 { told[frame] = codes[label, default: 1] }
            return told
        }
        let block = SampleBlock(channelCount: codes.count, samples: samples)
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: 256)
        recording.header.streams.append(header)
        recording.streams.append(Signals.Stream(header: header, segments: [Segment(start: start, block: block)]))
        return try brainResult(recording, blocks: blocks).quality
    }
    let labels = headband().header.streams.first { $0.kind == .eeg }?.channels.map(\.label) ?? []
    let bad = try windows(codes: Dictionary(uniqueKeysWithValues: labels.map { ($0, 4) }))
    #expect(bad.contains { $0.onset == 8 && !$0.isGood && $0.reasons.contains(.offBody) })
    #expect(bad.filter { $0.reasons.contains(.offBody) }.allSatisfy { $0.onset < 18 && $0.onset + $0.duration > 8 })
    let medium = try windows(codes: Dictionary(uniqueKeysWithValues: labels.map { ($0, 2) }))
    #expect(medium.allSatisfy { !$0.reasons.contains(.offBody) })
    let one = try windows(codes: labels.first.map { [$0: 4] } ?? [:])
    #expect(one.allSatisfy { !$0.reasons.contains(.offBody) })
}

@Test("Volts called microvolts give no numbers but a doubt")
func wrongUnitGivesNothing() throws {
    let wrong = try brainResult(headband(scale: 1e-6), blocks: 1)
    #expect(wrong.doubt?.contains("V") == true && wrong.epochs.isEmpty && wrong.quality.isEmpty)
    let right = try brainResult(headband(scale: 1e-6, unit: .volts), blocks: 1)
    #expect(right.doubt == nil && !right.epochs.isEmpty)
}

@Test("What holds no EEG is refused with what there is")
func noEEGIsRefused() {
    let header = RecordingHeader(
        streams: [
            StreamHeader(
                name: "ecg", kind: .ecg, channels: [Channel(label: "II", unit: .millivolts)], sampleRate: 250)
        ], format: "test")
    #expect(throws: PipelineError.self) { try BrainSource.meant(by: nil, in: header, file: "a.edf") }
}

@Test("Covariances are those of the epochs, none where a channel is not usable, however the samples come")
func covariancesOfEpochs() throws {
    let recording = headband()
    let found = try brainResult(recording, blocks: 1, computing: [.features, .covariances])
    #expect(found.covariances.map(\.onset) == found.epochs.map(\.onset))
    for (covariance, epoch) in zip(found.covariances, found.epochs) {
        #expect((covariance.elements != nil) == epoch.channels.allSatisfy(\.isUsable), "\(epoch.onset)")
    }
    let known = found.covariances.compactMap(\.elements)
    #expect(known.count > 20 && known.count < found.covariances.count)
    // Of the cleaned signal: tens of microvolts at most.
    #expect(known.allSatisfy { $0.count == 16 && $0.allSatisfy { abs($0) < 10_000 } && $0[0] > 1 })
    #expect(try brainResult(recording, blocks: 0.37, computing: .covariances).covariances == found.covariances)
    #expect(try brainResult(recording, blocks: 1).covariances.isEmpty)
}
