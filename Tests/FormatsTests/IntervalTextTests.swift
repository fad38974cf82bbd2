import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Which columns and tables of text are taken for RR intervals, and which for signals.
@Suite struct IntervalTextTests {
    private func open(_ text: String, _ name: String = "t.csv") throws -> Recording {
        let folder = try TemporaryFolder()
        return try Recording(reading: RecordingFile.open(folder.file(name, text)))
    }

    /// Whether a file is taken for RR intervals.
    private func isIntervals(_ text: String, _ name: String = "t.csv") throws -> Bool {
        let folder = try TemporaryFolder()
        return try RecordingFile.format(of: folder.file(name, text)).name == "RR-interval text"
    }

    private static let beats: [Int] = (0..<60).map { 800 + ($0 * 37 % 97) }
    private static let column = beats.map { "\($0)\n" }.joined()

    /// Times of the beats that end the intervals, in ms, and these.
    private static func timed(_ time: (Int) -> String = { "\($0)" }) -> String {
        var end = 0
        return beats.map { beat in
            end += beat
            return "\(time(end)),\(beat)\n"
        }.joined()
    }

    @Test(arguments: [
        "eda [uS]", "pressure [hPa]", "skin resistance [kOhm]", "co2 [ppm]", "pupil", "resp", "temperature [mdegC]",
        "marker", "value", "RR [breaths/min]",
    ])
    func aTableOfAnotherSignalIsNotTakenForIntervals(heading: String) throws {
        for scale in [1.0, 1_000] {
            let rows = (0..<60).map { "\($0),\(scale * (1 + Double($0 % 7) / 100))\n" }.joined()
            let recording = try open("time [s],\(heading)\n" + rows)
            #expect(!recording.streams.map(\.header.kind).contains(.ibi))
            // Not even where rows lie as far apart as the values are large.
            let sums = (1...60).map { "\(scale * Double($0)),\(scale)\n" }.joined()
            #expect(try !isIntervals("time [\(scale == 1 ? "s" : "ms")],\(heading)\n" + sums))
        }
    }

    @Test(arguments: [",rr", "index,RR (ms)", "beat,RR_ms", "n,IBI", "Unnamed: 0,nn"])
    func numbersOfRowsAreNoTimes(heading: String) throws {
        let rows = Self.beats.enumerated().map { "\($0),\($1).0\n" }.joined()
        let values = try open("\(heading)\n" + rows).streams[0]
        #expect(values.header.kind == .ibi)
        #expect(try isIntervals("\(heading)\n" + rows))
        #expect(
            try RRText.read(bytes: Array("\(heading)\n\(rows)".utf8), file: URL(fileURLWithPath: "t.csv")).followsBreak
                .count { $0 } == 1)
        // A series of one value a second is no list of intervals.
        #expect(try !isIntervals("time [s],rr\n" + rows))
    }

    @Test(arguments: [
        "HR,HRV_MeanNN,HRV_SDNN,HRV_Prc80NN,HRV_pNN50", "subject,mean RR,sdnn,rmssd,nn50", "a,b,medianNN,RR max,pnn20",
    ])
    func indicesOfVariabilityAreNoIntervals(heading: String) throws {
        let rows = (0..<12).map { "\($0),\(730 + $0),\(50 + $0),\(800 + $0),\(17 + $0)\n" }.joined()
        #expect(try !isIntervals("\(heading)\n" + rows))
    }

    @Test(arguments: ["time [s],state\n", "", "x,y\n"])
    func valuesThatResembleTheSpacingOfUnevenRowsAreNone(heading: String) throws {
        // Once a second, some milliseconds early or late.
        let times = (1...90).map { "\($0 - 1).9\(90 + $0 * 7 % 10)" }
        #expect(try !isIntervals(heading + times.map { "\($0),0.9\($0.utf8.last ?? 0)\n" }.joined()))
        // Half of these are as long as the rows are apart.
        let wave = times.indices.map { "\(times[$0]),\([1.4, 1, 0.6, 1][$0 % 4])\n" }.joined()
        #expect(try !isIntervals(heading + wave))
        let state = zip(times, 0...).map { "\($0),\($1 % 20 == 7 ? 2 : 1)\n" }.joined()
        #expect(try !isIntervals(heading + state))
    }

    @Test(arguments: [
        "", "time,rr\n", "t,IBI (ms)\n", "time [ms],RR [ms]\n", "time,interval\n", "timestamp,rr_ms\n", "x,y\n",
        "time,PPI [ms]\n", "time,R-R (mS)\n", "time,value\n",
    ])
    func aTableWhoseTimesFollowFromItsIntervalsIsRead(heading: String) throws {
        let recording = try open(heading + Self.timed())
        #expect(recording.streams.map(\.header.kind) == [.ibi])
        #expect(recording.streams.first?.values.count == 60)
        // Times in hundredths of a second; in tenths, which such intervals hardly exceed.
        #expect(try isIntervals(heading + Self.timed { "\(Double(($0 + 5) / 10) / 100)" }))
        let isVague = ["x,y\n", "time,value\n"].contains(heading)
        #expect(try isIntervals(heading + Self.timed { "\(Double(($0 + 50) / 100) / 10)" }) != isVague)
    }

    @Test(arguments: ["", "time,interval\n", "time,rr\n"])
    func rowsThatComeEvenlyWhateverTheirIntervalsAreNone(heading: String) throws {
        for step in [0.5, 1] {
            let rows = (0..<300).map { "\(Double($0) * step),\(Double(Self.beats[$0 % 60]) / 1000)\n" }.joined()
            #expect(try !isIntervals(heading + rows))
            #expect(try isIntervals(heading + rows, "t.rr"))
        }
    }

    @Test func aNamedTableWithPausesIsRead() throws {
        var end = 0.0
        let rows = (0..<40).map { place in
            end += 0.8 + (place % 3 == 2 ? 0 : 5)
            return "\((end * 10).rounded() / 10),0.8\n"
        }
        let stream = try #require(open("1551453301.000000, IBI\n" + rows.joined()).streams.first)
        #expect(stream.header.kind == .ibi && stream.values.count == 40)
        #expect(zip(stream.values.dropFirst(), stream.values).count { $0.onset - $1.onset > 1 } == 26)
    }

    @Test func pausesDoNotHideWhichBeatTheTimesAreThoseOf() throws {
        for isBeginning in [false, true] {
            var end = 0.0
            let rows = (0..<40).map { place -> String in
                let interval = 0.7 + Double(place * 7 % 10) / 25
                defer { if isBeginning { end += interval } }
                end += (isBeginning ? 0 : interval) + (place % 4 == 0 ? 0 : 4.2)
                return "\(end),\(interval)\n"
            }.joined()
            let series = try RRText.read(bytes: Array(("t,ibi\n" + rows).utf8), file: URL(fileURLWithPath: "t.csv"))
            #expect(series.notes.contains { $0.contains("begin the intervals") } == isBeginning)
            #expect(series.followsBreak.count { !$0 } == 9)
        }
    }

    @Test(arguments: ["ECG [mV]\n", "eda_uS\n", "Temperature\n", "barometer [hPa]\n", "PPG\n"])
    func aColumnOfAnotherSignalIsNotTakenForIntervals(heading: String) throws {
        let message = formatError { try open(heading + Self.column) }
        #expect(message?.contains("no sample rate") == true, "\(message ?? "none")")
        #expect(try isIntervals(heading + Self.column, "t.rr"))
    }

    @Test(arguments: [
        "Rest\n", "RR (ms)\n", "Session (1)\n", "Session (C)\n", "Helga (Europa)\n", "Chest strap\n", "Position 2\n",
        "pulse (ms)\n", "ECG R-R\n", "Intervals that came from the ECG of subject 3\n", "2024-05-01T10:00:00\n",
    ])
    func whatStandsAboveIntervalsNeedNotNameThem(heading: String) throws {
        let recording = try open(heading + Self.column)
        #expect(recording.streams.map(\.header.kind) == [.ibi])
        #expect(recording.streams.first?.values.count == 60)
    }

    @Test func aWaveformIsNotTakenForIntervals() throws {
        // 250 Hz: a flat line with narrow complexes, all of it of the size of intervals in seconds.
        let wave = (0..<2000).map { sample -> String in
            let place = Double(sample % 200)
            let value = 0.5 + 1.5 * exp(-pow((place - 60) / 3, 2)) + 0.1 * exp(-pow((place - 120) / 15, 2))
            return "\((value * 200 + Double(sample * 7919 % 3)).rounded() / 200)\n"
        }.joined()
        let message = formatError { try open(wave) }
        #expect(message?.contains("--text-rate") == true, "\(message ?? "none")")
    }

    @Test(arguments: [8, 13, 20]) func intervalsOfSlowBreathingAreRead(beatsPerBreath: Int) throws {
        let breathing = (0..<200).map { beat in
            "\(700 + Int(80 * sin(Double(beat) * 2 * .pi / Double(beatsPerBreath))) + beat * 37 % 11)\n"
        }
        #expect(try isIntervals(breathing.joined()))
    }

    @Test(arguments: [" ", ",", ";", "\t"]) func aLongTableIsToldFromItsBeginning(delimiter: String) throws {
        // Wherever the part that is looked at ends.
        for digits in 3...6 {
            var end = 0.0
            let rows = (0..<900).map { row in
                end += Double(Self.beats[row % 60]) / 1000
                return "\(String(format: "%.\(digits)f", end))\(delimiter)\(Double(Self.beats[row % 60]) / 1000)\n"
            }
            #expect(try isIntervals(rows.joined()))
        }
    }

    @Test(.enabled(if: RealData.has("heartpy/e0103.csv.gz"))) func aRealElectrocardiogramIsNotTakenForIntervals() throws
    {
        let url = RealData.url("heartpy/e0103.csv.gz")
        #expect(formatError { _ = try RecordingFile.open(url) }?.contains("--text-rate") == true)
        #expect(try RecordingFile.open(url, textRate: 250).header.streams.map(\.sampleRate) == [250])
    }

    @Test(.enabled(if: RealData.has("welltory_ppg/subject_01/RR.txt"))) func realIntervalsWithoutANameAreRead() throws {
        for subject in 1...11 {
            let url = RealData.url("welltory_ppg/subject_\(subject < 10 ? "0" : "")\(subject)/RR.txt")
            #expect(try RecordingFile.open(url).header.streams.map(\.kind) == [.ibi], "\(subject)")
        }
    }

    @Test func datesBesideIntervalsTellTheStart() throws {
        let recording = try open(
            "timestamp,rr_ms\n" + Self.timed { "2024-05-01T10:00:\($0 / 1000 < 10 ? "0" : "")\(Double($0) / 1000)" })
        #expect(recording.streams.map(\.header.kind) == [.ibi])
        #expect(recording.header.start?.description == "2024-05-01T10:00:00.000Z")
        let onset = try #require(recording.streams.first?.values.first?.onset)
        #expect(abs(onset - 0.8) < 1e-3)
    }

    @Test func aDateAmongIntervalsIsNone() throws {
        let message = formatError { try open("800\n2024-05-01T10:00:00\n810\n790\n", "t.rr") }
        #expect(message?.contains("line 2: found \"2024-05-01T10:00:00\"") == true, "\(message ?? "none")")
    }
}
