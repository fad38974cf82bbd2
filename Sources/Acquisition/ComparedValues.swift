import Pipeline

/// Values of one kind that were computed twice.
struct ComparedValues {
    let name: String
    let count: Int
    private let values: Any
    private let isSame: (Any) -> Bool

    init<Values: Collection>(_ name: String, _ values: Values) where Values.Element: Equatable {
        (self.name, count, self.values) = (name, values.count, values)
        isSame = { other in
            guard let other = other as? Values, other.count == values.count else { return false }
            // What is not a number is not equal to itself, but prints the same.
            return zip(values, other).allSatisfy { $0 == $1 || String(describing: $0) == String(describing: $1) }
        }
    }

    init<Layout: SeriesLayout>(_ name: String, _ values: StoredSeries<Layout>) {
        (self.name, count, self.values) = (name, values.count, values)
        isSame = { other in (other as? StoredSeries<Layout>).map(values.isSame) ?? false }
    }

    /// Whether others are the same, to the bit.
    func isSame(as other: ComparedValues) -> Bool { isSame(other.values) }

    static func of(_ result: CardiacResult) -> [ComparedValues] {
        [
            ComparedValues("beats", result.beats), ComparedValues("intervals", result.intervals),
            ComparedValues("corrected intervals", result.nn), ComparedValues("quality", result.quality),
            ComparedValues("heart rate variability", result.windows), ComparedValues("rhythm", result.rhythm),
            ComparedValues("rhythm changes", result.rhythmChanges), ComparedValues("respiration", result.respiration),
            ComparedValues("heart rate", result.pulseRates),
        ]
    }

    static func of(_ result: BeltResult) -> [ComparedValues] { [ComparedValues("respiration", result.windows)] }

    static func of(_ result: ElectrodermalResult) -> [ComparedValues] {
        [
            ComparedValues("level and activity", result.samples), ComparedValues("responses", result.responses),
            ComparedValues("windows", result.windows), ComparedValues("responses to events", result.events),
            ComparedValues("quality", result.quality),
        ]
    }

    static func of(_ result: MotionResult) -> [ComparedValues] {
        [
            ComparedValues("motion", result.epochs), ComparedValues("temperature", result.temperature),
            ComparedValues("battery", result.battery), ComparedValues("sleep", result.sleep),
            ComparedValues("quality", result.quality),
        ]
    }

    static func of(_ result: BrainResult, withSleep: Bool) -> [ComparedValues] {
        [
            ComparedValues("epochs", result.epochs), ComparedValues("connectivity", result.pairs),
            ComparedValues("blinks and saccades", result.eyes), ComparedValues("quality", result.quality),
        ] + (withSleep ? [ComparedValues("sleep", result.sleep)] : [])
    }
}
