import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Stamps of regular XDF streams: what is missing is a gap, what is only late is not.
@Suite struct XDFStampTests {
    /// A file with one stream of one channel, a frame at each of these times, in chunks of `chunk` frames.
    private func read(
        _ stamps: [Double], rate: Double, type: String = "EEG", chunk: Int = 50
    ) throws -> (stream: Signals.Stream, notes: [String]) {
        var file = XDFFixture.head + XDFFixture.header(1, type: type, channels: 1, rate: rate)
        for first in stride(from: 0, to: stamps.count, by: chunk) {
            var content: [UInt8] = [1, 0, 0, 0, 4]
            let frames = stamps[first..<min(first + chunk, stamps.count)]
            content += (0..<4).map { UInt8(truncatingIfNeeded: frames.count >> (8 * $0)) }
            for (offset, stamp) in frames.enumerated() {
                content += [8] + XDFFixture.bytes(stamp) + XDFFixture.bytes(Float(first + offset))
            }
            file += XDFFixture.chunk(3, content)
        }
        let recording = try XDFFixture.read(file)
        return (try #require(recording.streams.first), recording.header.notes)
    }

    private func even(_ count: Int, rate: Double, from start: Double = 1_000) -> [Double] {
        (0..<count).map { start + Double($0) / rate }
    }

    @Test(arguments: [(256.0, 1.5), (256, 0.2), (4, 100), (4, 3), (1_000, 0.5)])
    func aDropOutIsAGap(rate: Double, hole: Double) throws {
        let before = Int(40 * max(1, 20 / rate) * rate)
        let whole = even(before, rate: rate)
        let after = even(before, rate: rate, from: 1_000 + Double(before) / rate + hole)
        let (stream, notes) = try read(whole + after, rate: rate)
        #expect(stream.segments.count == 2 && notes.isEmpty, "\(notes)")
        let gap = try #require(stream.gaps.first)
        #expect(abs(gap.duration - hole) < 1e-6 && abs(gap.onset - Double(before) / rate) < 1e-6)
        #expect(stream.segments.allSatisfy { abs($0.start.sampleRate / rate - 1) < 1e-9 })
    }

    @Test func severalDropOutsAreAsManyGaps() throws {
        let stamps = even(256 * 60, rate: 256).enumerated().filter { frame, _ in
            ![10.0, 20, 30, 40, 50].contains { (256 * $0..<256 * ($0 + 1.5)).contains(Double(frame)) }
        }.map(\.element)
        let (stream, _) = try read(stamps, rate: 256)
        #expect(stream.gaps.map { ($0.duration * 1e6).rounded() / 1e6 } == [1.5, 1.5, 1.5, 1.5, 1.5])
    }

    /// Stamped on arrival, in packets that come late and in bursts: nothing is missing.
    @Test(arguments: [0.01, 0.3, 0.5], [12, 256])
    func lateArrivalsAreNoGaps(latest: Double, packet: Int) throws {
        var random = SplitMix64(seed: 7)
        var arrival = 0.0
        var stamps: [Double] = []
        for first in stride(from: 0, to: 256 * 120, by: packet) {
            let delay = Double.random(in: 0...1, using: &random) < 0.05 ? latest : 0.005
            arrival = max(arrival, Double(first + packet) / 256 + Double.random(in: 0...delay, using: &random))
            stamps += Array(repeating: 1_000 + arrival, count: packet)
        }
        let (stream, _) = try read(stamps, rate: 256)
        #expect(stream.segments.count == 1 && abs(stream.segments[0].start.sampleRate - 256) < 0.2)
    }

    @Test func jitterOfEachStampIsNoGap() throws {
        var random = SplitMix64(seed: 8)
        let stamps = even(50_000, rate: 500).map { $0 + Double.random(in: -0.02...0.02, using: &random) }
        let (stream, notes) = try read(stamps, rate: 500)
        #expect(stream.segments.count == 1 && notes.isEmpty)
    }

    @Test func aWrongRateIsToldAndMakesNoGaps() throws {
        let (stream, notes) = try read(even(10_000, rate: 100), rate: 250)
        #expect(stream.segments.count == 1 && abs(stream.segments[0].start.sampleRate - 100) < 1e-6)
        #expect(notes.count == 1 && notes[0].contains("declares 250") && notes[0].contains("100"))
    }

    @Test(arguments: [(250.0, 0.0), (250, 0.02), (65, 0.005), (4, 0.05), (51.7, 0)])
    func aSignalThatDeclaresNoRateAndComesEvenlyIsRegular(rate: Double, jitter: Double) throws {
        var random = SplitMix64(seed: 12)
        let count = Int(120 * max(rate, 20))
        let stamps = (even(count, rate: rate) + even(count, rate: rate, from: 1_000 + Double(count) / rate + 200)).map {
            $0 + (jitter > 0 ? Double.random(in: -jitter...jitter, using: &random) : 0)
        }
        let (stream, notes) = try read(stamps, rate: 0, type: rate == 4 ? "GSR" : "ECG")
        #expect(abs(stream.header.sampleRate / rate - 1) < 0.002)
        #expect(rate != rate.rounded() || stream.header.sampleRate == rate)
        #expect(stream.segments.count == 2 && stream.segments.map(\.block.frameCount) == [count, count])
        #expect(stream.gaps.count == 1 && abs(stream.gaps[0].duration - 200) < 0.1)
        #expect(notes.contains { $0.contains("declares no sample rate") })
    }

    @Test func whatComesWhenSomethingHappensIsIrregular() throws {
        var random = SplitMix64(seed: 13)
        var moment = 1_000.0
        let stamps = (0..<2_000).map { _ in
            moment -= 0.25 * log(Double.random(in: 1e-6...1, using: &random))
            return moment
        }
        for type in ["ECG", "GSR"] { #expect(try read(stamps, rate: 0, type: type).stream.header.sampleRate == 0) }
        // Even, but not of what is sampled; and too few to tell.
        #expect(try read(even(2_000, rate: 4), rate: 0, type: "HR").stream.header.sampleRate == 0)
        #expect(try read(even(60, rate: 250), rate: 0).stream.header.sampleRate == 0)
    }

    @Test func numbersDeclaredToBeMarkersAreMarkers() throws {
        let (times, codes) = ([10.0, 11, 12.5], [1.0, 255, 7])
        var file = XDFFixture.head + XDFFixture.header(2, name: "eeg", channels: 1)
        file += XDFFixture.samples(2, at: 10, (0..<250).map { [Float($0)] })
        file += XDFFixture.header(1, name: "trigger", type: "Markers", channels: 1, rate: 0, format: "int32")
        for (time, code) in zip(times, codes) {
            let number = (0..<4).map { UInt8(truncatingIfNeeded: Int(code) >> (8 * $0)) }
            file += XDFFixture.chunk(3, [1, 0, 0, 0, 4, 1, 0, 0, 0, 8] + XDFFixture.bytes(time) + number)
        }
        let recording = try XDFFixture.read(file)
        #expect(recording.streams.map(\.header.name) == ["eeg"])
        #expect(recording.markers.map(\.label) == ["1", "255", "7"])
        #expect(recording.markers.map(\.onset) == [0, 1, 2.5] && recording.markers[0].stream == "trigger")
    }

    /// 1e9 ± 1 are 64-bit numbers that 32 bits do not tell apart.
    @Test(arguments: [(1e9, true), (1e3, false)]) func valuesThatSinglePrecisionLosesAreTold(
        offset: Double, isLost: Bool
    )
        throws
    {
        var random = SplitMix64(seed: 4)
        var file = XDFFixture.head + XDFFixture.header(1, name: "far", channels: 1, rate: 100, format: "double64")
        for first in stride(from: 0, to: 1_000, by: 50) {
            var content: [UInt8] = [1, 0, 0, 0, 4, 50, 0, 0, 0]
            for frame in 0..<50 {
                content += [8] + XDFFixture.bytes(10 + Double(first + frame) / 100)
                content += XDFFixture.bytes(offset + Double.random(in: -1...1, using: &random))
            }
            file += XDFFixture.chunk(3, content)
        }
        let recording = try XDFFixture.read(file)
        #expect(Set(recording.streams[0].segments[0].block.samples).count > 100 || isLost)
        #expect(recording.header.notes.contains { $0.contains("single precision") } == isLost)
    }
}
