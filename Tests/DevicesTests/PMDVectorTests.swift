import Devices
import Signals
import TestSupport
import Testing

@Suite struct PMDVectorTests {
    private func samples(_ hex: String, factor: Double = 1) throws -> [[Float]] {
        let block = try PMDFrame(bytes(hex)).samples(factor: factor)
        return (0..<block.channelCount).map(block.channel)
    }

    @Test func readsECG() throws {
        let frame = try PMDFrame(bytes("00 0094357700000000 00 0280FF 028000"))
        #expect(frame.timestamp == 2_000_000_000)
        #expect(try frame.samples() == SampleBlock([-32766, 32770]))
        let second = try PMDFrame(bytes("00 DAEBC39E98435208 00 F0FFFF 000000 E20400 0080FF"))
        #expect(second.timestamp == 599_616_023_171_427_290)
        #expect(try second.samples() == SampleBlock([-16, 0, 1250, -32768]))
    }

    @Test func readsAcceleration() throws {
        let axes = try samples("02 0094357700000000 01 F7FF FFFF E703 F8FF FEFF E503")
        #expect(axes == [[-9, -8], [-1, -2], [999, 997]])
        #expect(try samples("02 0094357700000000 00 FF 02 80") == [[-1], [2], [-128]])
        #expect(try samples("02 0094357700000000 02 FFFFFF 000080 FFFF7F") == [[-1], [-8_388_608], [8_388_607]])
    }

    @Test func readsDifferencesOfAcceleration() throws {
        // The reference and the first differences (190, -105, -85), 10 bits each.
        let axes = try samples("02 0094357700000000 80 7107 F06A 9E8D 0A 01 BE5CBEBA", factor: 2.44e-4)
        let raw: [[Double]] = [[1905, 2095], [27376, 27271], [-29282, -29367]]
        #expect(axes == raw.map { $0.map { Float($0 * (2.44e-4 * 1_000)) } })
        let milli = try samples("02 0094357700000000 81 7107 F06A 9E8D 0A 01 BE5CBEBA")
        #expect(milli == [[1905, 2095], [27376, 27271], [-29282, -29367]])
    }

    @Test func readsPPG() throws {
        let channels = try samples(
            "01 0094357700000000 00 010203 040506 FFFF7F 000000 FFFFFF 0FEFEF 000080 0FEFEF")
        #expect(channels == [[197121, -1], [394500, -1_052_913], [8_388_607, -8_388_608], [0, -1_052_913]])
    }

    // The vectors of these are those of the Polar BLE SDK's own tests (EcgDataTest, MagDataTest, PpgDataTest).

    @Test func readsECGWhoseUpperBitsAreFlags() throws {
        #expect(try samples("00 0094357700000000 01 0280FF 800200") == [[2, 640]])
        #expect(try samples("00 0094357700000000 02 8080FC FFFF03") == [[32896, 262_143]])
    }

    @Test(arguments: [1.0, 1.1]) func readsAMagnetometerInMilligauss(factor: Double) throws {
        let axes = try samples("06 0094357700000000 81 37FF 51FD 6CF6 0000 03 01 F802", factor: factor)
        let raw: [[Double]] = [[-201, -201], [-687, -688], [-2452, -2449]]
        try #require(axes.count == 3)
        for (axis, expected) in zip(axes, raw) {
            #expect(zip(axis, expected).allSatisfy { abs(Double($0) - $1 * factor / 1_000) < 1e-5 })
        }
    }

    @Test func readsPPGOfManyChannels() throws {
        let sixteen = try samples(
            "01 0094357700000000 87 09AE20 8A7C23 583B19 80B918 DB2E22 FA881D D7BB18 C2B81F 7A4426 48DF23 A1F217 3A371B"
                + "FFFF00 7C0800 70F502 FFFF00 28C411 18 01 87FEFF EC0200 01FEFF FB0000 8DF9FF B1FFFF 0CFEFF 26FEFF EEFEFF"
                + "890200 DF0200 51FEFF 000000 000000 000000 000000 AEA68F")
        try #require(sixteen.count == 17)
        #expect(sixteen[0] == [2_141_705, 2_141_705 - 377] && sixteen[1] == [2_325_642, 2_325_642 + 748])
        #expect(sixteen[15].first == 65535 && sixteen[16].first == 1_164_328)
        let twentyFour = try samples(
            "01 0094357700000000 88 031001 051002 FFFFFF 091004 0B1005 031006 051007 071008 091009 0B100A 03100B 05100C"
                + "07100D 09100E 0B100F 031010 051011 071012 091013 0B1014 031015 051016 071017 091018 FFFFFF 03 01"
                + "49922449922449922400")
        try #require(twentyFour.count == 25)
        #expect(twentyFour[0] == [69635, 69636] && twentyFour[1] == [135_173, 135_174] && twentyFour[2].first == -1)
        #expect(twentyFour[23].first == 1_576_969 && twentyFour[24].first == 16_777_215)
        let coloured = try samples(
            "01 C06E6A43E161EE0A 8A 350B18 6BDF1D C58D1A 6CE11A 4D931B 48BA16 A21018 3BD01B 321D1E 63BD1A 08F317 FB2F11"
                + "000100 A00714 C27F19 700A22 977D19 CC0822 A00714 57F3A5 FFCF03")
        #expect(
            coloured.map { $0[0] } == [
                1_575_733, 1_957_739, 1_740_229, 1_761_644, 1_807_181, 1_489_480, 1_577_122, 1_822_779, 1_973_554,
                1_752_419, 1_569_544, 1_126_395, 256, 1_312_672, 1_671_106, 2_230_896, 1_670_551, 2_230_476, 1_312_672,
                -5_901_481, 249_855,
            ])
    }

    @Test func readsPulseIntervals() throws {
        let frame = try PMDFrame(bytes("03 0094357700000000 00 80 8080 8080 FF 00 0100 0100 00"))
        let intervals = try PMDPulseInterval.list(frame)
        #expect(intervals.map(\.heartRate) == [128, 0])
        #expect(intervals.map(\.interval) == [32896, 1])
        #expect(intervals.map(\.error) == [32896, 1])
        #expect(intervals.map(\.isBlocked) == [true, false])
        #expect(intervals.map(\.contact) == [true, nil])
    }

    @Test(
        arguments: [
            ("6400 CEFF E803 05 03 2378BF07001F", [100, -50, 1000, 103, -49, 998, 101, -54, 1001, 101, -54, 1000]),
            ("0100 FEFF 2C01 00 02", [1, -2, 300, 1, -2, 300, 1, -2, 300]),
            // Differences of one bit are 0 or -1.
            ("0100 0200 0300 01 02 35", [1, 2, 3, 0, 2, 2, 0, 1, 1]),
        ] as [(String, [Int32])])
    func addsUpDifferences(hex: String, values: [Int32]) throws {
        #expect(try PMDDeltas.decode(bytes(hex), channels: 3, referenceBytes: 2) == values)
    }

    @Test func differencesSurviveTheRoundTrip() throws {
        var random = SplitMix64(seed: 4)
        for _ in 0..<500 {
            let channels = Int.random(in: 1...4, using: &random)
            let size = Int32(1) << Int32.random(in: 0...22, using: &random)
            let count = Int.random(in: 1...60, using: &random)
            let values = (0..<channels * count).map { _ in Int32.random(in: -size...size - 1, using: &random) }
            let encoded = PMDDeltas.encode(values, channels: channels, referenceBytes: 3)
            #expect(try PMDDeltas.decode(encoded, channels: channels, referenceBytes: 3) == values)
        }
    }

    @Test(arguments: [
        "", "6400 CEFF", "6400 CEFF E803 05", "6400 CEFF E803 05 03 2378BF0700", "6400 CEFF E803 21 01 00",
    ])
    func refusesDifferencesThatRunPastTheFrame(hex: String) {
        #expect(throws: PMDError.self) { try PMDDeltas.decode(bytes(hex), channels: 3, referenceBytes: 2) }
    }

    @Test(arguments: ["00", "00 0094357700000000", "00 0094357700000000 00", "00 0094357700000000 00 0102"])
    func refusesTruncatedFrames(hex: String) {
        #expect(throws: PMDError.self) { try PMDFrame(bytes(hex)).samples() }
    }

    @Test func readsSettings() throws {
        let settings = try PMDSettings(bytes("00 01 3400 01 01 1000 02 04 F500 F401 E803 D007 04 01 03"))
        #expect(
            settings.values == [
                .sampleRate: [52], .resolution: [16], .range: [245, 500, 1000, 2000], .channels: [3],
            ])
        #expect(settings.bytes == bytes("00 01 3400 01 01 1000 02 04 F500 F401 E803 D007 04 01 03"))
        #expect(try PMDSettings(bytes("05 01 0000803F")).factor == 1)
        #expect(throws: PMDError.self) { try PMDSettings(bytes("00 02 3400")) }
        #expect(throws: PMDError.self) { try PMDSettings(bytes("09 01 3400")) }
    }

    @Test func writesTheCommandsKnownFromOtherClients() throws {
        let ecg = PMDSettings([.sampleRate: [130], .resolution: [14]])
        #expect(PMDCommand.start(.ecg, ecg).bytes == bytes("02 00 00 01 82 00 01 01 0E 00"))
        let acceleration = PMDSettings([.sampleRate: [200], .resolution: [16], .range: [8]])
        #expect(
            PMDCommand.start(.acceleration, acceleration).bytes
                == bytes("02 02 00 01 C8 00 01 01 10 00 02 01 08 00"))
        let ppg = PMDSettings([.sampleRate: [55], .resolution: [22], .channels: [4]])
        #expect(PMDCommand.start(.ppg, ppg).bytes == bytes("02 01 00 01 37 00 01 01 16 00 04 01 04"))
        #expect(PMDCommand.start(.pulseIntervals, PMDSettings()).bytes == bytes("02 03"))
        #expect(PMDCommand.stop(.ecg).bytes == bytes("03 00"))
        #expect(PMDCommand.getSettings(.acceleration).bytes == bytes("01 02"))
    }

    @Test func readsAnswers() throws {
        guard case .reply(let success) = try PMDIndication(bytes("F0 01 02 00 00 FFFFFF")) else {
            Issue.record("not an answer")
            return
        }
        #expect(success.type == .acceleration && success.status == .success && !success.hasMore)
        #expect(success.parameters == [0xFF, 0xFF, 0xFF])
        guard case .reply(let failure) = try PMDIndication(bytes("F0 01 06 07 00")) else {
            Issue.record("not an answer")
            return
        }
        #expect(failure.type == .magnetometer && failure.status == .invalidResolution && failure.parameters.isEmpty)
        #expect(try PMDIndication(bytes("01 01 02")) == .stopped([.ppg, .acceleration]))
        guard case .reply(let short) = try PMDIndication(bytes("F0 03 00 00")) else {
            Issue.record("not an answer")
            return
        }
        #expect(short.status == .success && !short.hasMore)
    }

    @Test func readsFeatures() throws {
        #expect(PMDFeatures(bytes("0F 05 00"))?.types == [.ecg, .acceleration])
        #expect(PMDFeatures(bytes("0F 6F 02 00"))?.types.contains(.sdkMode) == true)
        #expect(PMDFeatures(bytes("0F")) == nil)
        #expect(PMDFeatures(bytes("0E 05 00")) == nil)
    }
}
