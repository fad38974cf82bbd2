import Brain
import Electrochemistry
import Electrodermal
import Foundation
import Pipeline
import Reports
import Signals
import Simulation
import TestSupport
import Testing

/// What the figures of EEG, skin conductance and impedance draw is the data: each point at its time and its value. Places
/// are told to a tenth of a unit, so two of them differ by 0.1 at most from where they should be.
@Suite struct DrawnSignalsTests {
    private static let rounding = 0.11

    /// Two minutes of a headband's EEG and of skin conductance.
    /// - Parameter eeg: 120 s of four channels at 256 Hz, in µV; nil: a simulated headband's.
    private static func report(eeg samples: [Float]? = nil) throws -> RecordingReport {
        let conductance = (0..<480).map { frame -> Float in
            let time = Double(frame) / 4
            // A response every 15 s: it rises with 0.7 s and recovers with 2 s.
            let responses = stride(from: 5.0, to: 120, by: 15).map { begin -> Double in
                let age = time - begin
                return age > 0 ? exp(-age / 2) - exp(-age / 0.7) : 0
            }
            return Float(3 + 0.3 * sin(time / 60) + responses.reduce(0, +))
        }
        let skin = Signals.Stream(
            header: StreamHeader(
                name: "eda", kind: .eda, channels: [Channel(label: "EDA", unit: .microsiemens)], sampleRate: 4),
            segments: [
                Segment(start: SegmentStart(onset: 0, sample: 0, sampleRate: 4), block: SampleBlock(conductance))
            ])
        var signal = EEGSignal(EEGParameters(), seed: 9)
        let block = SampleBlock(
            channelCount: 4, samples: samples ?? signal.render(0..<256 * 120).flatMap { $0.map { Float($0) } })
        let header = StreamHeader(
            name: "eeg", kind: .eeg, channels: EEGParameters().labels.map { Channel(label: $0, unit: .microvolts) },
            sampleRate: 256)
        let eeg = Signals.Stream(
            header: header, segments: [Segment(start: SegmentStart(onset: 0, sample: 0, sampleRate: 256), block: block)]
        )
        let recording = Recording(header: RecordingHeader(duration: 120, format: "test"), streams: [skin, eeg])
        let analysis = try RecordingAnalysis(RecordedEvents(recording), parameters: Parameters(), file: "test")
        return try RecordingReport(
            analysis, provenance: Provenance(inputs: [], parameters: Parameters()), title: "test"
        ) { RecordedEvents(recording) }
    }

    private static let made = Result { () throws -> (report: RecordingReport, page: String) in
        let report = try Self.report()
        return (report, report.html())
    }

    private static func drawn() throws -> (report: RecordingReport, page: PageReader) {
        let (report, page) = try made.get()
        return (report, PageReader(page))
    }

    /// The rows behind a figure, header first.
    private static func data(_ name: String, on page: PageReader) throws -> [[String]] {
        let link = try #require(page.elements.first { $0.attributes["download"] == name }, "no \(name)")
        return rows(of: link.attributes["href"] ?? "")
    }

    @Test func tracesAreTheChannelsAndMarksStandWhereTheEyesMoved() throws {
        let (report, page) = try Self.drawn()
        let series = try #require(report.brains.first)
        let traces = try #require(series.traces.first)
        let picture = try DrawnPicture("eeg-0-traces-0-wide", on: page)
        let end = traces.onset + traces.duration
        let frame = try #require(picture.frames.last).frame
        let blinks = series.eyes.filter { $0.kind == .blink && $0.onset >= traces.onset && $0.onset <= end }
        #expect(!blinks.isEmpty)
        let tips = try picture.path(["fill": "#D55E00"]).runs.map { $0[2].x }
        #expect(tips.count == blinks.count)
        for (tip, blink) in zip(tips, blinks) {
            #expect(abs(tip - frame.x(blink.onset, traces.onset, end)) <= Self.rounding)
        }
        let lines = picture.places(["stroke-width": "0.9"])
        #expect(lines.count == traces.channels.count)
        var slopes: [Double] = []
        for (place, samples) in zip(lines, traces.channels) {
            let pairs = picture.paths[place].points.map { point -> (value: Double, place: Double) in
                let time = frame.across(point.x, traces.onset, end) - traces.onset
                let index = min(max(0, Int((time * traces.sampleRate).rounded())), samples.count - 1)
                return (Double(samples[index]), point.y)
            }
            // Of each column of the picture the ends and extremes.
            #expect(pairs.count > 500)
            let line = try #require(straightness(pairs))
            #expect(line.misfit <= 2 * Self.rounding, "\(line)")
            slopes.append(line.slope)
        }
        // Upwards, and all channels in one scale.
        #expect(slopes.allSatisfy { $0 < 0 && abs($0 - slopes[0]) <= 0.02 * abs(slopes[0]) }, "\(slopes)")
    }

    @Test func belowTheSpectrogramAreTheMetricsAndTheBlinks() throws {
        let (report, page) = try Self.drawn()
        let series = try #require(report.brains.first)
        let picture = try DrawnPicture("eeg-0-spectrogram-wide", on: page)
        for name in ["engagement", "thetaBeta"] {
            let column = try #require(series.trend.columns.firstIndex { $0.name == name })
            let known = series.trend.rows.compactMap { row -> (middle: Double, value: Double)? in
                guard case .onset(let onset) = row[0], case .onset(let duration) = row[1],
                    case .number(let value) = row[column]
                else { return nil }
                return (onset + duration / 2, value)
            }
            #expect(known.count > 50)
            let place = try #require(picture.places(["class": "lane-\(name)"]).first)
            let frame = try picture.frame(after: place)
            let points = picture.paths[place].points
            #expect(points.count == known.count)
            let (low, high) = (known.map(\.value).min() ?? 0, known.map(\.value).max() ?? 0)
            let step = (high - low) / (frame.bottom - frame.top)
            for (point, (middle, value)) in zip(points, known) {
                #expect(abs(point.x - frame.x(middle, 0, 120)) <= Self.rounding)
                #expect(abs(frame.up(point.y, low, high) - value) <= Self.rounding * step)
            }
        }
        let place = try #require(picture.places(["class": "lane-blinks"]).first)
        let frame = try picture.frame(after: place)
        let blinks = series.eyes.filter { $0.kind == .blink }
        #expect(picture.paths[place].runs.count == blinks.count && !blinks.isEmpty)
        for (run, blink) in zip(picture.paths[place].runs, blinks) {
            #expect(abs(run[0].x - frame.x(blink.onset, 0, 120)) <= Self.rounding)
        }
        let overview = try #require(series.overview)
        let rows = try Self.data("eeg-0-spectrogram.tsv", on: page)
        #expect(rows.count == overview.spectrogram.count + 1)
        let bins = overview.frequencies.indices.filter { $0 >= 1 && overview.frequencies[$0] <= 45 }
        for (row, slice) in zip(rows.dropFirst(), overview.spectrogram) {
            #expect(row.count == bins.count + 1 && abs((Double(row[0]) ?? -1) - slice.onset) < 1e-3)
            for (cell, bin) in zip(row.dropFirst(), bins) {
                #expect(abs((Double(cell) ?? 99) - Double(slice.density[bin])) <= 0.0051)
            }
        }
    }

    /// One number alone tells no scale, and the spectrum of noise spans less than a power of ten.
    @Test(arguments: [3, 5, 8, 13, 20.0])
    func axesOfSpectraHaveTwoNumbersAtLeast(size: Double) throws {
        var source = SplitMix64(seed: 5)
        let noise = (0..<256 * 120 * 4).map { _ in Float(size * Double.random(in: -1...1, using: &source)) }
        let page = PageReader(try Self.report(eeg: noise).html())
        let picture = try DrawnPicture("eeg-0-spectrum-wide", on: page)
        let (grid, panels) = (picture.places(["stroke": "#e6e6e6"]).count, picture.frames.count)
        #expect(panels > 0 && grid >= 2 * panels && grid.isMultiple(of: panels), "\(grid) \(panels)")
    }

    @Test func whereAChannelHasNoSamplesItsTraceIsHatched() throws {
        var report = try Self.made.get().report
        report.brains[0].traces = [report.brains[0].traces[0]]
        func isHatched(_ page: String) -> Bool {
            page.contains("Hatched: no samples") && page.contains("no samples, 2 s")
        }
        #expect(!isHatched(report.html()))
        for place in 256..<768 { report.brains[0].traces[0].channels[1][place] = .nan }
        #expect(isHatched(report.html()))
    }

    @Test func spectraAndTheirFitsAreDrawnInOneScale() throws {
        let (report, page) = try Self.drawn()
        let series = try #require(report.brains.first)
        let overview = try #require(series.overview)
        let picture = try DrawnPicture("eeg-0-spectrum-wide", on: page)
        let (lines, fits) = (picture.places(["stroke-width": "1.2"]), picture.places(["stroke-dasharray": "5 3"]))
        #expect(lines.count == 4 && fits.count == 4)
        let bins = overview.frequencies.indices.filter { (0.99...45.01).contains(overview.frequencies[$0]) }
        for (channel, (line, dashed)) in zip(lines, fits).enumerated() {
            let density = try #require(overview.density(ofChannel: channel))
            let frame = try picture.frame(after: line)
            let points = picture.paths[line].points
            #expect(points.count == bins.count)
            for (point, bin) in zip(points, bins) {
                #expect(abs(point.x - frame.x(log10(overview.frequencies[bin]), 0, log10(45))) <= Self.rounding)
            }
            let heights = zip(points, bins).map { (value: density[$1], place: $0.y) }
            // The ends of the fit lie in the scale of the spectrum.
            let fit = try #require(series.fits[channel])
            let ends = [series.fitted.lower, series.fitted.upper].map { fit.offset - fit.exponent * log10($0) }
            let drawn = picture.paths[dashed].points
            #expect(drawn.count == 2)
            let all = heights + zip(ends, drawn).map { (value: $0, place: $1.y) }
            let scale = try #require(straightness(all))
            #expect(scale.slope < 0 && scale.misfit <= 2 * Self.rounding, "\(scale)")
            for (end, frequency) in zip(drawn, [series.fitted.lower, series.fitted.upper]) {
                #expect(abs(end.x - frame.x(log10(frequency), 0, log10(45))) <= Self.rounding)
            }
        }
    }

    @Test func skinConductanceIsDrawnAsItIsAndResponsesAtTheirPeaks() throws {
        let (report, page) = try Self.drawn()
        let series = try #require(report.skin.first)
        let picture = try DrawnPicture("skin-0-wide", on: page)
        let frames = picture.frames.map(\.frame)
        #expect(frames.count == 2)
        let peaks = series.responses.filter { !$0.isDoubtful }.map(\.peak)
        // Of the two with this fill the legend's comes first.
        let marks = try #require(picture.places(["fill": "#D55E00"]).last)
        #expect(picture.paths[marks].runs.count == peaks.count && !peaks.isEmpty)
        for (run, peak) in zip(picture.paths[marks].runs, peaks) {
            #expect(abs(run[0].x - frames[1].x(peak, 0, 120)) <= Self.rounding)
        }
        typealias Pairs = [(value: Double, place: Double)]
        func pairs(
            _ frame: DrawnPicture.Frame, _ width: String, _ color: String, _ value: KeyPath<ElectrodermalSample, Float>
        ) throws -> Pairs {
            // Marks and the legend's lines have few points.
            let paths = picture.places(["stroke": color, "stroke-width": width]).map { picture.paths[$0] }
            let line = try #require(paths.max { $0.points.count < $1.points.count })
            return line.points.map { point in
                let time = frame.across(point.x, 0, 120)
                let sample = series.samples.min { abs($0.onset - time) < abs($1.onset - time) }
                return (Double(sample?[keyPath: value] ?? .nan), point.y)
            }
        }
        let raw = try pairs(frames[0], "0.9", "#6b6b6b", \.raw)
        let tonic = try pairs(frames[0], "1.6", "#0072B2", \.tonic)
        let phasic = try pairs(frames[1], "0.9", "#000000", \.phasic)
        #expect(raw.count > 300 && tonic.count > 300 && phasic.count > 300)
        for drawn in [raw + tonic, phasic] {
            let scale = try #require(straightness(drawn))
            #expect(scale.slope < 0 && scale.misfit <= 2 * Self.rounding, "\(scale)")
        }
        let rows = try Self.data("skin-0.tsv", on: page)
        #expect(rows.count == series.samples.count + 1)
        for (row, sample) in zip(rows.dropFirst(), series.samples) {
            #expect(abs((Double(row[1]) ?? -1) - Double(sample.raw)) < 1e-4)
            #expect(abs((Double(row[2]) ?? -1) - Double(sample.tonic)) < 1e-4)
        }
    }

    @Test func impedanceIsDrawnInOneScaleForBothParts() throws {
        // 100 Ω in series with 1 kΩ beside 1 µF.
        let points = (0..<30).map { index -> ElectrochemicalPoint in
            let frequency = pow(10, 5 - Double(index) / 6)
            let turn = 2 * Double.pi * frequency * 1e-3
            let real = 100 + 1_000 / (1 + turn * turn)
            return ElectrochemicalPoint(
                onset: Double(index), frequency: frequency, real: real, imaginary: -1_000 * turn / (1 + turn * turn))
        }
        let spectrum = try #require(ImpedanceSpectrum(points))
        var report = RecordingReport(
            title: "cell", duration: 30, source: RecordingSource(fileName: "a.txt", format: "test"), software: "Marey")
        report.electrochemistry = [ElectrochemistrySection(points: points, spectra: [spectrum])]
        let page = PageReader(report.html())
        let picture = try DrawnPicture("nyquist-half", on: page)
        let dots = try picture.path(["stroke": "#0072B2"]).runs.map { $0[0] }
        #expect(dots.count == 30)
        let across = try #require(straightness(zip(spectrum.points, dots).map { (value: $0.real, place: $1.x) }))
        let up = try #require(straightness(zip(spectrum.points, dots).map { (value: $0.imaginary, place: $1.y) }))
        #expect(across.misfit <= 2 * Self.rounding && up.misfit <= 2 * Self.rounding)
        #expect(across.slope > 0 && abs(across.slope - up.slope) <= 0.01 * across.slope, "\(across) \(up)")
        let rows = try Self.data("nyquist.tsv", on: page)
        #expect(rows.count == 31)
        for (row, point) in zip(rows.dropFirst(), spectrum.points) {
            #expect(abs((Double(row[1]) ?? 0) - point.real) <= 1e-5 * point.real)
        }
    }
}
