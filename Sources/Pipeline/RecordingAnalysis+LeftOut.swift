import Cardiac
import Electrochemistry
import Signals

extension RecordingAnalysis {
    /// What of a recording nothing was computed from, and why: streams that are not `used`, channels beside those that
    /// beats were taken from, and sources without beats or without enough intervals.
    static func leftOut(
        _ inventory: RecordingInventory, _ results: [CardiacResult], used: Set<Int>, isSpecific: Bool, wantsHRV: Bool
    ) -> [LeftOut] {
        var list: [LeftOut] = []
        for (index, stream) in inventory.streams.enumerated() where !used.contains(index) {
            let why = isSpecific ? "it was not asked for" : whyUnused(index, stream.header, in: inventory.header)
            let isForeign = !isSpecific && BodySource.foreignUnit(index, in: inventory.header) != nil
            list.append(LeftOut(name(of: stream.header), why, stream: index, isForeignUnit: isForeign))
        }
        for result in results {
            let name = result.source.name
            let channels = inventory.streams[result.source.stream].header.channels
            if channels.count > result.source.channels.count {
                let others = channels.indices.filter { !result.source.channels.contains($0) }
                    .map { channels[$0].label }.joined(separator: ", ")
                list.append(
                    LeftOut(
                        "channels \(others) of \(name)",
                        "beats were taken from channel \(result.source.channelNames)"))
            }
            if result.source.kind != .ibi, result.beats.isEmpty {
                list.append(LeftOut("beats of \(name)", "no beat was found"))
            } else if result.windows.isEmpty, wantsHRV {
                list.append(LeftOut("HRV of \(name)", "there are too few intervals"))
            }
        }
        return list
    }

    private static func whyUnused(_ index: Int, _ stream: StreamHeader, in header: RecordingHeader) -> String {
        let (kind, rate) = (stream.kind, stream.sampleRate)
        if [.ecg, .bvp].contains(kind), rate == 0 {
            return "its values have times of their own, and beats need even samples"
        }
        if let kind = CardiacSource.Kind(rawValue: kind.rawValue),
            let needed = SourceRequest.unfitness(of: rate, for: kind)
        {
            return "it has \((rate * 100).rounded() / 100) Hz, and beats need \(needed)"
        }
        if [.potential, .current, .impedance].contains(kind), ElectrochemicalPoint.isRepeated(stream) {
            return "the first \(stream.channels.first?.label ?? "") of each package was taken"
        }
        if [.current, .impedance].contains(kind), ElectrochemicalPoint.isOfSecondElectrode(stream) {
            return "it is a second working electrode's, and points are the first one's"
        }
        if kind == .respiration {
            let rates = BreathDetector.sampleRates
            return rate < rates.lowerBound
                ? "\(rate) Hz is below the \(rates.lowerBound) Hz that breaths need"
                : "\(rate) Hz is above the \(rates.upperBound) Hz that breaths are looked for at"
        }
        if BodySource.units[kind] != nil, case .failure(let error) = BodySource.source(index, in: header) {
            return error.problem
        }
        if kind == .eeg {
            let lowest = BrainSource.lowestSampleRate
            return rate >= lowest
                ? "by type, label or unit none of its channels is EEG"
                : "\(rate) Hz is below the \(lowest) Hz that EEG needs"
        }
        return "nothing is computed from \(kind.rawValue) signals"
    }
}
