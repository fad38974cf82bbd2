public import Brain

/// The features of epochs in order of time.
public typealias BrainEpochs = StoredSeries<EpochLayout>

/// How the features of an epoch are laid out as numbers.
public struct EpochLayout: SeriesLayout {
    let channels: Int

    /// An epoch that can be read no more.
    public var unknown: ChannelValues {
        ChannelValues(
            onset: .nan, duration: .nan,
            channels: Array(repeating: Epoch.ChannelState(coverage: 0, reasons: [.gap]), count: channels),
            values: FeatureRows([], channels: channels))
    }

    /// How many numbers an epoch is.
    public func size(of epoch: ChannelValues) -> Int { 2 + channels * (2 + epoch.values.features) }

    /// Onset, duration, and for each channel its coverage, a bit per reason and its features.
    public func numbers(_ epoch: ChannelValues, size: Int) -> [Double] {
        var numbers = [epoch.onset, epoch.duration]
        numbers.reserveCapacity(size)
        for (channel, state) in epoch.channels.enumerated() {
            var bits = 0
            for (place, reason) in EpochReason.allCases.enumerated() where state.reasons.contains(reason) {
                bits |= 1 << place
            }
            numbers += [state.coverage, Double(bits)]
            numbers += epoch.values.numbers[epoch.values.range(of: channel)]
        }
        return numbers
    }

    /// The epoch of these numbers.
    public func value(_ numbers: [Double]) -> ChannelValues? {
        guard channels > 0, (numbers.count - 2) % channels == 0 else { return nil }
        let size = (numbers.count - 2) / channels
        guard size >= 2 else { return nil }
        var (states, values): ([Epoch.ChannelState], [Double]) = ([], [])
        for channel in 0..<channels {
            let first = 2 + channel * size
            let bits = Int(numbers[first + 1])
            let reasons = EpochReason.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)
            states.append(Epoch.ChannelState(coverage: numbers[first], reasons: reasons))
            values += numbers[first + 2..<first + size]
        }
        return ChannelValues(
            onset: numbers[0], duration: numbers[1], channels: states, values: FeatureRows(values, channels: channels))
    }
}
