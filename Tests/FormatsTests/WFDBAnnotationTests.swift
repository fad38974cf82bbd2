import Formats
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct WFDBAnnotationTests {
    private let file = URL(fileURLWithPath: "a.atr")

    @Test func wordsAreThoseOfTheFormatsDescription() throws {
        // annot(5): N at 18 with a subtype, then a SKIP of 70000 before V with a note and a channel.
        let list = [
            WFDBAnnotation(sample: 18, code: 1, subtype: -1),
            WFDBAnnotation(sample: 70_018, code: 5, chan: 1, aux: "abc"),
        ]
        let bytes: [UInt8] = [
            18, 4, 255, 244, 0, 236, 1, 0, 0x70, 0x11, 0, 20, 1, 248, 3, 252, 0x61, 0x62, 0x63, 0, 0, 0,
        ]
        #expect(try WFDBAnnotations(list).encoded(for: file) == bytes)
        #expect(try WFDBAnnotations(parsing: bytes, file: file).list == list)
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        var random = SplitMix64(seed: 5)
        for _ in 0..<100 {
            var list: [WFDBAnnotation] = []
            var sample = 0
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                let reach = Int.random(in: 0...40, using: &random)
                sample += Int.random(in: -3...(1 << reach), using: &random)
                list.append(
                    WFDBAnnotation(
                        sample: sample, code: UInt8.random(in: 1...49, using: &random),
                        subtype: Int8.random(in: -128...127, using: &random),
                        chan: UInt8.random(in: 0...255, using: &random),
                        num: Int8.random(in: -128...127, using: &random),
                        aux: String(repeating: "µa", count: Int.random(in: 0...80, using: &random))))
            }
            let all = WFDBAnnotations(
                list, timeResolution: 256.5, definitions: [42: .init(symbol: "K", description: "a kick")])
            let read = try WFDBAnnotations(parsing: all.encoded(for: file), file: file)
            #expect(read == all)
        }
    }

    @Test func notesAreCutAtACharacter() throws {
        let long = WFDBAnnotations([WFDBAnnotation(sample: 1, code: 22, aux: String(repeating: "é", count: 200))])
        let read = try WFDBAnnotations(parsing: long.encoded(for: file), file: file)
        #expect(read.list.first?.aux == String(repeating: "é", count: 127))
    }

    @Test func ahaFormatIsUnderstood() throws {
        var bytes: [UInt8] = []
        for (index, (letter, time)) in [("N", 100), ("V", 70_000)].enumerated() {
            bytes += [0, Array(letter.utf8)[0], UInt8(time >> 16 & 255), UInt8(time >> 24), UInt8(time & 255)]
            bytes += [UInt8(time >> 8 & 255), UInt8(index + 1), 0, 0, 1, 0, 0, 0, 0, 0, 0]
        }
        bytes += [UInt8](repeating: 255, count: 1024 - bytes.count)
        let read = try WFDBAnnotations(parsing: bytes, file: file)
        #expect(read.list.map(\.symbol) == ["N", "V"])
        #expect(read.list.map(\.sample) == [100, 70_000])
    }

    @Test func beatsAreThoseOfTheField() {
        let beats = Set(
            (0..<50).map { UInt8($0) }.filter { WFDBAnnotation.isBeat(code: $0) }.map(WFDBAnnotation.symbol))
        #expect(
            beats
                == Set([
                    "N", "L", "R", "a", "V", "F", "J", "A", "S", "E", "j", "/", "Q", "B", "?", "!", "e", "n", "f", "r",
                ]))
        for code in UInt8(1)..<50 {
            #expect(WFDBAnnotation.code(ofSymbol: WFDBAnnotation.symbol(ofCode: code)) == code)
        }
    }

    @Test(
        arguments: [
            ([], "is empty"), ([0, 236, 1], "within a SKIP"), ([1, 4, 200, 252, 1], "within a note"),
            ([0xFF, 0xD8, 0xFF, 0xE0], "does not exist"), ([5, 248, 0, 0], "without an annotation"),
        ] as [([UInt8], String)])
    func badFilesAreRefusedInOneLine(_ bytes: [UInt8], _ expected: String) throws {
        let folder = try TemporaryFolder()
        let url = try folder.file("x.atr", bytes)
        let message = formatError { try WFDBAnnotations.read(url) }
        #expect(message?.contains(expected) == true, "\(message ?? "no error")")
        #expect(message?.contains("x.atr") == true)
    }

    @Test(.enabled(if: RealData.has("mitdb/207.atr"))) func mutatedFilesNeverCrash() throws {
        let bytes = Array(try Data(contentsOf: RealData.url("mitdb/207.atr")))
        var random = SplitMix64(seed: 4)
        for _ in 0..<300 { _ = try? WFDBAnnotations(parsing: mutated(bytes, using: &random), file: file) }
    }

    @Test(.enabled(if: RealData.has("mitdb/100.atr"))) func annotationsBesideARecordAreItsMarkers() throws {
        let recording = try Recording(reading: WFDBRecord(RealData.url("mitdb/100")))
        #expect(recording.markers.count == 2274)
        #expect(recording.markers.first?.label == "+ (N")
        let annotations = try WFDBAnnotations.read(RealData.url("mitdb/100.atr"))
        #expect(annotations.list.count { $0.isBeat } == 2273)
        #expect(try annotations.sampleRate(beside: RealData.url("mitdb/100.atr")) == 360)
    }
}
