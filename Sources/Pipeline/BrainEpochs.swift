public import Brain

/// The features of epochs in order of time. The latest are in memory; those before them are in a temporary file that
/// nobody else sees, so that days of EEG need no more memory than an hour.
///
/// Where no temporary file can be written all stay in memory.
public struct BrainEpochs: RandomAccessCollection, Sendable {
    /// How many numbers are held in memory at most.
    private static let mostHeld = 2_000_000

    private let layout: EpochLayout
    private var file: EpochFile?
    private var stored = 0
    private var held: [ChannelValues] = []
    private var mayStore = true

    /// No epochs yet, of so many channels.
    init(channels: Int) { layout = EpochLayout(channels: channels) }

    /// 0.
    public var startIndex: Int { 0 }
    /// How many there are.
    public var endIndex: Int { stored + held.count }

    /// The epoch at a place.
    public subscript(position: Int) -> ChannelValues {
        if position >= stored { return held[position - stored] }
        guard let file, let values = layout.values(file.record(position)) else { return layout.unknown }
        return values
    }

    /// Adds epochs.
    mutating func append(contentsOf epochs: some Collection<ChannelValues>) {
        held += epochs
        guard mayStore, held.count > 1, held.count * layout.size(of: held[0]) > Self.mostHeld else { return }
        store(held.count / 2)
    }

    /// Moves the first of those in memory into the file.
    private mutating func store(_ count: Int) {
        let size = layout.size(of: held[0])
        do {
            // Another copy of these epochs may have gone on in the same file.
            if file == nil || file?.count != stored {
                file = try EpochFile(recordSize: size, copying: file, count: stored)
            }
            try file?.append(held.prefix(count).flatMap { layout.record($0, size: size) })
            held.removeFirst(count)
            stored += count
        } catch {
            mayStore = false
        }
    }
}

/// How the features of an epoch are laid out as numbers.
struct EpochLayout: Sendable {
    let channels: Int

    /// An epoch that can be read no more.
    var unknown: ChannelValues {
        ChannelValues(
            onset: .nan, duration: .nan,
            channels: Array(repeating: Epoch.ChannelState(coverage: 0, reasons: [.gap]), count: channels),
            values: Array(repeating: [], count: channels))
    }

    func size(of epoch: ChannelValues) -> Int { 2 + channels * (2 + (epoch.values.first?.count ?? 0)) }

    func record(_ epoch: ChannelValues, size: Int) -> [Double] {
        var numbers = [epoch.onset, epoch.duration]
        numbers.reserveCapacity(size)
        for (state, values) in zip(epoch.channels, epoch.values) {
            var bits = 0
            for (place, reason) in EpochReason.allCases.enumerated() where state.reasons.contains(reason) {
                bits |= 1 << place
            }
            numbers += [state.coverage, Double(bits)] + values
        }
        return numbers
    }

    func values(_ numbers: [Double]) -> ChannelValues? {
        guard channels > 0, numbers.count > 2, (numbers.count - 2) % channels == 0 else { return nil }
        let size = (numbers.count - 2) / channels
        var epoch = ChannelValues(onset: numbers[0], duration: numbers[1], channels: [], values: [])
        for channel in 0..<channels {
            let first = 2 + channel * size
            let bits = Int(numbers[first + 1])
            let reasons = EpochReason.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)
            epoch.channels.append(Epoch.ChannelState(coverage: numbers[first], reasons: reasons))
            epoch.values.append(Array(numbers[first + 2..<first + size]))
        }
        return epoch
    }
}
