import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Damaged recordings that are made of several files, of which any may be hit: BIDS and WFDB with MATLAB's samples.
@Suite(.serialized) struct CompanionMutationTests {
    /// Damages some of `originals` again and again and reads the recording that `entry` names.
    private static func fuzz(
        _ originals: [(name: String, bytes: [UInt8])], entry: String, seed: UInt64,
        packing: (_ name: String, _ bytes: [UInt8]) -> [UInt8] = { $1 }
    ) throws {
        let folder = try TemporaryFolder()
        for (name, bytes) in originals { _ = try folder.file(name, packing(name, bytes)) }
        let url = folder.url.appendingPathComponent(entry)
        // As it is it can be read.
        #expect(try MutationTests.drain(RecordingFile.open(url), limit: 1 << 20) > 0)
        var random = SplitMix64(seed: seed)
        var slowest = 0.0
        for _ in 0..<MutationTests.mutants {
            let hit = originals.filter { _ in Int.random(in: 0..<originals.count, using: &random) == 0 }
            for (name, bytes) in hit {
                _ = try folder.file(name, packing(name, MutationTests.mutate(bytes, header: 100, &random)))
            }
            defer { for (name, bytes) in hit { _ = try? folder.file(name, packing(name, bytes)) } }
            let begun = MutationTests.processorTime()
            do {
                try MutationTests.drain(RecordingFile.open(url), limit: 1 << 20)
            } catch {
                let text = (error as? FormatError)?.description ?? ""
                #expect(text.hasPrefix(folder.url.relativePath) && !text.contains("\n"), "\(error)")
            }
            slowest = max(slowest, MutationTests.processorTime() - begun)
        }
        #expect(slowest < 5)
    }

    /// Bytes as a gzip file of stored blocks, with the right checksum: damage before it reaches the table within.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        func little(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        var file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        for first in stride(from: 0, to: max(1, bytes.count), by: 60_000) {
            let block = bytes[first..<min(bytes.count, first + 60_000)]
            let length = UInt32(block.count)
            file.append(first + 60_000 >= bytes.count ? 1 : 0)
            file += little(length)[..<2] + little(~length)[..<2] + block
        }
        return file + little(ZipFixture.crc32(bytes)) + little(UInt32(truncatingIfNeeded: bytes.count))
    }

    @Test(arguments: ["a.fdt", "a.dat"])
    func damagedEEGLABWithSamplesBeside(file: String) throws {
        let fixture = EEGLABFixture(
            frames: 200, events: [(.text("go"), 3, .number(1)), (.text("boundary"), 60.5, .number(50))], file: file)
        let samples = file == "a.dat" ? fixture.dat : fixture.fdt
        try Self.fuzz([("a.set", fixture.bytes), (file, samples)], entry: "a.set", seed: 41)
    }

    /// A run of physiology with events. What is hit of the table: the text within, or the compressed bytes.
    @Test(arguments: [true, false])
    func damagedBIDS(isHitWithin: Bool) throws {
        let name = "sub-01_task-rest"
        let rows = (0..<400).map { $0 < 3 ? "n/a\tn/a\tn/a\n" : "\($0)\t-\($0)e-2\t0.5\n" }.joined()
        let sidecar = """
            {"SamplingFrequency": 50, "StartTime": -2.5, "Columns": ["cardiac", "respiratory", "GSR"],
             "GSR": {"Units": "uS"}}
            """
        let events = "onset\tduration\ttrial_type\n2\t0.5\tgo\n1\tn/a\tn/a\n5\t1\tstop\n"
        let table = isHitWithin ? Array(rows.utf8) : Self.stored(Array(rows.utf8))
        try Self.fuzz(
            [
                ("\(name)_physio.tsv.gz", table), ("\(name)_physio.json", Array(sidecar.utf8)),
                ("\(name)_events.tsv", Array(events.utf8)),
            ], entry: "\(name)_physio.tsv.gz", seed: isHitWithin ? 21 : 22
        ) { name, bytes in
            isHitWithin && name.hasSuffix(".gz") ? Self.stored(bytes) : bytes
        }
    }

    @Test func damagedTablesOfChannels() throws {
        var fixture = EDFFixture.counting(records: 20, samples: 64)
        fixture.signals = ["Fp1", "EEG Cz", "X9"].map { .init(label: $0, dimension: "uV", samples: "64") }
        fixture.data = (0..<20 * 3 * 64).flatMap { EDFFixture.bytes(Int16($0 % 500)) }
        let table =
            "name\ttype\tunits\tstatus\tstatus_description\nFp1\tEEG\tuV\tbad\tfell off\n"
            + "Cz\tEEG\tuV\tgood\tn/a\nX9\tTRIG\tn/a\tn/a\tn/a\n"
        let name = "sub-01_task-rest"
        try Self.fuzz(
            [("\(name)_eeg.edf", fixture.bytes), ("\(name)_channels.tsv", Array(table.utf8))],
            entry: "\(name)_eeg.edf", seed: 24)
    }

    @Test func damagedTablesOfEventsOfRecordingsWithPauses() throws {
        let folder = try TemporaryFolder()
        let pause = "Mk3=New Segment,,501,1,0,20240301120003000000"
        _ = try BrainVisionFixture(markers: ["Mk1=New Segment,,1,1,0,20240301120000000000", pause]).write(to: folder)
        let files = try ["vhdr", "eeg", "vmrk"].map { ending in
            ("a.\(ending)", [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("a.\(ending)"))))
        }
        let table = "onset\tduration\ttrial_type\tsample\n0.5\t0\tgo\t250\n1.5\t0.25\tn/a\t750\n1.6\tn/a\tgo\tn/a\n"
        try Self.fuzz(files + [("a_events.tsv", Array(table.utf8))], entry: "a.vhdr", seed: 25)
    }

    @Test(.enabled(if: RealData.has("cinc2017/A00001.mat")))
    func damagedMATLABSamples() throws {
        let files = try ["hea", "mat"].map { ending in
            ("A00001.\(ending)", [UInt8](try Data(contentsOf: RealData.url("cinc2017/A00001.\(ending)"))))
        }
        try Self.fuzz(files, entry: "A00001.mat", seed: 23)
    }
}
