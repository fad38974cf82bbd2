import Brain
import Electrochemistry
import Signals

extension RecordingAnalysis {
    /// What whoever uses the results should know of the recording: damage and oddities that its reader found, a clock
    /// that was not set, streams without a value or in a unit that cannot be read, a rhythm that correction is not made
    /// for, EEG that does not suit the parameters, channels of a stream of which one alone was used. Empty where all is well.
    public var remarks: [String] {
        var remarks = header.notes
        if let start = header.start, Self.isUnset(start) {
            remarks.append("the recorder's clock was not set: it began at \(start.description.prefix(10))")
        }
        for stream in inventory.streams where stream.samples == 0 && stream.header.kind != .marker {
            remarks.append("\(stream.header.name) has no values")
        }
        for result in results {
            remarks += [result.polarityRemark, result.rateRemark].compactMap(\.self).map {
                "\(result.source.name): \($0)"
            }
        }
        if parameters.wants(.hrv) {
            remarks += results.flatMap { result in result.remarks.map { "\(result.source.name): \($0)" } }
        }
        remarks += refused.map { "\($0.what) was not computed: \($0.why)" }
        remarks += skipped.filter { skipped in
            skipped.isFault && !refused.contains { $0.what == "EEG of \(skipped.stream)" }
                && inventory.streams.contains { $0.header.name == skipped.stream && $0.samples > 0 }
        }.map { "\($0.stream) was not computed: \($0.detail)" }
        remarks += brains.compactMap { brain -> String? in
            let bands = parameters.eeg.features.bands(beyond: brain.source.sampleRate / 2)
            guard !bands.isEmpty else { return nil }
            return "EEG of \(brain.source.name): no power in \(bands.joined(separator: ", ")), which half of its "
                + "\(brain.source.sampleRate) Hz does not hold"
        }
        return remarks + streamsOfForeignUnit + brains.compactMap(\.source.unitRemark)
            + brains.compactMap { $0.source.labelRemark(in: header) }
            + Self.channelsLeftOut(electrodermal.map(\.source) + motion.map(\.source), of: header)
            .map { "stream \($0.stream): only channel \($0.used) was used, not \($0.channels)" }
    }

    /// Channels of the skin, of motion or of a battery beside those that were analysed of the same stream.
    static func channelsLeftOut(
        _ sources: [BodySource], of header: RecordingHeader
    ) -> [(stream: String, channels: String, used: String)] {
        sources.compactMap { source in
            source.leftOut(of: header).map { (source.name, $0.channels, $0.used) }
        }
    }

    /// Streams of the skin, of motion or of a battery that would be analysed if their unit could be read, and what is
    /// wrong with it.
    public var streamsOfForeignUnit: [String] {
        header.streams.indices.compactMap { place in
            let stream = header.streams[place]
            guard let why = BodySource.foreignUnit(place, in: header),
                parameters.wants(stream.kind == .eda ? .eda : .motion),
                notComputed.contains(where: { $0.stream == place && $0.isForeignUnit })
            else { return nil }
            return "\(Self.name(of: stream)): \(why)"
        }
    }

    /// Streams of a potentiostat's potential, where it measured nothing but potentials: its results are those of a
    /// current or an impedance.
    public var potentialsAlone: [String] {
        guard electrochemistry.isEmpty, !header.streams.contains(where: ElectrochemicalPoint.isOfSecondElectrode) else {
            return []
        }
        return header.streams.indices.filter { place in
            header.streams[place].kind == .potential && header.streams[place].sampleRate == 0
                && notComputed.contains(where: { $0.stream == place })
        }.map { Self.name(of: header.streams[$0]) }
    }

    /// What a stream is called where it is told why nothing was computed of it.
    static func name(of stream: StreamHeader) -> String { "stream \(stream.name)" }

    /// Whether a moment is where clocks begin that were never set: the year 1970 (Unix), the first days of 1980 (DOS,
    /// GPS), the first day of 2000.
    private static func isUnset(_ start: Timestamp) -> Bool {
        let date = start.civil
        return date.year == 1970 || (date.year == 1980 && date.month == 1 && date.day < 8)
            || (date.year == 2000 && date.month == 1 && date.day == 1)
    }
}
