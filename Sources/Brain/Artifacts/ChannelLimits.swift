/// From where on a second of a channel is not EEG: one set of limits for epochs and quality windows. Voltages in µV.
///
/// Muscle, flat and railed channels after Bigdely-Shamlo et al. 2015 (PREP), in absolute numbers where a few channels
/// cannot tell what is usual.
public enum ChannelLimits {
    /// Share of a second without change.
    public static let flat = 0.2
    /// Share of a second cut off at a rail.
    public static let clipped = 0.03
    /// Distance of a flat line from the channel's usual level that makes it a rail.
    public static let rail = 200.0
    /// Root mean square from 2 to 30 Hz below which there is no EEG, only the amplifier.
    public static let leastEEG = 0.3
    /// The same above which it is none any more.
    public static let mostEEG = 150.0
    /// Distance from the mean that neither brain nor eyes reach.
    public static let peak = 1_000.0
    /// Root mean square from 35 Hz on that only muscles or noise reach, and its least ratio to that from 2 to 30 Hz.
    public static let fast = 8.0
    /// See `fast`.
    public static let fastRatio = 0.6
    /// Ratio of the two with which it is noise however small it is.
    public static let noiseRatio = 1.28
    /// Hum, and its least ratio to the EEG.
    public static let hum = 15.0
    /// See `hum`.
    public static let humRatio = 8.0
    /// A step from sample to sample, and its least ratio to the usual one: an electrode pops.
    public static let jump = 80.0
    /// See `jump`.
    public static let jumpRatio = 25.0
    /// Agreement with the best other channel, over ten seconds, below which a channel is noise.
    public static let agreement = 0.15
}

extension EEGSecond.Channel {
    /// Whether nothing changes.
    public var isFlat: Bool { flat > ChannelLimits.flat || (isMeasured && eeg < ChannelLimits.leastEEG) }
    /// Whether it is cut off.
    public var isClipped: Bool { clipped > ChannelLimits.clipped }
    /// Whether muscles or other fast noise outweigh the EEG.
    public var isFast: Bool {
        (fast > ChannelLimits.fast && fast > ChannelLimits.fastRatio * eeg)
            || (fast > ChannelLimits.leastEEG && fast > ChannelLimits.noiseRatio * eeg)
    }
    /// Whether the hum outweighs the EEG.
    public var isHum: Bool { hum > ChannelLimits.hum && hum > ChannelLimits.humRatio * eeg }
    /// Whether it is larger than brain and eyes are.
    public var isHuge: Bool { eeg > ChannelLimits.mostEEG || (peak > ChannelLimits.peak && !isHum) }
    /// Whether an electrode pops.
    public var isPop: Bool {
        guard let usualStep else { return false }
        return jump > ChannelLimits.jump && jump > ChannelLimits.jumpRatio * usualStep
    }
}
