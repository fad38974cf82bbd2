import Foundation
import Signals

/// What a BrainVision header file (`.vhdr`) says (BrainVision Core Data Format 1.0, section 2).
struct BrainVisionHeader {
    struct Channel {
        var name: String
        var reference: String
        var unit: Signals.Unit
        /// Physical units per stored unit.
        var resolution: Double
    }

    let url: URL
    private(set) var channels: [Channel] = []
    private(set) var sampleRate = 0.0
    private(set) var number = BinaryFrames.Number.int16
    private(set) var isBigEndian = false
    private(set) var isVectorized = false
    /// Moments as the header counts them.
    private(set) var frameCount: Int?
    private(set) var isSegmented = false
    private let dataName: String
    private let markerName: String?
    private static let mostChannels = 1 << 16

    /// - Throws: `FormatError` naming the line that cannot be understood.
    init(reading url: URL) throws {
        self.url = url
        let text = try BrainVisionText(reading: url, title: "header file")
        let common = "common infos"
        guard let dataName = text.value(common, "DataFile") else {
            throw FormatError(url, "names no DataFile in [Common Infos]")
        }
        self.dataName = dataName
        markerName = text.value(common, "MarkerFile")
        if let format = text.value(common, "DataFormat"), format.uppercased() != "BINARY" {
            throw FormatError(
                url, "its samples are stored as \(format.prefix(20)), expected BINARY", advice: "export it as binary")
        }
        switch text.value(common, "DataOrientation")?.uppercased() {
        case nil, "MULTIPLEXED"?: break
        case "VECTORIZED"?: isVectorized = true
        case let other?: throw FormatError(url, "DataOrientation is \(other.prefix(20)), which is unknown")
        }
        guard let count = try text.integer(common, "NumberOfChannels", 1...Self.mostChannels) else {
            throw FormatError(url, "does not say the NumberOfChannels")
        }
        frameCount = try text.integer(common, "DataPoints", 0...(1 << 48))
        isSegmented = ["MARKERBASED", "FIXTIME"].contains(text.value(common, "SegmentationType")?.uppercased())
        if text.value(common, "DataType")?.uppercased() == "FREQUENCYDOMAIN" {
            throw FormatError(url, "holds spectra, expected samples in time")
        }
        sampleRate = try Self.rate(text)
        (number, isBigEndian) = try Self.number(text)
        channels = try Self.channels(text, count)
    }

    private static func rate(_ text: BrainVisionText) throws -> Double {
        guard let entry = text.entry("common infos", "SamplingInterval"),
            let interval = NumberParsing.double(entry.value), Plausible.sampleRates.contains(1e6 / interval)
        else { throw FormatError(text.file, "has no SamplingInterval in microseconds") }
        let decimals = entry.value.drop { $0 != "." }.dropFirst().prefix { $0.isNumber }.count
        let rounding = decimals < 16 ? 0.5 / powersOfTen[decimals] : 0
        let whole = (1e6 / interval).rounded()
        // 833.3333 stands for 1200 Hz.
        return whole >= 1 && abs(1e6 / whole - interval) <= rounding * (decimals > 0 ? 1 : 1e-9)
            ? whole : 1e6 / interval
    }

    private static func number(_ text: BrainVisionText) throws -> (BinaryFrames.Number, Bool) {
        let isBigEndian = text.value("binary infos", "UseBigEndianOrder")?.uppercased() == "YES"
        switch text.value("binary infos", "BinaryFormat")?.uppercased() {
        case "INT_16"?: return (.int16, isBigEndian)
        case "UINT_16"?: return (.uint16, isBigEndian)
        case "INT_32"?: return (.int32, isBigEndian)
        case "IEEE_FLOAT_32"?: return (.float32, isBigEndian)
        case "IEEE_FLOAT_64"?: return (.float64, isBigEndian)
        case let other:
            throw FormatError(
                text.file, "BinaryFormat is \(other?.prefix(20) ?? "missing")",
                advice: "INT_16, UINT_16, INT_32, IEEE_FLOAT_32 and IEEE_FLOAT_64 are read")
        }
    }

    private static func channels(_ text: BrainVisionText, _ count: Int) throws -> [Channel] {
        var found: [Int: Channel] = [:]
        for entry in text.sections["channel infos"] ?? [] {
            guard entry.key.lowercased().hasPrefix("ch"), let place = Int(entry.key.dropFirst(2)) else { continue }
            let fields = BrainVisionText.fields(entry.value)
            let resolution = fields.count > 2 && !fields[2].isEmpty ? NumberParsing.double(fields[2]) : 1
            guard let resolution, resolution.isFinite, resolution != 0 else {
                throw FormatError(
                    text.file, at: "line \(entry.line)",
                    "the resolution of channel \(place) is \"\(fields[2].prefix(40))\", expected a number")
            }
            // Microvolt where no unit is given, as the format has it.
            let unit = fields.count > 3 && !fields[3].isEmpty ? Unit(fields[3]) : .microvolts
            found[place] = Channel(
                name: fields[0].isEmpty ? "Ch\(place)" : fields[0], reference: fields.count > 1 ? fields[1] : "",
                unit: unit, resolution: resolution)
        }
        return try (1...count).map { place in
            guard let channel = found[place] else {
                throw FormatError(text.file, "has \(count) channels, but no entry Ch\(place) in [Channel Infos]")
            }
            return channel
        }
    }

    // MARK: files beside the header

    /// The file with the samples, and a note where it has another name than the header says.
    /// - Throws: `FormatError` when there is none.
    func dataFile() throws -> (url: URL, note: String?) {
        if let found = beside(dataName, extensions: ["eeg", "dat", "seg", "avg"]) { return found }
        throw FormatError(url, "its samples are in \(dataName), which is not beside it")
    }

    /// The file with the markers; nil where the header names none or it is not there.
    func markerFile() -> (url: URL, note: String?)? {
        guard let markerName else { return nil }
        return beside(markerName, extensions: ["vmrk"])
    }

    /// Whether the header names a file of markers.
    var namesMarkers: Bool { markerName != nil }

    /// The file called `name` in the header's folder; where there is none, one called as the header, since renaming the
    /// files is commoner than telling the header.
    private func beside(_ name: String, extensions: [String]) -> (url: URL, note: String?)? {
        let stem = url.deletingPathExtension()
        // Names may come with another machine's path; `$b` stands for the header's own name.
        let last = name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? name
        let expanded = last.replacing("$b", with: stem.lastPathComponent)
        let place = url.deletingLastPathComponent().appendingPathComponent(expanded)
        // A link to content that was not fetched is there: whoever reads it says how to get it.
        if UnfetchedFile.isNamed(place.path) { return (place, nil) }
        for ending in [place.pathExtension] + extensions {
            let renamed = stem.appendingPathExtension(ending)
            if UnfetchedFile.isNamed(renamed.path) {
                return (renamed, "\(expanded) is not there; \(renamed.lastPathComponent) was read instead")
            }
        }
        return nil
    }
}
