import Formats
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct RRTextTests {
    private func read(_ text: String) throws -> RRSeries {
        try RRText.read(bytes: Array(text.utf8), file: URL(fileURLWithPath: "rr.txt"))
    }

    @Test(arguments: [
        "812\n790\n801\n", "0.812\n0.790\n0.801", "# rest\n812\r\n790\r\n801\r\n", "812 790 801\n",
        "RR (ms)\n812\n790\n801\n",
        "0,812\n0,790\n0,801\n", "time;rr\n0,812;812\n1,602;790\n2,403;801\n",
        "0.812\t0.812\n1.602\t0.79\n2.403\t0.801\n",
        "812,812\n1602,790\n2403,801\n", "rr,time\n812,0.812\n790,1.602\n801,2.403\n",
        "0.812,0.812\n1.602,0.790\n2.403,0.801\n",
        "Subject;1\nRate;4\n\nTime (hh:mm:ss);RR interval (s);HR\n0:00:00.812;0.812;73.9\n0:00:01.602;0.790;76\n0:00:02.403;0.801;75\n",
        "\u{FEFF}812\n790\n801", "\"812\"\n\"790\"\n\"801\"\n",
        "RR,HR\n812,74\n790,76\n801,75\n", "\"RR (ms)\",\"HR\"\n812,100\n790,99\n801,120\n",
        "duration,offset\n812,812\n790,1602\n801,2403\n", "812,812\n790,1602\n801,2403\n",
        "RR intervals, in seconds\n0,812\n0,790\n0,801\n", "RR\n812,0\n790,0\n801,0\n",
    ])
    func formsOfTheSameSeriesGiveTheSameNumbers(_ text: String) throws {
        let series = try read(text)
        #expect(series.intervals.count == 3)
        for (value, expected) in zip(series.intervals, [0.812, 0.790, 0.801]) { #expect(abs(value - expected) < 1e-12) }
        for (value, expected) in zip(series.onsets, [0.812, 1.602, 2.403]) { #expect(abs(value - expected) < 1e-12) }
        #expect(series.followsBreak == [true, false, false])
    }

    @Test func `intervals with decimal commas are no two columns`() throws {
        let values = ["599,1", "601,25", "600,5", "598,125", "602,75", "597,3", "603,9", "599,6", "600,1"]
        for heading in ["", "RR (ms)\n", "RR intervals of the first visit, in ms\n"] {
            let series = try read(heading + values.joined(separator: "\n") + "\n")
            let expected: [Double] = [0.5991, 0.60125, 0.6005]
            for (value, known) in zip(series.intervals, expected) { #expect(abs(value - known) < 1e-12, "\(heading)") }
        }
    }

    @Test func `intervals beside a mark or a rate are whole numbers or refused`() throws {
        let marked = (0..<12).map { "\(800 + $0 % 5),\($0 % 4 == 3 ? 1 : 0)" }.joined(separator: "\n")
        #expect(try Array(read("RR,artifact\n" + marked).intervals.prefix(2)) == [0.8, 0.801])
        #expect(formatError { try read(marked) }?.contains("name the columns") == true)
        #expect(formatError { try read("599,100\n610,98\n605,99\n") }?.contains("name the columns") == true)
    }

    @Test func timesOfTheFirstBeatAreSeenAndPausesAreBreaks() throws {
        let series = try read("t rr\n10.0 0.8\n10.8 0.9\n11.7 1.0\n20.0 0.7\n20.7 0.8\n21.5 0.95\n")
        #expect(zip(series.onsets, [10.8, 11.7, 12.7, 20.7, 21.5, 22.45]).allSatisfy { abs($0 - $1) < 1e-9 })
        #expect(series.followsBreak == [true, false, false, true, false, false])
    }

    @Test func missingEntriesAreBreaks() throws {
        let series = try read("800\n810\nn/a\n790\nNaN\n805\n")
        #expect(series.intervals == [0.8, 0.81, 0.79, 0.805])
        #expect(series.followsBreak == [true, false, true, true])
        #expect(series.notes.contains { $0.contains("2 intervals are missing") })
    }

    @Test func missingEntriesArePlayedAsValuesThatAreNoNumbers() throws {
        let reader = RRText(try read("800\n810\nn/a\n790\nNaN\n805\n"))
        let values = try Recording(reading: reader).streams[0].values
        #expect(values.map { $0.values[0].isNaN } == [false, false, true, false, true, false])
        #expect(values.map(\.onset) == values.map(\.onset).sorted())
        let timed = RRText(try read("t rr\n10.8 0.8\n11.7 0.9\n20.0 0.7\n20.8 0.8\n"))
        #expect(try Recording(reading: timed).streams[0].values.count == 4)
    }

    @Test func aConstantColumnIsTakenForIntervalsAndARisingOneIsExplained() throws {
        let folder = try TemporaryFolder()
        let constant = folder.url.appendingPathComponent("constant.txt")
        try String(repeating: "0.8\n", count: 400).write(to: constant, atomically: true, encoding: .utf8)
        #expect(try RecordingFile.open(constant).header.streams.map(\.kind) == [.ibi])
        let rising = folder.url.appendingPathComponent("rising.txt")
        let lines = (0..<400).map { "\(600 + $0)" }
        try lines.joined(separator: "\n").write(to: rising, atomically: true, encoding: .utf8)
        #expect(formatError { try RecordingFile.open(rising) }?.contains("rename the file to rising.rr") == true)
        let named = folder.url.appendingPathComponent("named.txt")
        try (["rr_ms"] + lines).joined(separator: "\n").write(to: named, atomically: true, encoding: .utf8)
        #expect(try RecordingFile.open(named).header.streams.map(\.kind) == [.ibi])
        try (lines + ["abc"]).joined(separator: "\n").write(to: rising, atomically: true, encoding: .utf8)
        let message = formatError { try RecordingFile.open(rising) }
        #expect(message?.contains("rising") == true, "\(message ?? "none")")
    }

    @Test(arguments: [
        ("", "is empty"), ("\n\n", "no line of numbers"), ("a\u{0}b", "is not text"),
        ("hello\nworld\n", "no line of numbers"),
        ("800\n0\n-1\n0\n810\n", "line 2: the interval 0.0 is not positive, nor are 3 of 5"),
        ("0\n", "the interval 0.0 is not positive"),
        ("0.8\n0.8\n1e300\n", "line 3: the interval is 1e+300, expected less than 1e12"),
        ("t,rr\n0,0.8\n0.8,0.8\n1.6,0.8\n1e17,0.8\n", "line 5: the time is 1e+17 s, expected less than 1e12 s"),
        ("800\ninf\n", "line 2: the interval inf"), ("800\nabc\n810\n", "line 2: found \"abc\""),
        ("72\n75\n74\n", "the median value is 74"), ("20000\n20100\n", "the median value is"),
        ("800 1\n810\n", "line 2: has 1 columns"), ("1 800\n1 810\n1 790\n", "of which one should be rising times"),
        ("t,rr\n100,0.8\n101,0.9\n102,0.9\n50,0.85\n51,0.8\n", "line 5: the time 50.0 does not come after 102.0"),
        ("RR [samples]\n220\n221\n219\n", "in samples, whose rate is not stated"),
        ("RR (ms)\n0.82\n0.83\n0.81\n", "in milliseconds, as is stated, is no RR interval"),
        ("812\n1.012\n987\n790\n", "line 2: the interval 1.012 is a thousandth"),
        ("t,rr\n1,0.8\n100,0.9\n200,0.8\n", "do not advance with the intervals"),
        ("# Sampling Rate (Hz):= 1000\n2044\n2045\n", "gives a sampling rate"),
        ("[Params]\nInterval=5\n[HRData]\n72\n", "holds the heart rate every 5 s"),
        ("[Params]\nInterval=238\n[HRData]\n", "no RR intervals under [HRData]"),
        ("[Params]\n[HRData]\n800\nx\n", "line 4: found \"x\""), ("a,b,c\n1,2,3\n", "3 columns and none is called RR"),
    ])
    func badFilesAreRefusedInOneLine(_ text: String, _ expected: String) throws {
        let message = formatError { try read(text) }
        #expect(message?.contains(expected) == true, "\(message ?? "no error")")
        #expect(message?.contains("\n") == false)
    }

    @Test(.enabled(if: RealData.has("rr_series/hrv_exercise.hrm"))) func realFilesAreRecognisedAndExact() throws {
        let expected = [
            ("hrv_exercise.hrm", 4117, 2_561_791), ("hrv_analysis_nn.txt", 1000, 718_248),
            ("pyhrv_long_nni.txt", 4684, 3_599_365), ("hrvas_example.ibi", 2001, 1_472_125),
            ("hrv_rest_rri.txt", 910, 963_434),
        ]
        for (name, count, milliseconds) in expected {
            let url = RealData.url("rr_series/\(name)")
            #expect(RRText.recognizes(try InputFile(url).read(at: 0, count: 4096), url: url), "\(name)")
            let series = try RRText.read(url)
            #expect(series.intervals.count == count, "\(name)")
            #expect(abs((series.onsets.last ?? 0) - Double(milliseconds) / 1000) < 1e-9, "\(name)")
            let recording = try Recording(reading: RRText(url))
            #expect(recording.streams[0].values.map { $0.values[0] } == series.intervals)
        }
        #expect(
            try RRText.read(RealData.url("rr_series/hrv_exercise.hrm")).start?.description == "2008-02-08T08:50:31.000Z"
        )
    }

    @Test(.enabled(if: RealData.has("heartpy/data.csv"))) func sampledSignalsAreNotTakenForIntervals() throws {
        for name in [
            "heartpy/data.csv", "biosppy_examples/ecg.txt", "biosppy_examples/ppg.txt", "bidmc/bidmc_01_Numerics.csv",
        ]
        where RealData.has(name) {
            let url = RealData.url(name)
            #expect(!RRText.recognizes(try InputFile(url).read(at: 0, count: 4096), url: url), "\(name)")
        }
    }

    @Test(.enabled(if: RealData.has("rr_series/hrv_exercise.hrm"))) func mutatedFilesNeverCrash() throws {
        var random = SplitMix64(seed: 8)
        for name in ["hrv_exercise.hrm", "hrvas_example.ibi"] {
            let bytes = try InputFile(RealData.url("rr_series/\(name)")).read(at: 0, count: 6000)
            for _ in 0..<150 {
                let broken = mutated(bytes, using: &random)
                let series = try? RRText.read(bytes: broken, file: URL(fileURLWithPath: name))
                #expect(series?.intervals.allSatisfy { $0 > 0 && $0.isFinite } ?? true)
            }
        }
    }
}
