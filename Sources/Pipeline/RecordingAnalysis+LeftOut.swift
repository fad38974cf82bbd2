import Cardiac
import Electrochemistry
import Signals

extension RecordingAnalysis {
    /// The indices of the streams that are not `used`.
    static func unused(_ inventory: RecordingInventory, used: Set<Int>) -> [Int] {
        inventory.streams.indices.filter { !used.contains($0) }
    }

    /// Why nothing was computed from the `unused` streams of a recording, in their order.
    static func skipped(_ inventory: RecordingInventory, unused: [Int], isSpecific: Bool) -> [SkippedStream] {
        unused.map { index in
            let header = inventory.streams[index].header
            let (cause, detail) =
                isSpecific
                ? (.notRequested, "it was not asked for") : whyUnused(index, header, in: inventory.header)
            return SkippedStream(stream: header.name, kind: header.kind, cause: cause, detail: detail)
        }
    }

    /// What of a recording nothing was computed from, and why: `skipped` streams, channels beside those that beats were
    /// taken from, and sources without beats or without enough intervals.
    static func leftOut(
        _ inventory: RecordingInventory, _ results: [CardiacResult], unused: [Int], _ skipped: [SkippedStream],
        wantsHRV: Bool
    ) -> [LeftOut] {
        var list = zip(unused, skipped).map { index, stream in
            let isForeign = stream.cause == .unit && BodySource.foreignUnit(index, in: inventory.header) != nil
            return LeftOut(
                name(of: inventory.streams[index].header), stream.detail, stream: index, isForeignUnit: isForeign)
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

    private static func whyUnused(
        _ index: Int, _ stream: StreamHeader, in header: RecordingHeader
    ) -> (SkippedStream.Cause, String) {
        let (kind, rate) = (stream.kind, stream.sampleRate)
        if [.ecg, .bvp].contains(kind), rate == 0 {
            return (.unevenSamples, "its values have times of their own, and beats need even samples")
        }
        if let kind = CardiacSource.Kind(rawValue: kind.rawValue),
            let needed = SourceRequest.unfitness(of: rate, for: kind)
        {
            return (.sampleRate, "it has \((rate * 100).rounded() / 100) Hz, and beats need \(needed)")
        }
        if [.potential, .current, .impedance].contains(kind), ElectrochemicalPoint.isRepeated(stream) {
            return (.represented, "the first \(stream.channels.first?.label ?? "") of each package was taken")
        }
        if [.current, .impedance].contains(kind), ElectrochemicalPoint.isOfSecondElectrode(stream) {
            return (.represented, "it is a second working electrode's, and points are the first one's")
        }
        if kind == .respiration {
            let rates = BreathDetector.sampleRates
            return (
                .sampleRate,
                rate < rates.lowerBound
                    ? "\(rate) Hz is below the \(rates.lowerBound) Hz that breaths need"
                    : "\(rate) Hz is above the \(rates.upperBound) Hz that breaths are looked for at"
            )
        }
        if BodySource.units[kind] != nil, case .failure(let error) = BodySource.source(index, in: header) {
            return (.unit, error.problem)
        }
        if kind == .eeg {
            let lowest = BrainSource.lowestSampleRate
            return rate >= lowest
                ? (.noChannel, "by type, label or unit none of its channels is EEG")
                : (.sampleRate, "\(rate) Hz is below the \(lowest) Hz that EEG needs")
        }
        return (.noMethod, "nothing is computed from \(kind.rawValue) signals")
    }
}
