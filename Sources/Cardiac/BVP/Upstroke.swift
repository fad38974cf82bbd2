/// A candidate for a systolic upstroke: a local maximum of the slope.
struct Upstroke {
    /// Where the slope is steepest, in working samples from the run's start, refined between them.
    var position: Double
    /// Logarithm of the slope there.
    var logSlope: Float
    /// Logarithm of the slope over the local scale.
    var logRelative: Float
    /// The level of the crest that follows, in signal units from an arbitrary level of the run.
    var crest: Float = 0
    /// The height of that crest above the foot before the slope, in signal units.
    var rise: Float = 0
    /// The log-odds by which an earlier wave makes it a dicrotic one.
    var suspicion: Float = 0
    /// Log-odds that it is a pulse's, from its strength alone.
    var logOdds: Float { max(-4, min(3, 2 * (logRelative + 1.05))) }
    /// Best score of a sequence of pulses that ends here.
    var score: Float = 0
    /// The pulse before it in that sequence: an index into the candidates, or -1 for the last decided pulse.
    var previous = -1
    /// The running mean interval of that sequence, in seconds.
    var period: Float = 0.8
    /// The last interval of that sequence, in seconds.
    var interval: Float = 0
    /// How many intervals that mean rests on.
    var intervals = 0
}
