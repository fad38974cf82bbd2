public import Foundation
public import Signals

/// Reads MATLAB files that BIOPAC's AcqKnowledge saved (AcqKnowledge software guide, "Save as: MATLAB"): `data` with a column
/// for each channel, `labels` and `units` with a row for each, `isi` and `isi_units`, the interval between samples.
///
/// - **Streams**: channels of one kind; kinds are told from labels and units, as in `.acq` files, which know more: markers,
///   pauses, the rates of slower channels and when it was recorded.
/// - Time 0 is the first sample; where a selection was saved, a note tells what `start_sample` says.
public final class AcqKnowledgeMatlab: RecordingReader {
    private let frames: FrameRecording
    private static let names: Set<String> = ["data", "labels", "units", "isi", "isi_units"]

    /// What the recording holds.
    public var header: RecordingHeader { frames.header }

    /// Opens a file.
    /// - Throws: `FormatError` when it cannot be read, or its variables do not fit each other.
    public init(_ url: URL) throws {
        let variables = try MatlabVariables(InputFile(url))
        guard case .numbers(let numbers)? = try variables.value("data", .value, isChecked: false), numbers.count > 0,
            numbers.shape.count == 2, !numbers.isComplex
        else { throw FormatError(url, "has no samples in the matrix data, a column for each channel") }
        let (frameCount, channelCount) = (numbers.shape[0], numbers.shape[1])
        let labels = try variables.lines("labels") ?? []
        let units = try variables.lines("units") ?? []
        guard labels.count == channelCount, units.count == channelCount else {
            throw FormatError(
                url, "has \(channelCount) columns of data, \(labels.count) labels and \(units.count) units")
        }
        guard let interval = try variables.value("isi", .value, isChecked: true)?.number, interval > 0,
            let unit = try variables.lines("isi_units")?.first.flatMap(DelimitedTime.unit(called:)),
            case let rate = unit.perSecond / interval, Plausible.sampleRates.contains(rate)
        else { throw FormatError(url, "tells no interval between samples that can be, in isi and isi_units") }
        let sampleRate = abs(rate - rate.rounded()) < 1e-6 * rate ? rate.rounded() : rate
        var groups = KindGroups<BinaryFrames.Channel>(sampleRate: sampleRate, frameCount: frameCount)
        for place in 0..<channelCount {
            let channel = Channel(
                label: labels[place].isEmpty ? "CH\(place + 1)" : labels[place], unit: Unit(units[place]))
            let kind = AcqKnowledgeLabel.kind(channel)
            let meant = Channel(label: channel.label, unit: SignalKind.meant(channel.unit, by: kind))
            groups.add(meant, kind: kind == .marker ? .other : kind, reading: .init(place: place, gain: 1))
        }
        let first = try variables.value("start_sample", .value, isChecked: true)?.number ?? 0
        let (bytes, place) = try numbers.unpacked()
        frames = FrameRecording(
            header: RecordingHeader(
                duration: Double(frameCount) / sampleRate, streams: groups.streams, format: "AcqKnowledge MATLAB",
                notes: first == 0 ? [] : [AcqKnowledgeText.note(ofBegin: first / unit.perSecond)]),
            frames: BinaryFrames(
                input: bytes, offset: place, channelCount: channelCount, frameCount: frameCount,
                number: numbers.stored, isBigEndian: numbers.isBigEndian, isVectorized: true),
            streams: groups.channels,
            runs: [.init(frames: 0..<frameCount, start: SegmentStart(onset: 0, sample: 0, sampleRate: sampleRate))])
    }

    /// The next piece; nil at the end.
    /// - Throws: `FormatError` when samples cannot be read.
    public func next() throws -> RecordingEvent? { try frames.next() }

    /// Whether a file is one of MATLAB with these variables.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        guard MatlabVariables.isBigEndian(head) != nil,
            let variables = try? MatlabVariables(InputFile(url)).variables
        else { return false }
        return names.isSubset(of: variables.map(\.name))
    }
}
