import Devices
import Formats
import Foundation
import Recorder
import Signals
import TestSupport
import Testing

/// Samples from a sender of the Lab Streaming Layer, from its chunks to the file: the copy holds everything that came, the stream
/// holds each sample once, at the right time.
@Suite struct LSLRecordingTests {
    /// A chunk of samples, whose values are their places, as it arrives.
    private struct Chunk {
        var places: [Int]
        var stamps: [Seconds]
        var moment: Seconds
    }

    private struct Recorded {
        var live: Recording
        var file: Recording
        var notes: [String]
        var copies: [String: XDFRawStream]
        var events: [DeviceEvent]

        /// When each sample lies, by its place, in the order of the stream.
        var times: [(place: Int, time: Seconds)] {
            guard let stream = file.streams.first else { return [] }
            return stream.segments.flatMap { segment in
                segment.block.channel(0).enumerated().compactMap { offset, value in
                    value.isNaN ? nil : (Int(value), segment.start.onset(ofOffset: offset))
                }
            }
        }
    }

    private static let base: Seconds = 5_000

    private static func one(of rates: [Double], using generator: inout SplitMix64) -> Double {
        rates[Int.random(in: 0..<rates.count, using: &generator)]
    }

    private static func info(_ rate: Double, type: String = "ECG", format: XDFValueFormat = .double) -> LSLStreamInfo {
        LSLStreamInfo(
            name: "amp", type: type, channels: [Channel(label: "A", unit: .millivolts)], sampleRate: rate,
            format: format, sourceID: "s")
    }

    private func record(_ info: LSLStreamInfo, _ chunks: [LSLMessage], _ moments: [Seconds]) throws -> Recorded {
        var conversation = LSLConversation()
        var assembler = RecordingAssembler(
            .init(start: Timestamp(secondsSince1970: 1_790_000_000), software: "test 1"), hostOrigin: Self.base)
        var (events, bytes, notes, said): ([RecordingEvent], [UInt8], [String], [DeviceEvent]) = ([], [], [], [])
        func perform(_ actions: [ConversationAction], at moment: Seconds) {
            for case .emit(let event) in actions {
                said.append(event)
                if case .log(let text) = event { notes.append(text) }
                assembler.take(event, from: "lsl", at: moment - Self.base, into: &events)
            }
            bytes += assembler.bytes(at: moment - Self.base)
        }
        func step(_ moment: Seconds, _ body: (inout LSLConversation, inout [ConversationAction]) -> Void) {
            var actions: [ConversationAction] = []
            body(&conversation, &actions)
            perform(actions, at: moment)
        }
        let start = moments.first ?? Self.base
        step(start) { $0.open(at: start, into: &$1) }
        step(start) { $0.receive(LSLMessage.info(info).bytes, from: .stream, at: start, into: &$1) }
        for (chunk, moment) in zip(chunks, moments) {
            step(moment) { $0.receive(chunk.bytes, from: .stream, at: moment, into: &$1) }
        }
        let end = (moments.last ?? start) + 0.1
        step(end) { $0.close(at: end, into: &$1) }
        assembler.release(at: .infinity, into: &events)
        bytes += assembler.finish()
        var iterator = events.makeIterator()
        let collected = Recording.collect(assembler.header.streams) { iterator.next() }
        let live = Recording(header: assembler.header, streams: collected.streams, markers: collected.markers)
        return try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.xdf")
            try Data(bytes).write(to: url)
            let file = try Recording(reading: XDFReader(url))
            expectSame(live, file)
            return Recorded(
                live: live, file: file, notes: notes, copies: XDFRawStream.all(in: bytes), events: said)
        }
    }

    private func record(_ rate: Double, _ chunks: [Chunk], type: String = "ECG") throws -> Recorded {
        let messages = chunks.map { LSLMessage.chunk(stamps: $0.stamps, values: $0.places.map(Double.init)) }
        let recorded = try record(Self.info(rate, type: type), messages, chunks.map(\.moment))
        // The copy holds all that came, as it came.
        let copy = try #require(recorded.copies["lsl-amp-received"])
        #expect(copy.stamps == chunks.flatMap(\.stamps))
        #expect(copy.values == chunks.flatMap { $0.places.map(Double.init) })
        return recorded
    }

    /// The stream holds every sample once, in order, and time never runs backwards.
    private func expectWhole(_ recorded: Recorded, _ count: Int) {
        let times = recorded.times
        let wrong = times.indices.filter { times[$0].place != $0 }.prefix(5)
        #expect(
            times.count == count && wrong.isEmpty, "first of \(times.count): \(wrong.map { (times[$0].place, $0) })")
        #expect(zip(times.dropFirst(), times).allSatisfy { $0.time > $1.time - 1e-9 })
    }

    /// The distances of samples from even time in seconds, less their median, sorted.
    private func errors(_ recorded: Recorded, _ rate: Double) -> [Seconds] {
        let errors = recorded.times.map { $0.time - Double($0.place) / rate }
        let middle = errors.sorted()[errors.count / 2]
        return errors.map { abs($0 - middle) }.sorted()
    }

    /// A sender that looks every few milliseconds, and pushes once `size` samples are due.
    private func bursts(
        _ size: Int, rate: Double, seconds: Double, using generator: inout SplitMix64,
        stamps: (_ places: Range<Int>, _ now: Seconds) -> [Seconds]
    ) -> [Chunk] {
        var (chunks, next, now): ([Chunk], Int, Seconds) = ([], 0, 0)
        while now < seconds {
            now += Double.random(in: 0.001...0.003, using: &generator)
            let due = Int(now * rate)
            guard due - next >= size else { continue }
            chunks.append(
                Chunk(
                    places: Array(next..<due), stamps: stamps(next..<due, Self.base + now),
                    moment: Self.base + now + 0.001))
            next = due
        }
        return chunks
    }

    @Test("samples that are stamped when they are pushed in bursts are all kept, on even time", arguments: 0..<12)
    func bursts(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let rate: Double = Self.one(of: [50.0, 125, 250, 256, 500, 1_000], using: &generator)
        let size = Int.random(in: 2...150, using: &generator)
        let chunks = bursts(min(size, Int(rate)), rate: rate, seconds: 40, using: &generator) { places, now in
            places.map { now + Double($0 - places.lowerBound) * 2e-6 }
        }
        let recorded = try record(rate, chunks)
        expectWhole(recorded, chunks.reduce(0) { $0 + $1.places.count })
        let errors = errors(recorded, rate)
        #expect(recorded.file.streams[0].segments.count == 1)
        #expect(errors[errors.count / 2] < 0.001, "\(size) at \(rate): \(errors[errors.count / 2])")
        if Double(size) / rate > 0.03 {
            #expect(recorded.notes.contains { $0.contains("stamps are those of pushing") })
        }
    }

    @Test("chunks that come in another order are recorded by their stamps", arguments: 0..<12)
    func permutations(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let rate: Double = Self.one(of: [100.0, 250, 500], using: &generator)
        let size = Int.random(in: 1...20, using: &generator)
        var waiting: [Chunk] = []
        let inOrder = bursts(size, rate: rate, seconds: 25, using: &generator) { places, _ in
            places.map { Self.base + Double($0) / rate }
        }
        // Each may come later by up to half a second, the very first in time.
        for (number, var chunk) in inOrder.enumerated() {
            if number > 2, Double.random(in: 0...1, using: &generator) < 0.2 {
                chunk.moment += Double.random(in: 0...0.5, using: &generator)
            }
            waiting.append(chunk)
        }
        let chunks = waiting.enumerated().sorted { ($0.element.moment, $0.offset) < ($1.element.moment, $1.offset) }
            .map(\.element)
        let recorded = try record(rate, chunks)
        expectWhole(recorded, inOrder.reduce(0) { $0 + $1.places.count })
        #expect(try #require(errors(recorded, rate).last) < 0.001)
        #expect(recorded.notes.contains { $0.contains("another order") })
    }

    @Test("samples that come again are in the stream once, and in the copy as often as they came", arguments: 0..<12)
    func duplicates(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let rate: Double = Self.one(of: [100.0, 250, 500], using: &generator)
        let size = Int.random(in: 1...20, using: &generator)
        let once = bursts(size, rate: rate, seconds: 25, using: &generator) { places, _ in
            places.map { Self.base + Double($0) / rate }
        }
        var chunks: [Chunk] = []
        for (number, chunk) in once.enumerated() {
            chunks.append(chunk)
            guard Double.random(in: 0...1, using: &generator) < 0.1 else { continue }
            var again = once[max(0, number - Int.random(in: 0...3, using: &generator))]
            again.moment = chunk.moment
            chunks.append(again)
        }
        let recorded = try record(rate, chunks)
        expectWhole(recorded, once.reduce(0) { $0 + $1.places.count })
        #expect(try #require(errors(recorded, rate).last) < 0.001)
    }

    @Test("stamps that step by any amount cost no sample", arguments: 0..<24)
    func steps(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let rate = 250.0
        let size = pow(10, Double.random(in: -1.5...6, using: &generator))
        let step = Bool.random(using: &generator) ? size : -size
        let isPushed = Bool.random(using: &generator)
        let moment = Double.random(in: 4...12, using: &generator)
        let back = Bool.random(using: &generator) ? moment + Double.random(in: 2...5, using: &generator) : .infinity
        let chunks = bursts(isPushed ? 25 : 3, rate: rate, seconds: 25, using: &generator) { places, now in
            let shift = (moment..<back).contains(now - Self.base) ? step : 0
            return places.map { (isPushed ? now : Self.base + Double($0) / rate) + shift }
        }
        let recorded = try record(rate, chunks)
        expectWhole(recorded, chunks.reduce(0) { $0 + $1.places.count })
        // No sample is later than its arrival, up to the second for which samples are held.
        let latest = try #require(recorded.times.last?.time)
        #expect(latest < 25 + 1.5, "\(step) \(latest)")
    }

    @Test("a hole in exact stamps is a gap of its length", arguments: [0.012, 0.1, 0.3, 2.5])
    func losses(length: Double) throws {
        var generator = SplitMix64(seed: 4)
        let chunks = bursts(2, rate: 250, seconds: 20, using: &generator) { places, _ in
            places.map { Self.base + Double($0) / 250 }
        }.map { chunk in
            var chunk = chunk
            let kept = chunk.places.indices.filter { !(10..<10 + length).contains(Double(chunk.places[$0]) / 250) }
            (chunk.places, chunk.stamps) = (kept.map { chunk.places[$0] }, kept.map { chunk.stamps[$0] })
            return chunk
        }
        let recorded = try record(250, chunks.filter { !$0.places.isEmpty })
        #expect(try #require(errors(recorded, 250).last) < 1e-3)
    }

    @Test("a sender that counts another rate than it declares is on its own time from the beginning")
    func otherRate() throws {
        var generator = SplitMix64(seed: 5)
        let chunks = bursts(2, rate: 250, seconds: 40, using: &generator) { places, _ in
            places.map { Self.base + Double($0) / 250 }
        }
        let recorded = try record(256, chunks)
        expectWhole(recorded, chunks.reduce(0) { $0 + $1.places.count })
        let errors = errors(recorded, 250)
        #expect(errors[errors.count / 2] < 0.001 && recorded.file.streams[0].segments.count == 1)
    }

    @Test("a stream without a rate becomes regular where its first ten seconds are even", arguments: 0..<12)
    func ratesThatAreNotDeclared(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let rate: Double = Self.one(of: [25.0, 64, 130, 250, 500], using: &generator)
        let size = Int.random(in: 1...Int(rate / 4), using: &generator)
        let isPushed = Bool.random(using: &generator)
        let chunks = bursts(size, rate: rate, seconds: 25, using: &generator) { places, now in
            places.map { isPushed ? now : Self.base + Double($0) / rate }
        }
        let recorded = try record(0, chunks)
        #expect(recorded.file.streams.map(\.header.sampleRate) == [rate], "\(size) \(isPushed)")
        expectWhole(recorded, chunks.reduce(0) { $0 + $1.places.count })
        #expect(errors(recorded, rate)[chunks.count / 2] < 0.001)
        #expect(recorded.notes.contains { $0.contains("declares no sample rate") })
    }

    @Test("values of a stream without a rate that come unevenly keep their stamps", arguments: 0..<12)
    func unevenValues(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        var (chunks, now): ([Chunk], Seconds) = ([], 0)
        for place in 0..<150 {
            now += Double.random(in: 0.1...0.4, using: &generator)
            chunks.append(Chunk(places: [place], stamps: [Self.base + now], moment: Self.base + now + 0.002))
        }
        let recorded = try record(0, chunks, type: "GSR")
        let stream = try #require(recorded.file.streams.first)
        #expect(stream.header.sampleRate == 0)
        #expect(stream.values.map(\.values) == chunks.map { [Double($0.places[0])] })
        #expect(zip(stream.values, chunks).allSatisfy { abs($0.onset + Self.base - $1.stamps[0]) < 1e-9 })
    }

    @Test("64-bit integers stay exact, in the stream and in the copy", arguments: [50.0, 0])
    func integers(rate: Double) throws {
        let first: Int64 = 1 << 53 + 1
        let numbers = (0..<1_000).map { first + Int64($0) }
        let stamps = numbers.indices.map { Self.base + Double($0) / 50 }
        let messages = stride(from: 0, to: 1_000, by: 10).map { start in
            LSLMessage.integers(
                stamps: Array(stamps[start..<start + 10]), values: Array(numbers[start..<start + 10]))
        }
        let recorded = try record(
            Self.info(rate, type: "Misc", format: .int64), messages,
            stride(from: 0, to: 1_000, by: 10).map { stamps[$0 + 9] + 0.01 })
        #expect(recorded.copies["lsl-amp-received"]?.integers == numbers)
        if rate > 0 { #expect(recorded.copies["lsl-amp"]?.integers == numbers) }
    }

    @Test("channels of several kinds become a stream for each, and the sender's description is kept")
    func kinds() throws {
        var info = LSLStreamInfo(
            name: "amp", type: "EEG",
            channels: [
                Channel(label: "Cz", unit: .microvolts), Channel(label: "HEOG", unit: .microvolts, kind: .other),
                Channel(label: "E1", unit: .microvolts, kind: .ecg),
                Channel(label: "S", unit: .microsiemens, kind: .eda),
            ], sampleRate: 250, format: .float32, sourceID: "s")
        let channels = zip(info.channels, ["EEG", "EOG", "ECG", "GSR"]).map { channel, type in
            "<channel><label>\(channel.label)</label><unit>\(channel.unit.rawValue)</unit><type>\(type)</type></channel>"
        }.joined()
        info.xml = """
            <?xml version="1.0"?><info><name>amp</name><type>EEG</type><channel_count>4</channel_count>
            <nominal_srate>250</nominal_srate><channel_format>float32</channel_format><source_id>s</source_id>
            <desc><acquisition><manufacturer>Peer &amp; &lt;Co&gt; "x" é</manufacturer></acquisition>
            <channels>\(channels)</channels><cap><size>56</size></cap></desc></info>
            """
        let messages = (0..<500).map { number in
            LSLMessage.chunk(
                stamps: [Self.base + Double(number) / 250], values: (0..<4).map { Double(number * 10 + $0) })
        }
        let recorded = try record(info, messages, (0..<500).map { Self.base + Double($0) / 250 + 0.001 })
        let streams = recorded.file.streams
        #expect(streams.map(\.header.kind) == [.eeg, .ecg, .eda])
        #expect(streams.map(\.header.channels.count) == [2, 1, 1])
        #expect(streams.map { $0.segments.first?.block.channel(0)[1] } == [10, 12, 13])
        for name in ["lsl-amp", "lsl-amp-received"] {
            let xml = try #require(recorded.copies[name]?.xml)
            #expect(xml.contains("Peer &amp; &lt;Co&gt; \"x\" é") && xml.contains("<cap><size>56</size></cap>"))
            #expect(xml.contains("<type>EOG</type>"))
        }
    }

    @Test("markers keep every channel and their stamps, in a stream of their sender")
    func markers() throws {
        var info = LSLStreamInfo(
            name: "amp", type: "Markers", channels: ["a", "b", "c"].map { Channel(label: $0, unit: .unknown) },
            sampleRate: 0, isText: true, format: .string)
        let texts = (0..<5).map { ["x\($0)", "", "ü\($0)"] }
        let stamps = (0..<5).map { Self.base + Double($0) + 0.5 }
        let recorded = try record(
            info, zip(texts, stamps).map { .text($0, stamp: $1) }, stamps.map { $0 + 0.01 })
        #expect(
            recorded.copies["lsl-amp"]?.texts == texts.flatMap { $0 } && recorded.copies["lsl-amp"]?.stamps == stamps)
        #expect(recorded.file.markers.map(\.label) == texts.map { $0.joined(separator: ", ") })
        info = Self.info(0, type: "Markers", format: .int32)
        let numbers = try record(
            info, stamps.indices.map { .chunk(stamps: [stamps[$0]], values: [Double($0)]) }, stamps.map { $0 + 0.01 })
        #expect(numbers.file.markers.map(\.label) == ["0", "1", "2", "3", "4"] && numbers.file.streams.isEmpty)
    }
}
