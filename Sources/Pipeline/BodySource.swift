public import Signals

/// A stream of a recording that tells of the skin, of motion or of the device.
public struct BodySource: Hashable, Codable, Sendable {
    /// What the stream measures: skin conductance, acceleration, temperature or a battery's charge.
    public var kind: StreamKind
    /// The stream's place in the recording.
    public var stream: Int
    /// The stream's name.
    public var name: String
    /// The place of the channel, of the first of three for acceleration.
    public var channel: Int
    /// The stream's nominal sample rate in Hz; 0 for values with times of their own.
    public var sampleRate: Double
    /// What turns its values into µS, g, °C or %.
    public var factor: Double

    /// What the analysis is made for, and in which unit.
    static let units: [StreamKind: Unit] = [
        .eda: .microsiemens, .acceleration: .g, .temperature: .degreesCelsius, .battery: .percent,
    ]

    /// The sources of a recording, first of each stream, in the order of its streams.
    public static func all(in header: RecordingHeader) -> [BodySource] {
        header.streams.indices.compactMap { try? source($0, in: header).get() }
    }

    /// The source that is the stream at this place, or why it is none.
    /// - Parameter channel: the channel that is meant; nil for the first whose unit can be read.
    static func source(
        _ place: Int, in header: RecordingHeader, channel: Int? = nil
    ) -> Result<BodySource, PipelineError> {
        let stream = header.streams[place]
        guard let unit = units[stream.kind], !stream.channels.isEmpty else {
            return .failure(PipelineError("\(stream.kind.rawValue) is not analysed"))
        }
        let least: Double
        switch stream.kind {
        case .eda: least = 1
        case .acceleration:
            least = 1
            guard stream.channels.count >= 3 else { return .failure(PipelineError("acceleration needs three axes")) }
        case .temperature: least = 0.01
        default: least = 0
        }
        guard let channel = channel.map({ $0 - $0 % axes(stream.kind) }) ?? readable(stream).first,
            let factor = stream.channels[channel].unit.factor(to: unit)
        else {
            return .failure(
                PipelineError(
                    foreignUnit(place, in: header, channel: channel) ?? "its unit is not known",
                    advice:
                        "convert the values to \(unit), or, if they are in it already, say so where the file names its "
                        + "units (text: with --columns)"))
        }
        guard stream.sampleRate >= least else {
            return .failure(PipelineError("\(stream.sampleRate) Hz is below the \(least) Hz that it needs"))
        }
        return .success(
            BodySource(
                kind: stream.kind, stream: place, name: stream.name, channel: channel,
                sampleRate: stream.sampleRate, factor: factor))
    }

    /// What is wrong with the unit of the stream at this place; nil where it can be read, or need not.
    static func foreignUnit(_ place: Int, in header: RecordingHeader, channel: Int? = nil) -> String? {
        let stream = header.streams[place]
        guard let unit = units[stream.kind],
            let place = channel ?? readable(stream).first ?? stream.channels.indices.first,
            case let found = stream.channels[place].unit, found.factor(to: unit) == nil
        else { return nil }
        let words = found == .unknown ? "no unit" : "the unit \(found)"
        return "it has \(words), and \(stream.kind.rawValue) is read in \(unit)"
    }

    /// How many channels make one source.
    private static func axes(_ kind: StreamKind) -> Int { kind == .acceleration ? 3 : 1 }

    /// The channels that could be the source, by their units; where three are the axes of one, where these begin.
    private static func readable(_ stream: StreamHeader) -> [Int] {
        guard let unit = units[stream.kind] else { return [] }
        let axes = axes(stream.kind)
        return stride(from: 0, through: stream.channels.count - axes, by: axes).filter {
            stream.channels[$0].unit.factor(to: unit) != nil
        }
    }

    /// What there is none of, in words: a wish that is a kind tells all of it.
    private static func wanted(_ wish: String?, of kinds: [StreamKind]) -> String {
        let names = kinds.map(\.rawValue)
        if let wish, names.contains(wish) { return "no \(wish) stream" }
        let others = names.dropLast().joined(separator: ", ")
        let listed = (others.isEmpty ? "" : "\(others) or ") + (names.last ?? "")
        return "no \(listed) stream" + (wish.map { " called \($0)" } ?? "")
    }

    /// What whoever reads only its results should know: that the stream has other channels like it, which are not
    /// analysed; nil where it has none.
    func leftOut(of header: RecordingHeader) -> (channels: String, used: String)? {
        let channels = header.streams[stream].channels
        let others = Self.readable(header.streams[stream]).filter { $0 != channel }.map { channels[$0].label }
        return others.isEmpty ? nil : (others.joined(separator: ", "), channels[channel].label)
    }

    /// The source of one of these kinds that a request means.
    /// - Throws: `PipelineError` when the recording has none.
    static func meant(
        by request: SourceRequest, kinds: [StreamKind], in header: RecordingHeader, file: String
    ) throws(PipelineError) -> BodySource {
        let places = header.streams.indices.filter { place in
            let stream = header.streams[place]
            guard kinds.contains(stream.kind) else { return false }
            guard let wish = request.stream else { return true }
            return stream.name == wish || stream.kind.rawValue == wish || String(place) == wish
        }
        // Kinds are in the order of preference.
        let first = kinds.lazy.compactMap { kind in places.first { header.streams[$0].kind == kind } }.first
        guard let first else {
            let has = header.streams.map { "\($0.name) (\($0.kind.rawValue))" }.joined(separator: ", ")
            throw PipelineError(
                "\(file): \(wanted(request.stream, of: kinds))",
                advice: (kinds.contains(.eda) ? resistance(in: header) : nil)
                    ?? "it has \(has.isEmpty ? "no streams" : has)")
        }
        let channels = header.streams[first].channels
        let channel = request.channel.flatMap { wish in
            channels.firstIndex { $0.label == wish } ?? Int(wish).flatMap { channels.indices.contains($0) ? $0 : nil }
        }
        if let wish = request.channel, channel == nil {
            throw PipelineError(
                "\(file): stream \(header.streams[first].name) has no channel \(wish)",
                advice: "it has \(channels.map(\.label).joined(separator: ", "))")
        }
        do { return try source(first, in: header, channel: channel).get() } catch {
            throw PipelineError(
                "\(file): stream \(header.streams[first].name): \(error.problem)", advice: error.advice)
        }
    }

    /// What to do with skin resistance, where a recording has it; nil where it has none.
    private static func resistance(in header: RecordingHeader) -> String? {
        let channels = header.streams.lazy.filter { $0.kind == .other }.flatMap(\.channels)
        return channels.first { $0.unit.rawValue.hasSuffix("Ohm") || $0.unit.rawValue.hasSuffix("Ω") }.map {
            "\($0.label) is in \($0.unit), a resistance: conductance in µS is 1,000 divided by kOhm"
        }
    }

    /// The samples of its channel in a block, in the analysis's unit.
    func samples(of block: SampleBlock, channel: Int) -> [Float] {
        let values = block.samples[block.range(ofChannel: channel)]
        return factor == 1 ? Array(values) : values.map { Float(Double($0) * factor) }
    }

    /// The samples of three axes in a block, g.
    func axes(of block: SampleBlock) -> [SIMD3<Float>] {
        guard block.channelCount >= channel + 3 else { return [] }
        let (x, y, z) = (
            block.range(ofChannel: channel).lowerBound, block.range(ofChannel: channel + 1).lowerBound,
            block.range(ofChannel: channel + 2).lowerBound
        )
        let scale = Float(factor)
        return (0..<block.frameCount).map {
            SIMD3(block.samples[x + $0], block.samples[y + $0], block.samples[z + $0]) * scale
        }
    }
}
