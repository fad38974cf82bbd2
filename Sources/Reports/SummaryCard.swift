import Signals

/// One value to be read at a glance.
struct SummaryCard {
    var label: String
    var value: String
    var unit = ""
    /// Why there is no value.
    var why: String?
    var definition: String?

    /// A value in words.
    init(_ label: String, _ value: String, why: String? = nil, definition: String? = nil) {
        (self.label, self.value, self.why, self.definition) = (label, value, why, definition)
    }

    /// An index.
    /// - Parameter signal: whose, where it stands beside those of others.
    init(_ index: IndexValue, of signal: String? = nil) {
        let name = Headline.label(of: index.column.name)
        label = signal.map { "\($0): \(name)" } ?? name
        value = index.value.map { NumberText.significant($0, 3) } ?? NumberText.missing
        unit = index.value == nil ? "" : Headline.symbol(index.column.unit)
        why = index.reason
        definition = index.column.definition.withRaisedPowers
    }

    /// Writes cards beside each other.
    static func write(_ cards: [SummaryCard], to markup: inout Markup) {
        markup.element("dl", [("class", "cards")]) { list in
            for card in cards {
                list.element("div", card.definition.map { [("title", $0)] } ?? []) { item in
                    item.element("dt", text: card.label)
                    item.element("dd") { value in
                        value.text(card.value)
                        if !card.unit.isEmpty {
                            value.text(" ")
                            value.element("small", text: card.unit)
                        }
                        if let why = card.why { value.element("div", [("class", "why")], text: why) }
                    }
                }
            }
        }
        markup.newline()
    }
}

extension SummaryCard {
    /// What a reader looks for first in the skin's conductance.
    static func of(_ skin: SkinConductanceSeries) -> [SummaryCard] {
        ["meanSCL", "rateSCR"].compactMap { skin.windows.mean(of: $0) }.map { SummaryCard($0, of: skin.name) }
    }

    /// The same of an EEG.
    static func of(_ brain: BrainSeries) -> [SummaryCard] {
        var cards = brain.indices.map { SummaryCard($0, of: brain.name) }
        if brain.usable != nil || brain.absence != nil {
            cards.insert(
                SummaryCard(
                    "\(brain.name): usable epochs", NumberText.percent(brain.usable), why: brain.absence,
                    definition: "Share of the epochs without a gap, channel by channel, that could be used"),
                at: 0)
        }
        return cards
    }

    /// The same of acceleration or temperature.
    static func of(_ motion: MotionTrend) -> [SummaryCard] {
        let windows = motion.windows
        let indices = [windows.mean(of: "enmo"), windows.total(of: "steps"), windows.mean(of: "mean")]
        return indices.compactMap(\.self).map { SummaryCard($0, of: motion.name) }
    }

    /// The same of a belt.
    static func of(_ belt: RespirationTrend) -> [SummaryCard] {
        [belt.windows.mean(of: "respirationRate")].compactMap(\.self).map { SummaryCard($0, of: belt.name) }
    }
}
