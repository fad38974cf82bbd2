extension ParameterDefinition {
    /// Skin conductance, acceleration, skin temperature and signal quality.
    static let body: [ParameterDefinition] = [
        ParameterDefinition(
            "eda.separation", "", .words,
            "How the slow component is told from the fast one: cvxEDA, a low-pass filter at 0.05 Hz, or a median."),
        ParameterDefinition(
            "eda.convex.slowTimeConstant", "s", .told("above `eda.convex.fastTimeConstant`, at most 600"),
            "Slow time constant of the Bateman function."),
        ParameterDefinition(
            "eda.convex.fastTimeConstant", "s", .between(0.01, 60),
            "Fast time constant of the Bateman function."),
        ParameterDefinition(
            "eda.convex.knotDistance", "s", .between(0.1, 600),
            "Distance between the knots of the tonic spline."),
        ParameterDefinition(
            "eda.convex.sparseness", "", .between(0, 1000),
            "How sparse the sudomotor activity is: weight of its l₁ norm."),
        ParameterDefinition(
            "eda.convex.tonicWeight", "", .above(0, atMost: 1000),
            "How small the tonic detours are: weight of the spline coefficients' l₂ norm."),
        ParameterDefinition(
            "eda.blockLength", "s", .between(20, 3600),
            "Length of the blocks that are decomposed one after the other."),
        ParameterDefinition(
            "eda.blockMargin", "s", .between(10, 600),
            "What is decomposed with a block on either side of it and then forgotten."),
        ParameterDefinition("eda.medianWindow", "s", .between(1, 600), "Of `median`: what the median is taken over."),
        ParameterDefinition(
            "eda.responses.leastAmplitude", "µS", .told("above 0, below 100"),
            "The smallest response."),
        ParameterDefinition(
            "eda.responses.noiseFactor", "", .between(0, 100),
            "How many times its own noise a rise must exceed."),
        ParameterDefinition(
            "eda.responses.recovery", "s", .between(0.1, 60),
            "The time constant with which conductance recovers."),
        ParameterDefinition(
            "eda.responses.longestRise", "s", .between(0.5, 30),
            "The longest time from onset to peak."),
        ParameterDefinition(
            "eda.responses.longestRecovery", "s", .between(1, 120),
            "The longest time from peak to half recovery that is looked for."),
        ParameterDefinition(
            "eda.responses.largestRipple", "µS", .between(0, 1),
            "The largest ripple of breathing or of the pulse, from mean to peak, that is taken out before responses are looked for; 0 takes none out."
        ),
        ParameterDefinition(
            "eda.artefacts.lowest", "µS", .between(0, 1000),
            "The least conductance of skin that a sensor touches."),
        ParameterDefinition(
            "eda.artefacts.highest", "µS", .told("above `eda.artefacts.lowest`, at most 10000"),
            "The highest conductance."),
        ParameterDefinition("eda.artefacts.fastestChange", "µS/s", .above(0, atMost: 10_000), "The fastest change."),
        ParameterDefinition(
            "eda.artefacts.fastestFall", "share of the conductance per second", .above(0, atMost: 100),
            "The fastest fall."),
        ParameterDefinition(
            "eda.artefacts.margin", "s", .between(0, 60),
            "What is marked before and after an artefact as well."),
        ParameterDefinition(
            "eda.artefacts.movement", "g", .above(0, atMost: 100),
            "The standard deviation of acceleration over a second from which on a step of conductance is its doing."),
        ParameterDefinition(
            "eda.artefacts.coupledFall", "share of the conductance", .above(0, atMost: 100),
            "A fall within half a second that is an artefact where the sensor moves."),
        ParameterDefinition(
            "eda.artefacts.coupledRise", "share of the conductance", .above(0, atMost: 100),
            "A rise within half a second that is an artefact where the sensor moves."),
        ParameterDefinition(
            "eda.window", "s", .between(1, 86_400),
            "Length of the windows that responses are counted in."),
        ParameterDefinition(
            "eda.responseLatency", "s", .told("two numbers within 0 to 60, the smaller first"),
            "The earliest and the latest onset of a response to an event, after it."),
        ParameterDefinition("motion.epoch", "s", .between(1, 3600), "Length of an epoch of acceleration."),
        ParameterDefinition(
            "motion.temperatureWindow", "s", .between(10, 3600),
            "Length of a window of skin temperature."),
        ParameterDefinition(
            "motion.wornTemperature", "°C", .told("two numbers, the smaller first"),
            "Temperatures of a worn sensor."),
        ParameterDefinition(
            "motion.fastestCooling", "°C/min", .above(0, atMost: nil),
            "The fastest fall of a worn sensor's temperature: one that cools so fast to below 32 °C came off."),
        ParameterDefinition(
            "motion.stillness", "g", .above(0, atMost: nil),
            "The standard deviation below which an axis is still."),
        ParameterDefinition(
            "motion.stepHeight", "g", .above(0, atMost: nil),
            "The least height of a step in the magnitude."),
        ParameterDefinition(
            "motion.sleepScoring", "", .words,
            "The recordings in which sustained inactivity is scored as sleep: those with enough of the night, or all. Elsewhere the column is `sustainedInactivity`."
        ),
        ParameterDefinition(
            "motion.minimumNight", "h", .between(0, 12),
            "The minimum time between 21:00 and 09:00 local time with which `nights` scores sleep."),
        ParameterDefinition(
            "motion.utcOffset", "h", .between(-12, 14),
            "The time by which local time was ahead of UTC, for recordings with a start in UTC and no time zone, such as those of an E4."
        ),
        ParameterDefinition(
            "quality.window", "s", .between(1, 3600),
            "Length of a window, a multiple of `quality.step`."),
        ParameterDefinition(
            "quality.step", "s", .told("0.1 to `quality.window`"),
            "From the start of a window to the start of the next."),
        ParameterDefinition(
            "quality.tolerated", "", .words,
            "Reasons that alone keep no beats from heart-rate variability."),
    ]
}
