import Electrochemistry
import Foundation
import Reports
import Signals
import TestSupport
import Testing

@Suite struct ReportPageTests {
    @Test func aFiveMinuteRecordingFillsEverySection() {
        let report = ReportFixture.recording(duration: 300)
        let page = report.html()
        let reader = expectSound(page)
        #expect(page.utf8.count < 1_000_000)
        let sections = reader.elements.filter { $0.name == "section" }.compactMap { $0.attributes["id"] }
        #expect(
            sections == [
                "summary", "series-0", "series-1", "quality", "indices", "not-computed", "corrections", "recording",
                "methods", "provenance",
            ])
        for figure in ["tachogram", "histogram", "poincare", "spectrum-0", "overlay"] {
            #expect(reader.values(of: "id").contains("s0-\(figure)"))
            #expect(reader.values(of: "id").contains("s1-\(figure)"))
        }
        #expect(!reader.values(of: "id").contains("s0-trend"), "one window is no trend")
        #expect(reader.count("figure") == 10 + 2 + 4)
        for text in ["Not a medical device", "SHA-256", "RMSSD", "Lipponen", "a gap leaves no run of 200 intervals"] {
            #expect(reader.text.contains(text), "\(text)")
        }
        #expect(reader.elements.first { $0.name == "html" }?.attributes["lang"] == "en")
        let captions = reader.elements.count { $0.name == "p" && $0.attributes["class"] == "caption" }
        #expect(captions == reader.count("table") && captions > 0, "every table says what it is")
        #expect(reader.count("figcaption") == reader.count("figure"))
    }

    @Test func aDayStaysSmallAndShowsTrends() {
        let page = ReportFixture.recording(duration: 86_400).html()
        let reader = expectSound(page)
        #expect(page.utf8.count < 3_000_000, "\(page.utf8.count) bytes")
        #expect(reader.values(of: "id").contains("s0-trend"))
    }

    @Test func aLongGapThatIsOneRowIsHatchedWholeAndNotTakenForAWindow() {
        var report = ReportFixture.recording(duration: 86_400)
        var table = Table(columns: [
            Column("onset", unit: .seconds, "Start"), Column("duration", unit: .seconds, "Length"),
            Column("meanHR", unit: Unit("1/min"), "Heart rate"),
        ])
        table.append([.onset(0), .onset(43_200), .missing])
        for onset in stride(from: 42_930.0, through: 86_100, by: 30) {
            table.append([.onset(onset), .onset(300), .number(60)])
        }
        report.series[0].windows = table
        let page = report.html()
        // The middles of its first and its last window.
        #expect(page.contains("no value, 2:30–11:57:30"))
        #expect(page.contains("Indices per window of 5 min; n ="))
    }

    @Test func theSameReportGivesTheSameBytes() {
        let first = ReportFixture.recording(duration: 900).html()
        let second = ReportFixture.recording(duration: 900).html()
        #expect(first == second)
    }

    @Test func aRecordingWithNothingInItSaysSo() {
        let report = RecordingReport(
            title: "", duration: 0, source: RecordingSource(fileName: "", format: ""), software: "Marey")
        let reader = expectSound(report.html())
        for text in [
            "No heart beats were analysed", "No stream was judged", "holds no streams", "No index was computed",
            "no heart beats were analysed",
        ] {
            #expect(reader.text.contains(text), "\(text)")
        }
    }

    @Test func stepsAndSweepsOfPotentialHaveFiguresAndTables() {
        let held = (0..<600).map { index in
            let level = index < 300 ? 0.1 : 0.4
            return ElectrochemicalPoint(
                onset: Double(index) / 10, potential: level, current: 2e-6 + 5e-6 * exp(-Double(index % 300) / 20))
        }
        let swept = (0..<400).map { index in
            let potential = -0.2 + 0.002 * Double(index)
            let peak = 3e-8 * exp(-pow((potential - 0.2) / 0.05, 2))
            return ElectrochemicalPoint(onset: Double(index) / 10, potential: potential, current: peak)
        }
        var report = RecordingReport(
            title: "pot", duration: 60, source: RecordingSource(fileName: "a.txt", format: "MethodSCRIPT"),
            software: "Marey")
        report.electrochemistry = [ElectrochemistrySection(points: held, steps: PotentialStep.steps(held))]
        var reader = expectSound(report.html())
        #expect(reader.values(of: "id").contains("current") && reader.text.contains("Steps of potential"))
        #expect(reader.text.contains("µA)") && reader.text.contains("7.000e-6"))
        #expect(!reader.values(of: "id").contains("indices"))
        report.electrochemistry = [ElectrochemistrySection(points: swept, sweeps: LinearSweep.sweeps(swept))]
        reader = expectSound(report.html())
        #expect(reader.values(of: "id").contains("voltammogram") && reader.text.contains("Peaks of the sweeps"))
        #expect(reader.text.contains("Current (nA)") && reader.text.contains("1 sweep, 1 peak marked"))
        // Nothing but overloaded points is told, not drawn.
        report.electrochemistry = [ElectrochemistrySection()]
        #expect(expectSound(report.html()).text.contains("no values that can be drawn"))
    }

    @Test(arguments: [0, -1, Double.nan, .infinity, 1e300])
    func oddDurationsAndValuesThatAreNoNumbersStayOffThePage(_ odd: Double) {
        let column = Column("rmssd", unit: .milliseconds, "d")
        var table = Table(columns: [Column("onset", unit: .seconds, "o"), column])
        table.append([.onset(odd), .number(odd)])
        table.append([.onset(1), .number(odd)])
        table.append([.onset(2), .missing])
        let series = BeatSeries(
            name: "ECG", coverage: odd,
            intervals: (0..<5).map { TachogramInterval(onset: Double($0), duration: $0 == 2 ? odd : 0.8) }
                + [TachogramInterval(onset: odd, duration: odd, status: .removed)],
            gaps: [
                MissingSpan(onset: odd, duration: odd, reason: "x"), MissingSpan(onset: 1, duration: odd, reason: "y"),
            ],
            corrections: [CorrectionRow(onset: odd, index: .max, kind: "k", old: odd, new: odd, reason: "r")],
            indices: [IndexValue(column, odd)],
            spectra: [
                Spectrum(
                    method: "m", frequencies: [0, 0.1, odd], density: [odd, 1, 2],
                    bands: [Spectrum.Band(name: "LF", lower: 0, upper: odd, power: odd)]),
                Spectrum(method: "no intervals", frequencies: [], density: [], bands: []),
            ],
            overlay: BeatOverlay(
                waveforms: [[.nan, Float(odd), 1], []], alignment: 1, sampleRate: odd, unit: .unknown), windows: table)
        let strip = SignalStrip(
            stream: "s", onset: odd, samples: [Float(odd), .nan, 1, 2], sampleRate: odd, unit: .unknown,
            beats: [odd, 1],
            quality: odd, coverage: odd)
        let lane = QualityLane(
            stream: "s",
            windows: [
                .init(onset: odd, duration: odd, quality: odd, coverage: odd, reasons: ["a"]),
                .init(onset: 0, duration: 10, quality: odd, coverage: odd, reasons: ["a"]),
            ], gaps: series.gaps)
        let header = StreamHeader(name: "s", kind: .ecg, channels: [], sampleRate: odd)
        let report = RecordingReport(
            title: "odd", duration: odd, source: RecordingSource(fileName: "f", format: "x"), software: "Marey",
            streams: [
                StreamSummary(
                    header: header, gaps: [Gap(onset: odd, duration: odd, reason: .offBody)], coverage: odd)
            ], series: [series], quality: [lane], worstStrips: [strip])
        _ = expectSound(report.html())
    }

    @Test func aLongGapLowersTheShareOfUsableTimeByItsLength() {
        let good = [Double](stride(from: 0, through: 90, by: 1)) + stride(from: 391, through: 481, by: 1)
        let windows = (good + [100]).sorted().map { onset in
            onset == 100
                ? QualityLane.Window(onset: 100, duration: 300, quality: 0, coverage: 0, reasons: ["gap"])
                : QualityLane.Window(onset: onset, duration: 10, quality: 1, coverage: 1)
        }
        let lane = QualityLane(
            stream: "s", windows: windows, gaps: [MissingSpan(onset: 100, duration: 300, reason: "gap")])
        let report = RecordingReport(
            title: "t", duration: 491, source: RecordingSource(fileName: "f", format: "EDF"), software: "Marey",
            quality: [lane])
        let reader = expectSound(report.html())
        // 182 of 473 places; 182 of 183 windows.
        #expect(reader.text.contains("38.5 % of the time usable") && !reader.text.contains("99.5 %"))
        #expect(reader.text.contains("gap 61.5 %"))
    }

    @Test func aSeriesWithoutIntervalsGivesItsReason() {
        let gap = MissingSpan(onset: 0, duration: 60, reason: "offBody")
        let report = RecordingReport(
            title: "t", duration: 60, source: RecordingSource(fileName: "f", format: "EDF"), software: "Marey",
            series: [BeatSeries(name: "ECG", coverage: 0, gaps: [gap])])
        let reader = expectSound(report.html())
        #expect(reader.text.contains("No intervals: off body."))
        #expect(reader.text.contains("no intervals to show"))
    }

    /// Beats there were: that none followed another would be false, and a gap elsewhere is not why.
    @Test func intervalsThatQualityDroppedAreTheReasonWhereverOneIsGiven() {
        var series = BeatSeries(
            name: "ECG", coverage: 0, beatCount: 469, gaps: [MissingSpan(onset: 0, duration: 1, reason: "fileGap")])
        series.droppedIntervals = 468
        let report = RecordingReport(
            title: "t", duration: 60, source: RecordingSource(fileName: "f", format: "EDF"), software: "Marey",
            series: [series])
        let reader = expectSound(report.html())
        let why = "all 468 lie where the signal is not good enough"
        // In the summary, under the figure and among what was left out.
        for place in ["Nothing was computed from intervals: ", "No intervals: ", "no intervals: "] {
            #expect(reader.text.contains(place + why), "\(place)")
        }
        #expect(!reader.text.contains("two beats") && !reader.text.contains("No intervals: file gap"))
    }

    @Test func aStripOfMissingSamplesIsHatchedWhole() {
        let strip = SignalStrip(
            stream: "ECG", onset: 5, samples: [Float](repeating: .nan, count: 100), sampleRate: 10, unit: .millivolts,
            quality: nil, coverage: 0, reasons: ["deviceLost"])
        let report = RecordingReport(
            title: "t", duration: 60, source: RecordingSource(fileName: "f", format: "EDF"), software: "Marey",
            worstStrips: [strip])
        let reader = expectSound(report.html())
        let spans = reader.elements.filter { $0.attributes["class"] == "span" }
        #expect(spans.count == 2, "one per picture")
        #expect(spans.allSatisfy { $0.attributes["data-a"] == "5.000" && $0.attributes["data-b"] == "15.000" })
    }

    @Test func aSignalWithoutAUnitIsInDeviceUnits() {
        let strip = SignalStrip(
            stream: "BVP", onset: 5, samples: [0.5, 1, 0.5, 0], sampleRate: 64, unit: .dimensionless, quality: 0.5,
            coverage: 1)
        let report = RecordingReport(
            title: "t", duration: 60, source: RecordingSource(fileName: "f", format: "EDF"), software: "Marey",
            worstStrips: [strip])
        let reader = expectSound(report.html())
        #expect(reader.text.contains("In device units, 64 Hz") && !reader.text.contains("In 1, "))
        // Beside the axis of both pictures.
        #expect(reader.text.split(separator: "\n").count { $0 == "device units" } == 2)
    }

    @Test func theAxisOfATrendHasTwoNumbersAtLeast() {
        var report = ReportFixture.recording(duration: 900)
        for (low, high) in [(11.5, 16.9), (14.2, 16.1), (59.0, 61.4), (0.3, 0.9), (1.0, 1.0), (-4.4, 4.9)] {
            var table = Table(columns: [
                Column("onset", unit: .seconds, "Start"), Column("duration", unit: .seconds, "Length"),
                Column("meanHR", unit: Unit("1/min"), "Heart rate"),
            ])
            for (place, value) in [low, high, low].enumerated() {
                table.append([.onset(Double(place) * 300), .onset(300), .number(value)])
            }
            report.series[0].windows = table
            let page = report.html()
            let start = page.range(of: "id=\"s0-trend-wide\"")?.upperBound ?? page.endIndex
            let picture = page[start...].prefix(upTo: page[start...].range(of: "</svg>")?.lowerBound ?? start)
            // Grid lines across the panel, one a number.
            #expect(picture.components(separatedBy: "#e6e6e6").count > 2, "\(low)…\(high)")
        }
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "\" onload=\"x()", "'><img src=x>", "]]></style>", "a&b;&amp;", "\u{0}\u{1B}[31m",
        "</title><h1>", "\u{202E}cod.exe", "tab\tand\nline", "=cmd()", "日本語 ✓",
    ])
    func textOfTheUserStaysText(_ text: String) {
        var report = ReportFixture.recording(duration: 120)
        let before = expectSound(report.html())
        report.title = text
        report.subject = text
        report.task = text
        report.source = RecordingSource(fileName: text, sha256: text, format: text)
        report.software = text
        report.notes = [text]
        report.notComputed = [NotComputed(what: text, why: text), NotComputed(what: "b", why: text)]
        report.methods = Methods(
            paragraph: text,
            references: [Methods.Reference(text, doi: "10.1/\(text)"), Methods.Reference(text, doi: text)])
        report.provenance = [ProvenanceEntry(text, text), ProvenanceEntry("b", text), ProvenanceEntry("c", text)]
        for place in report.series.indices {
            report.series[place].name = text
            for row in report.series[place].corrections.indices { report.series[place].corrections[row].reason = text }
            for row in report.series[place].gaps.indices { report.series[place].gaps[row].reason = text }
            for row in report.series[place].spectra.indices { report.series[place].spectra[row].method = text }
        }
        for place in report.quality.indices { report.quality[place].stream = text }
        for place in report.worstStrips.indices {
            report.worstStrips[place].stream = text
            report.worstStrips[place].reasons = [text]
            report.worstStrips[place].unit = Unit(text)
        }
        let reader = expectSound(report.html())
        for name in ["script", "style", "h1", "title", "img"] {
            #expect(reader.count(name) == before.count(name), "as many \(name) as before")
        }
        #expect(reader.elements.allSatisfy { $0.attributes["onload"] == nil })
    }

    @Test func theRowsBehindATachogramAreTheIntervals() throws {
        let intervals = [
            TachogramInterval(onset: 1, duration: 0.8),
            TachogramInterval(onset: 1.9, duration: 0.9, status: .corrected),
            TachogramInterval(onset: 2.5, duration: 0.6, status: .removed, isContiguous: false),
        ]
        let report = RecordingReport(
            title: "t", duration: 3, source: RecordingSource(fileName: "f", format: "RR"), software: "Marey",
            series: [BeatSeries(name: "RR", intervals: intervals)])
        let reader = expectSound(report.html())
        let link = try #require(reader.elements.first { $0.attributes["download"] == "s0-tachogram.tsv" })
        #expect(
            rows(of: link.attributes["href"] ?? "") == [
                ["onset", "ibi", "status", "contiguous"], ["1.0000", "0.8000", "kept", "1"],
                ["1.9000", "0.9000", "corrected", "1"], ["2.5000", "0.6000", "removed", "0"],
            ])
    }

    @Test func theExtremesOfADaySurviveThinning() throws {
        var generator = SplitMix64(seed: 3)
        var intervals = (0..<100_000).map {
            TachogramInterval(onset: 0.86 * Double($0 + 1), duration: .random(in: 0.8...0.9, using: &generator))
        }
        intervals[41_234].duration = 0.411
        intervals[77_777].duration = 1.733
        let report = RecordingReport(
            title: "t", duration: 86_400, source: RecordingSource(fileName: "f", format: "RR"), software: "Marey",
            series: [BeatSeries(name: "RR", intervals: intervals)])
        let page = report.html()
        let reader = expectSound(page)
        let link = try #require(reader.elements.first { $0.attributes["download"] == "s0-tachogram.tsv" })
        let values = Set(rows(of: link.attributes["href"] ?? "").map { $0[1] })
        #expect(values.isSuperset(of: ["0.4110", "1.7330"]))
        #expect(page.utf8.count < 1_000_000, "\(page.utf8.count) bytes")
    }

    @Test func pairsSpanNeitherGapsNorRemovedIntervals() {
        let intervals = [
            TachogramInterval(onset: 1, duration: 0.8, isContiguous: false),
            TachogramInterval(onset: 1.9, duration: 0.9),
            TachogramInterval(onset: 2.5, duration: 0.6, status: .removed),
            TachogramInterval(onset: 3.4, duration: 0.9),
            TachogramInterval(onset: 9, duration: 0.7, isContiguous: false),
            TachogramInterval(onset: 9.8, duration: 0.8, status: .corrected),
        ]
        #expect(
            NNPair.pairs(of: intervals) == [NNPair(first: 0.8, second: 0.9), NNPair(first: 0.7, second: 0.8)])
    }
}
