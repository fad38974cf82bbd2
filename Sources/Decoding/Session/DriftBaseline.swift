import Kernels

/// How features lay in a calibration, block by block, so that a session can be held against it.
public struct DriftBaseline: Hashable, Codable, Sendable {
    /// Medians and spreads over all epochs.
    public let centre: Standardisation
    /// The shift, as `DriftReport.shift`, that nine of ten blocks of the calibration itself do not exceed.
    public let usualShift: Double
    /// The same of the channel that lies farthest away; nil in models of versions that did not look at channels.
    public let usualChannelShift: Double?
    /// How the channels lay to one another; nil in models of versions that did not look at that.
    private let montage: MontageBaseline?
    /// The features that count; lines of the spectrum, which say the same many times over, do not.
    private let measures: [Int]
    /// The channel of each of them.
    private let channels: [Int]?

    init(_ examples: [Examples], measures: [Int], channels: [Int]) {
        let blocks = examples.map { block in block.features.map { row in measures.map { row[$0] } } }
        let centre = Standardisation(blocks.flatMap { $0 })
        let shifts = blocks.map { Self.shifts($0, centre) }
        usualShift = Statistics.quantile(shifts.map(Statistics.median), 0.9)
        usualChannelShift = Statistics.quantile(shifts.compactMap { Self.farthest($0, channels)?.shift }, 0.9)
        (self.centre, self.measures, self.channels) = (centre, measures, channels)
        montage = MontageBaseline(examples.map(\.covariances))
    }

    func isConsistent(features: Int, channels count: Int) -> Bool {
        centre.isConsistent(measures.count) && measures.allSatisfy { (0..<features).contains($0) }
            && usualShift.isFinite && usualChannelShift?.isFinite != false
            && (channels.map { $0.count == measures.count } ?? true)
            && montage?.isConsistent(channels: count) != false
    }

    /// Of each feature how far the rows' median lies from the calibration's, in its spreads.
    private static func shifts(_ rows: [[Double]], _ centre: Standardisation) -> [Double] {
        let medians = centre.centres.indices.map { column in Statistics.median(rows.map { $0[column] }) }
        return centre.applied(to: medians).map { abs($0) }
    }

    /// The channel whose median feature lies farthest away.
    private static func farthest(_ shifts: [Double], _ channels: [Int]) -> (channel: Int, shift: Double)? {
        let features = Dictionary(grouping: shifts.indices, by: { channels[$0] })
        return features.sorted { $0.key < $1.key }.map { ($0.key, Statistics.median($0.value.map { shifts[$0] })) }
            .max { $0.1 < $1.1 }
    }

    /// How far a session's epochs lie from the calibration; nil without a decodable epoch.
    public func drift(_ epochs: [DecodableEpoch]) -> DriftReport? {
        let rows = epochs.compactMap(\.features).filter { $0.count > measures.max() ?? 0 }.map { row in
            measures.map { row[$0] }
        }
        guard !rows.isEmpty else { return nil }
        let shifts = Self.shifts(rows, centre)
        let farthest = channels.flatMap { Self.farthest(shifts, $0) }
        let far = rows.count { row in
            Statistics.median(centre.applied(to: row).map { abs($0) }) > 2
        }
        return DriftReport(
            shift: Statistics.median(shifts), usualShift: usualShift, channel: farthest?.channel,
            channelShift: farthest?.shift, usualChannelShift: usualChannelShift,
            montageChange: montage?.change(epochs.compactMap(\.covariance)), usualMontageChange: montage?.usualChange,
            farShare: Double(far) / Double(rows.count), decodableShare: Double(rows.count) / Double(epochs.count))
    }
}

/// How far a session lies from the calibration.
public struct DriftReport: Hashable, Codable, Sendable {
    /// The median over features of how far the session's median lies from the calibration's, in its spreads.
    public var shift: Double
    /// The shift that nine of ten blocks of the calibration itself do not exceed.
    public var usualShift: Double
    /// The channel, by its place in the layout, whose median feature lies farthest away; nil where the calibration does not
    /// know.
    public var channel: Int?
    /// How far that is, in spreads.
    public var channelShift: Double?
    /// The largest shift of a channel that nine of ten blocks of the calibration do not exceed.
    public var usualChannelShift: Double?
    /// How far the covariance of the channels has changed along any direction, as the magnitude of a natural logarithm of
    /// power; nil where the calibration does not know.
    public var montageChange: Double?
    /// The change that nine of ten blocks of the calibration do not exceed.
    public var usualMontageChange: Double?
    /// The share of epochs whose features lie, in the median, more than two spreads away.
    public var farShare: Double
    /// The share of epochs that are decodable.
    public var decodableShare: Double

    /// Whether one channel lies farther away than twice what any did in blocks of the calibration, and by a spread or more.
    public var isOfOneChannel: Bool {
        guard let channelShift, let usualChannelShift else { return false }
        return channelShift > max(1, 2 * usualChannelShift)
    }

    /// Whether the channels lie otherwise to one another than in the calibration, by twice what its blocks did and by a
    /// factor of 4.5 in power or more: another reference or gain, or an electrode in another place.
    public var isOfOtherMontage: Bool {
        guard let montageChange, let usualMontageChange else { return false }
        return montageChange > max(1.5, 2 * usualMontageChange)
    }

    /// Whether the calibration should be repeated: the session lies further away than twice what its own blocks did, and
    /// by half a spread or more; or one of its channels does, or all to one another; or most of its epochs lie far away.
    public var needsCalibration: Bool {
        shift > max(0.5, 2 * usualShift) || isOfOneChannel || isOfOtherMontage || farShare > 0.5
    }
}
