import Acquisition
import Cardiac
import Devices
import Electrodermal
import Formats
import Foundation
import Pipeline
import Quality
import Recorder
import Signals
import TestSupport
import Testing

/// The library, when there is one; says why not.
private let library: LSLLibrary? = {
    do throws(LinkError) {
        return try LSLLibrary()
    } catch {
        print("skipped: \(error)")
        return nil
    }
}()

/// A session that is published while it is recorded.
@Suite(.enabled(if: library != nil), .serialized, .timeLimit(.minutes(3))) struct SessionOutletsTests {
    /// What an inlet got.
    private struct Received {
        var info: LSLStreamInfo?
        var stamps: [Double] = []
        var values: [Double] = []
        var texts: [String] = []
    }

    /// Takes what comes from an inlet until there is enough.
    private func receive(_ link: any Link, until isEnough: (Received) -> Bool) async throws -> Received {
        var received = Received()
        while !isEnough(received), case .received(let bytes, _, _)? = await link.next() {
            switch try LSLMessage(bytes) {
            case .info(let info): received.info = info
            case .rivals: break
            case .correction(let offset): #expect(abs(offset) < 0.01)
            case .chunk(let stamps, let values):
                received.stamps += stamps
                received.values += values
            case .integers: Issue.record("no stream of integers is published")
            case .text(let texts, let stamp):
                received.texts += texts
                received.stamps.append(stamp)
            }
        }
        await link.close()
        return received
    }

    @Test func whatIsRecordedIsPublishedToTheBit() async throws {
        let library = try #require(library)
        try await withTemporaryFolder { folder in
            let clock = SystemClock()
            let file = folder.appendingPathComponent("s.xdf")
            let source = FrameSource(channels: 3, rate: 250, framesPerMessage: 25)
            // Of names that nobody else has on this network.
            let (amp, phone) = ("amp\(getpid())", "phone\(getpid())")
            let (frames, rows) = (ScriptedLink(), ScriptedLink())
            func device(_ name: String, _ link: ScriptedLink, _ conversation: any Conversation) -> SessionDevice {
                SessionDevice(
                    name: name, connector: ScriptedConnector([.success(link)]), conversation: conversation,
                    reconnection: Reconnection(attempts: 1))
            }
            let recorder = try Recorder(Recorder.Session(url: file, software: "test"), clock: clock)
            let outlets = try SessionOutlets(library, start: recorder.startMoment) { Issue.record("\($0)") }
            let (beginnings, begun) = AsyncStream.makeStream(of: Void.self)
            let session = try await LiveSession(
                recorder: recorder,
                devices: [
                    device(amp, frames, FrameConversation(source)),
                    device(phone, rows, RelayConversation(id: "x")),
                ], parameters: Parameters(), clock: clock,
                watch: { piece in
                    outlets.watch(piece)
                    if case .values = piece.event { begun.yield() }
                }
            ) { event in
                outlets.show(event)
                if case .stream = event { begun.yield() }
            }
            let running = Task { await session.run() }
            func row(_ index: Int) {
                let text = #"42["message",{"amplitude":"4.\#(100 + index)","time":"none"}]"#
                rows.deliver(Array(text.utf8), at: clock.now)
            }
            // A stream that nothing declares before its first value is there with it.
            row(0)
            var beginning = beginnings.makeAsyncIterator()
            for _ in 0..<3 { await beginning.next() }
            let ampLink = try await LSLConnector(library, value: "\(amp)-ecg", timeout: 60, findsOwn: true).connect()
            let phoneLink = try await LSLConnector(library, value: "\(phone)-ecg", timeout: 60, findsOwn: true)
                .connect()
            let textLink = try await LSLConnector(
                library, property: "source_id", value: SessionOutlets.sourcePrefix + "markers", timeout: 60,
                findsOwn: true
            ).connect()
            for message in 0..<20 {
                frames.deliver(source.message(from: message * 25), at: clock.now)
                row(message + 1)
            }
            await session.tag("stimulus")
            let fromAmp = try await receive(ampLink) { $0.stamps.count >= 500 }
            let fromPhone = try await receive(phoneLink) { $0.stamps.count >= 20 }
            let fromText = try await receive(textLink) { !$0.texts.isEmpty }
            await session.stop()
            _ = await running.value

            let recording = try Recording(reading: try RecordingFile.open(file))
            let regular = try #require(recording.streams.first { $0.header.name == "\(amp)-ecg" })
            let info = try #require(fromAmp.info)
            #expect(info.channels == regular.header.channels && info.sampleRate == 250 && info.type == "ECG")
            let frame = regular.segments.flatMap { segment in
                (0..<segment.block.frameCount).flatMap { frame in
                    (0..<3).map { Double(segment.block.channel($0)[frame]) }
                }
            }
            #expect(fromAmp.values == frame && frame.count == 1_500)
            let times = regular.segments.flatMap { segment in
                (0..<segment.block.frameCount).map { segment.start.onset + Double($0) / 250 + recorder.startMoment }
            }
            #expect(zip(fromAmp.stamps, times).allSatisfy { abs($0 - $1) < 1e-6 })

            let irregular = try #require(recording.streams.first { $0.header.name == "\(phone)-ecg" })
            #expect(fromPhone.values == irregular.values.dropFirst().map { $0.values[0] })
            #expect(
                zip(fromPhone.stamps, irregular.values.dropFirst()).allSatisfy {
                    abs($0 - $1.onset - recorder.startMoment) < 1e-6
                })
            let tag = try #require(recording.markers.first { $0.label == "stimulus" })
            #expect(fromText.texts == ["stimulus"])
            #expect(abs(try #require(fromText.stamps.first) - tag.onset - recorder.startMoment) < 1e-6)
        }
    }

    @Test func samplesRecordedInDoublePrecisionArePublishedInIt() async throws {
        let library = try #require(library)
        try await withTemporaryFolder { folder in
            let clock = SystemClock()
            let name = "precise\(getpid())"
            let link = ScriptedLink()
            let recorder = try Recorder(
                Recorder.Session(url: folder.appendingPathComponent("s.xdf"), software: "test"), clock: clock)
            let outlets = try SessionOutlets(library, start: recorder.startMoment) { Issue.record("\($0)") }
            let (beginnings, begun) = AsyncStream.makeStream(of: Void.self)
            let session = try await LiveSession(
                recorder: recorder,
                devices: [
                    SessionDevice(
                        name: name, connector: ScriptedConnector([.success(link)]), conversation: LSLConversation(),
                        reconnection: Reconnection(attempts: 1))
                ], parameters: Parameters(), clock: clock, watch: { outlets.watch($0) }
            ) { event in
                outlets.show(event)
                if case .stream = event { begun.yield() }
            }
            let running = Task { await session.run() }
            // Counts beyond 2^24, and fractions.
            let values = (0..<200).map { [1_000_000_001 + Double($0), 0.1 + Double($0) / 7] }
            func tell(_ message: LSLMessage) { link.deliver(message.bytes, at: clock.now) }
            tell(
                .info(
                    LSLStreamInfo(
                        name: "amp", type: "EEG", channels: ["a", "b"].map { Channel(label: $0, unit: .unknown) },
                        sampleRate: 100, format: .double)))
            tell(.correction(0))
            var beginning = beginnings.makeAsyncIterator()
            await beginning.next()
            let inlet = try await LSLConnector(library, value: "\(name)-amp", timeout: 60, findsOwn: true).connect()
            let start = clock.now
            // 0.6 s are lost between them, which is known a second later and told by frames that are missing in their place.
            for frames in [0..<25, 50..<200] {
                tell(
                    .chunk(
                        stamps: frames.map { start + Double($0 < 50 ? $0 : $0 + 35) / 100 },
                        values: frames.flatMap { values[$0] }))
            }
            let received = try await receive(inlet) { $0.values.count { $0.isFinite } >= 350 }
            await session.stop()
            _ = await running.value
            #expect(received.info?.format == .double)
            let rows = stride(from: 0, to: received.values.count, by: 2).map { Array(received.values[$0..<$0 + 2]) }
            #expect(rows.filter { $0[0].isFinite } == Array(values[0..<25] + values[50..<200]))
        }
    }

    /// Live results of a stream, and the outlet of each.
    private static let results: [(name: String, value: @Sendable (Double) -> LiveUpdate)] = [
        ("beats", { .beat(stream: 0, Beat(onset: $0, sample: 0)) }),
        ("ibi", { .interval(stream: 0, IBI(onset: $0, duration: 0.8, isContiguous: true)) }),
        ("heartRate", { .heartRate(stream: 0, onset: $0, 75) }),
        ("quality", { .quality(stream: 0, QualityWindow(onset: $0, duration: 10, coverage: 1, quality: 0.9)) }),
        (
            "respiration-rsa",
            {
                .respiration(
                    stream: 0,
                    RespirationWindow(onset: $0, duration: 60, method: .rsa, coverage: 1, rate: 15, quality: 1))
            }
        ),
        (
            "responses",
            { .skin(stream: 0, SkinConductanceResponse(onset: $0, peak: $0 + 1, amplitude: 0.2, level: 3)) }
        ),
    ]

    @Test("each live result has an outlet of its own, whose source id is the same in every session")
    func everyResultIsPublished() async throws {
        let library = try #require(library)
        let name = "device\(getpid())-signal"
        for _ in 0..<2 {
            let outlets = try SessionOutlets(library, start: library.now) { Issue.record("\($0)") }
            let header = StreamHeader(
                name: name, kind: .ecg, channels: [Channel(label: "ECG", unit: .millivolts)], sampleRate: 250)
            outlets.show(.stream(0, device: "device", header, at: 0))
            for result in Self.results { outlets.show(.update(result.value(1))) }
            for result in Self.results {
                let link = try await LSLConnector(
                    library, property: "source_id", value: SessionOutlets.sourcePrefix + "\(name)-live-\(result.name)",
                    timeout: 60, findsOwn: true
                ).connect()
                outlets.show(.update(result.value(2)))
                let received = try await receive(link) { !$0.values.isEmpty }
                #expect(received.info?.name == "\(name)-live-\(result.name)")
                #expect(received.values.first?.isFinite == true)
            }
        }
    }

    @Test func heartRatesArePublishedAsTheyAreComputed() async throws {
        let library = try #require(library)
        let start = library.now
        let outlets = try SessionOutlets(library, start: start) { Issue.record("\($0)") }
        let name = "strap\(getpid())-ibi"
        let header = StreamHeader(
            name: name, kind: .ibi, channels: [Channel(label: "IBI", unit: .seconds)], sampleRate: 0)
        outlets.show(.stream(0, device: "strap", header, at: 0))
        func tell(_ rate: Double, at onset: Double) { outlets.show(.update(.heartRate(stream: 0, onset: onset, rate))) }
        tell(60, at: 0.5)
        let link = try await LSLConnector(library, value: name + "-live-heartRate", timeout: 60, findsOwn: true)
            .connect()
        tell(61.7, at: 1)
        let received = try await receive(link) { !$0.stamps.isEmpty }
        #expect(received.info?.type == "HR" && received.info?.channels.first?.unit == .beatsPerMinute)
        #expect(received.values == [61.7])
        #expect(abs(try #require(received.stamps.first) - start - 1) < 1e-6)
    }
}
