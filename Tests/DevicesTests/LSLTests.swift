import Devices
import Foundation
import Signals
import TestSupport
import Testing

/// The library, when there is one; says why not, once per call.
private let library: LSLLibrary? = {
    do throws(LinkError) {
        return try LSLLibrary()
    } catch {
        print("skipped: \(error)")
        return nil
    }
}()

@Suite struct LSLMessageTests {
    private static let messages: [LSLMessage] = [
        .info(
            LSLStreamInfo(
                name: "a", type: "EEG", channels: [Channel(label: "TP9", unit: .microvolts)], sampleRate: 256,
                sourceID: "x", host: "h")), .correction(-0.25), .chunk(stamps: [1, 2], values: [1, 2, 3, 4]),
        .rivals([
            LSLStreamInfo(
                name: "a", type: "EEG", channels: [Channel(label: "1", unit: .unknown)], sampleRate: 250, host: "g")
        ]), .chunk(stamps: [], values: []), .text(["tag", "ü"], stamp: 3.5),
        .integers(stamps: [1, 2], values: [.max, -1, 1 << 53 + 1, 0]),
    ]

    @Test(arguments: messages)
    func whatIsEncodedDecodesToTheSame(message: LSLMessage) throws {
        #expect(try LSLMessage(message.bytes) == message)
    }

    @Test func mutatedMessagesNeitherCrashNorGrow() {
        var generator = SplitMix64(seed: 3)
        for round in 0..<mutants(10_000) {
            let message = Self.messages[round % Self.messages.count]
            let said = events(
                LSLConversation(), [Self.messages[0].bytes, mutated(message.bytes, using: &generator)])
            #expect(said.count < 10)
        }
    }

    @Test func stampsAreCorrectedAndLossesCounted() {
        let info = LSLStreamInfo(
            name: "eeg", type: "EEG", channels: [Channel(label: "A", unit: .microvolts)], sampleRate: 100)
        func chunk(_ frames: Range<Int>) -> [UInt8] {
            LSLMessage.chunk(stamps: frames.map { Double($0) / 100 }, values: frames.map { Double($0) }).bytes
        }
        let said = events(
            LSLConversation(),
            [LSLMessage.info(info).bytes, LSLMessage.correction(50).bytes, chunk(0..<100), chunk(300..<310)],
            at: [50, 50, 51, 53.1])
        #expect(said.streams.first?.clock == .host && said.streams.first?.header.kind == .eeg)
        let samples = said.samples("eeg")
        #expect(samples.map(\.index) == [0, 300] && samples.map(\.deviceTime) == [50, 53])
    }

    @Test func aSenderThatComesBackOtherwiseIsAnotherStream() {
        func info(_ labels: [String], _ sampleRate: Double) -> [UInt8] {
            LSLMessage.info(
                LSLStreamInfo(
                    name: "amp", type: "EEG", channels: labels.map { Channel(label: $0, unit: .microvolts) },
                    sampleRate: sampleRate)
            ).bytes
        }
        func chunk(_ stamps: [Double], width: Int) -> [UInt8] {
            LSLMessage.chunk(stamps: stamps, values: Array(repeating: 1, count: stamps.count * width)).bytes
        }
        let said = events(
            LSLConversation(),
            [
                info(["A"], 100), chunk([1, 1.01], width: 1), info(["A"], 100), chunk([2, 2.01], width: 1),
                info(["A", "B"], 250), chunk([3, 3.004, 3.008], width: 2),
            ], at: [0, 1.1, 1.9, 2.1, 2.9, 3.1])
        #expect(said.streams.map(\.header.sampleRate) == [100, 250])
        #expect(said.streams.map(\.header.channels.count) == [1, 2])
        #expect(said.samples("amp").map(\.block.frameCount) == [2, 2, 3])
        #expect(said.samples("amp").last?.index == 0)
    }

    private func logs(_ messages: [LSLMessage]) -> [String] {
        events(LSLConversation(), messages.map(\.bytes)).compactMap {
            if case .log(let text) = $0 { text } else { nil }
        }
    }

    @Test func anotherSenderOfTheSameNameIsTold() {
        func info(_ source: String) -> LSLMessage {
            .info(
                LSLStreamInfo(
                    name: "amp", type: "EEG", channels: [Channel(label: "A", unit: .microvolts)], sampleRate: 100,
                    sourceID: source))
        }
        #expect(logs([info("t1"), info("t1")]).isEmpty)
        let told = logs([info("t1"), info("t2")])
        #expect(told.count == 1 && told[0].contains("source t2 in place of t1"))
    }

    @Test func whichOfSeveralStreamsIsRecordedIsTold() {
        func info(_ source: String, _ host: String) -> LSLStreamInfo {
            LSLStreamInfo(
                name: "amp", type: "EEG", channels: [Channel(label: "A", unit: .microvolts)], sampleRate: 100,
                sourceID: source, host: host)
        }
        #expect(logs([.info(info("t1", "one")), .rivals([])]).isEmpty)
        let told = logs([.info(info("t1", "one")), .rivals([info("t2", "two")])])
        #expect(told.count == 1 && told[0].contains("source t1 on one is recorded, not t2 on two"))
    }

    @Test(arguments: [1.8e9, -7e4])
    func stampsOfAnotherClockAreToldOnce(stamp: Double) {
        let info = LSLStreamInfo(
            name: "amp", type: "EEG", channels: [Channel(label: "A", unit: .microvolts)], sampleRate: 0)
        let chunk = LSLMessage.chunk(stamps: [stamp], values: [1])
        let told = logs([.info(info), chunk, chunk])
        #expect(told.count == 1 && told[0].contains("lsl_local_clock"))
        #expect(logs([.info(info), .correction(-stamp), chunk]).isEmpty)
    }

    @Test(
        "whatever a stream is called, what is listed finds it and no other",
        arguments: [
            "EEG: left, right", "Bob's EEG", "Größe 1", "a=b@c", "say \"hi\"", "Bob's \"EEG\"", "type:EEG", "name:x",
            "lsl@x",
            "name:", "a:b:c",
        ])
    func namesAreReadAsTheyAreWritten(name: String) {
        let stream = LSLStreamInfo(
            name: name, type: "EEG", channels: [Channel(label: "A", unit: .microvolts)], sampleRate: 250)
        let place = LSLPlace(stream, among: [stream])
        #expect(LSLPlace(place.text) == place && place.property == "name" && place.value == name)
        var twin = stream
        (twin.uid, twin.sourceID) = ("u2", "id'2")
        var first = stream
        (first.uid, first.sourceID) = ("u1", "id'1")
        #expect(LSLPlace(first, among: [first, twin]).text == "source_id:id'1")
        twin.sourceID = first.sourceID
        #expect(LSLPlace(first, among: [first, twin]).text == "uid:u1")
    }

    @Test func withoutTheLibraryThatIsSaid() {
        #expect {
            _ = try LSLLibrary(environment: ["MAREY_LIBLSL": "/nowhere/liblsl.so"])
        } throws: { error in
            "\(error)".contains("pip install pylsl") && "\(error)".contains("/nowhere/liblsl.so")
        }
    }
}

@Suite(.enabled(if: library != nil), .serialized, .timeLimit(.minutes(1))) struct LSLTests {
    private func info(_ name: String, text: Bool = false) -> LSLStreamInfo {
        LSLStreamInfo(
            name: name, type: text ? "Markers" : "ECG",
            channels: text
                ? [Channel(label: "marker", unit: .unknown)]
                : [Channel(label: "I", unit: .millivolts), Channel(label: "II", unit: .millivolts)],
            sampleRate: text ? 0 : 250, isText: text, sourceID: "marey-\(name)")
    }

    @Test func samplesPassFromOutletToInlet() async throws {
        let library = try #require(library)
        let name = "marey test \(getpid())"
        let outlet = try LSLOutlet(library, info(name))
        let start = library.now
        let feeder = Task {
            _ = await outlet.waitForConsumers(within: 20)
            for block in 0..<10 {
                let frames = (0..<50).map { Float(block * 50 + $0) }
                let stamps = (0..<50).map { start + Double(block * 50 + $0) / 250 }
                outlet.push(SampleBlock(channelCount: 2, samples: frames + frames.map { -$0 }), stamps: stamps)
            }
        }
        var count = 0
        let (said, _, _) = try await converse(
            LSLConversation(), over: LSLConnector(library, value: name, timeout: 10),
            until: { event in
                if case .samples(let samples) = event { count += samples.block.frameCount }
                return count >= 500
            })
        await feeder.value
        let stream = try #require(said.streams.first)
        #expect(stream.header.channels == info(name).channels && stream.header.sampleRate == 250)
        let samples = said.samples(name)
        #expect(samples.flatMap { $0.block.channel(0) } == (0..<500).map { Float($0) })
        #expect(samples.flatMap { $0.block.channel(1) } == (0..<500).map { -Float($0) })
        #expect(abs(try #require(samples.first?.deviceTime) - start) < 0.01)
    }

    @Test(
        "a stream is found by the name it has",
        arguments: ["EEG: left, right", "Bob's EEG", "Größe 1", "a=b@c", "say \"hi\" to Bob's"])
    func oddNames(name: String) async throws {
        let library = try #require(library)
        let name = "\(name) \(getpid())"
        let outlet = try LSLOutlet(library, info(name))
        let listed = try await library.streams(within: 0.5)
        let stream = try #require(listed.first { $0.name == name })
        #expect(!stream.uid.isEmpty && stream.xml?.contains("<info>") == true)
        let link = try await LSLConnector(library, LSLPlace(LSLPlace(stream, among: listed).text), timeout: 10)
            .connect()
        guard case .received(let bytes, _, _)? = await link.next(), case .info(let found) = try LSLMessage(bytes) else {
            return #expect(Bool(false), "no description")
        }
        #expect(found.name == name)
        await link.close()
        withExtendedLifetime(outlet) {}
    }

    @Test func anotherStreamOfTheNameIsFound() async throws {
        let library = try #require(library)
        let name = "marey twins \(getpid())"
        let outlets = try ["left", "right"].map { source in
            var info = info(name)
            info.sourceID = source
            return try LSLOutlet(library, info)
        }
        var told: String?
        _ = try await converse(
            LSLConversation(), over: LSLConnector(library, value: name, timeout: 10),
            until: { event in
                if case .log(let text) = event { told = text }
                return told != nil
            })
        withExtendedLifetime(outlets) {}
        #expect(told?.contains("left") == true && told?.contains("right") == true)
    }

    @Test func markersPassAndAnEndIsALoss() async throws {
        let library = try #require(library)
        let name = "marey markers \(getpid())"
        let feeder = Task {
            let outlet = try LSLOutlet(library, info(name, text: true))
            _ = await outlet.waitForConsumers(within: 20)
            for label in ["go", "stop"] { outlet.push(label, stamp: library.now) }
            return outlet
        }
        let (said, _, _) = try await converse(
            LSLConversation(), over: LSLConnector(library, value: name, timeout: 10),
            until: { if case .marker("stop", _, true) = $0 { true } else { false } })
        _ = try await feeder.value
        #expect(said.markers == ["go", "stop"])
    }

    @Test func aSimulatedDeviceIsPublishedAndListed() async throws {
        let library = try #require(library)
        let prefix = "marey-\(getpid())-"
        var stream = try #require(EmpaticaSignal.bvp.stream)
        stream.header.name = "bvp \(getpid())"
        let publisher = try LSLPublisher(library, streams: [stream], sourceID: prefix)
        let runner = SimulatorRunner(EmpaticaServerSimulator(), measured: publisher.push)
        let running = Task { await runner.run() }
        defer { running.cancel() }
        let (said, _, _) = try await converse(
            LSLConversation(), over: LSLConnector(library, property: "source_id", value: prefix + "bvp", timeout: 10),
            until: { if case .samples = $0 { true } else { false } })
        #expect(said.streams.first?.header.kind == .bvp)
        let listed = try await library.streams(within: 0.5)
        #expect(listed.contains { $0.sourceID == prefix + "bvp" && $0.type == "PPG" })
    }

    @Test func aMissingStreamIsExplained() async throws {
        let library = try #require(library)
        await #expect(throws: LinkError.self) {
            _ = try await LSLConnector(library, value: "marey nobody \(getpid())", timeout: 0.3).connect()
        }
    }
}
