import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Data sets of EEGLAB, eeglabio and scipy, beside what MNE and scipy read in them.
@Suite(.enabled(if: OracleData.has("formats_eeglab/cases.json"))) struct EEGLABOracleTests {
    struct Case: Decodable, CustomTestStringConvertible {
        struct Channel: Decodable {
            var label: String
            var count: Int
            var step: Int
            var samples: [Double]
            var sum: Double
            var magnitude: Double
        }

        struct Mark: Decodable {
            /// In samples from the first on, those that are missing not counted.
            var frame: Double
            var label: String
        }

        struct Cut: Decodable {
            var frame: Int
            /// Frames.
            var missing: Double
        }

        var file: String
        var reader: String
        var rate: Double
        var kinds: [String]?
        /// Cuts of which nobody knows how long they are.
        var unknown: Int
        var channels: [Channel]
        var markers: [Mark]
        var gaps: [Cut]

        var testDescription: String { "\(file), \(reader)" }
    }

    private struct All: Decodable {
        var cases: [Case]
        var refused: [String]
    }

    private static let all: All = {
        guard OracleData.folder != nil, let data = try? Data(contentsOf: OracleData.url("formats_eeglab/cases.json"))
        else { return All(cases: [], refused: []) }
        return (try? JSONDecoder().decode(All.self, from: data)) ?? All(cases: [], refused: [])
    }()
    static let cases = all.cases
    static let refused = all.refused

    private static func recording(_ file: String) throws -> Recording {
        try Recording(reading: RecordingFile.open(OracleData.url("formats_eeglab/" + file)))
    }

    @Test(arguments: cases)
    func `samples are those that others read`(expected: Case) throws {
        let found = try Self.recording(expected.file)
        var read: [String: (kind: StreamKind, samples: [Float])] = [:]
        for stream in found.streams {
            #expect(stream.header.sampleRate == expected.rate)
            for (place, channel) in stream.header.channels.enumerated() {
                read[channel.label] = (stream.header.kind, stream.segments.flatMap { $0.block.channel(place) })
            }
        }
        #expect(read.count == expected.channels.count)
        for (place, channel) in expected.channels.enumerated() {
            // Channels without names are called by numbers.
            let (kind, samples) = try #require(read[channel.label] ?? read["\(place + 1)"])
            if let kinds = expected.kinds { #expect(kind.rawValue == kinds[place]) }
            #expect(samples.count == channel.count)
            let scale = channel.samples.map(abs).max() ?? 0
            let some = stride(from: 0, to: samples.count, by: channel.step).map { Double(samples[$0]) }
            #expect(some.count == channel.samples.count)
            #expect(zip(some, channel.samples).allSatisfy { abs($0 - $1) <= 3e-7 * scale })
            let sum = samples.reduce(0.0) { $0 + Double($1) }
            #expect(abs(sum - channel.sum) <= 1e-6 * channel.magnitude)
        }
    }

    @Test(arguments: cases)
    func `events lie beside the samples that others put them beside`(expected: Case) throws {
        let found = try Self.recording(expected.file)
        let segments = try #require(found.streams.first).segments
        let markers = found.markers.map { marker -> (frame: Double, label: String) in
            // Times of MNE are rounded to microseconds.
            let segment = segments.last { $0.start.onset <= marker.onset + 1e-6 } ?? segments[0]
            return (Double(segment.start.sample) + (marker.onset - segment.start.onset) * expected.rate, marker.label)
        }
        // MNE and scipy write whole numbers as numbers.
        let told = expected.markers.sorted { $0.frame < $1.frame }
            .map { (frame: $0.frame, label: $0.label.hasSuffix(".0") ? String($0.label.dropLast(2)) : $0.label) }
        #expect(markers.map(\.label) == told.map(\.label))
        #expect(zip(markers, told).allSatisfy { abs($0.frame - $1.frame) < 0.001 })
    }

    @Test(arguments: cases)
    func `samples that were cut out are gaps`(expected: Case) throws {
        let found = try Self.recording(expected.file)
        for stream in found.streams {
            #expect(stream.segments.dropFirst().map(\.start.sample) == expected.gaps.map(\.frame))
            #expect(zip(stream.gaps, expected.gaps).allSatisfy { abs($0.duration * expected.rate - $1.missing) < 1e-6 })
        }
        let isTold = found.header.notes.contains { $0.contains("how many is not told") }
        #expect(isTold == (expected.unknown > 0))
    }

    @Test(arguments: refused)
    func `sets of version 7_3 are refused`(file: String) {
        let error = formatError { try Self.recording(file) }
        #expect(error?.contains("version 7.3 (HDF5)") == true)
    }
}
