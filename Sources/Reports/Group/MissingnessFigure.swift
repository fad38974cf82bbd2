import Signals

/// What there is of each signal in each recording: the darker, the less. Recordings without results stand below.
struct MissingnessFigure {
    private let presence: GroupReport.Presence
    private let id: String
    private let rows: [Row]

    /// A recording; without results it has a state and no shares.
    private struct Row {
        var label: String
        var shares: [Double?]
        var state: String?
    }

    init(_ presence: GroupReport.Presence, id: String) {
        self.presence = presence
        self.id = id
        rows =
            presence.recordings.map { Row(label: $0.label, shares: $0.shares) }
            + presence.others.map { Row(label: $0.label, shares: [], state: $0.state) }
    }

    private static let withoutResults = Fill(color: Ink.vermillion, pattern: .crossed)

    /// Shares from `least` on, and how they are filled: by marks where cells have room for them, as five shades of one
    /// colour are not told apart by everybody; else, in a crowd, by shades.
    private static let levels: [(least: Double, fill: Fill, inCrowd: Fill, text: String)] = [
        (0.95, plain("#edf3f6"), plain("#edf3f6"), "95 % or more"),
        (0.75, Fill(color: "#2f7fae", pattern: .dotted), plain("#cfe3ef"), "75\u{2013}95 %"),
        (0.5, Fill(color: "#2f7fae", pattern: .level), plain("#8fbcd8"), "50\u{2013}75 %"),
        (1e-9, plain("#2f7fae"), plain("#2f7fae"), "below 50 %"),
        (-1, plain("#0b2b3e"), plain("#0b2b3e"), "nothing"),
    ]

    private static func plain(_ color: String) -> Fill { Fill(color: color, pattern: .plain) }

    /// The least height of a row that has room for marks.
    private static let markedStep = 6.0

    private static func fills(step: Double) -> [Fill] {
        levels.map { step > markedStep ? $0.fill : $0.inCrowd }
    }

    func figure() -> Figure {
        let rows = rows
        let none = presence.signals.map { _ in NumberText.missing }
        return Figure(
            id: id, title: "Values that could be computed", caption: caption,
            pictures: [.wide, .narrow].map { ($0, picture($0)) },
            data: FigureData(
                fileName: "\(id).tsv", columns: columns, count: rows.count
            ) {
                let shares = rows[$0].shares.map { $0.map { NumberText.fixed($0, 3) } ?? NumberText.missing }
                return [rows[$0].label] + (rows[$0].state == nil ? shares : none) + [rows[$0].state ?? "done"]
            })
    }

    private var columns: [Column] {
        [Column("recording", "The recording")]
            + presence.signals.map { signal in
                Column(
                    signal, unit: .dimensionless,
                    "Share of the values of \(signal) that could be computed, 0 to 1; n/a where it was not recorded")
            }
            + [Column("state", "done, failed, or why there are no results")]
    }

    /// How high a row is.
    private func step(_ layout: Figure.Layout) -> Double {
        let count = Double(max(rows.count, 1))
        return min(16, max(layout == .wide ? 760 / count : 900 / count, 0.45))
    }

    /// The least height of a row that is named.
    private static let namedStep = 11.0

    /// The room for the rows' names.
    private func left(_ layout: Figure.Layout) -> Double {
        layout == .narrow ? 120.0 : presence.others.isEmpty ? 200 : 250
    }

    /// How wide a column is.
    private func columnWidth(_ layout: Figure.Layout) -> Double {
        min((layout.width - left(layout) - 16) / Double(max(presence.signals.count, 1)), 90)
    }

    /// Every how many columns one is named, so that names do not lie over one another.
    private func stride(_ layout: Figure.Layout) -> Int { max(1, Int((13 / columnWidth(layout)).rounded(.up))) }

    private func picture(_ layout: Figure.Layout) -> Markup {
        let count = Double(max(rows.count, 1))
        let (step, left, width, stride) = (step(layout), left(layout), columnWidth(layout), stride(layout))
        let legend = Legend(entries: entries(step: step))
        let head = legend.height(width: layout.width - 16) + 10
        let names = Words.distinct(presence.signals.map(Self.short), to: 20)
        let foot = max(118, (names.map { Drawing.width(of: $0, size: 12) }.max() ?? 0) + 16)
        var drawing = Drawing(
            id: "\(id)-\(layout.rawValue)", width: layout.width, height: head + step * count + foot)
        legend.draw(on: &drawing, left: 8, top: 0, width: layout.width - 16)
        drawCells(left: left, top: head, width: width, step: step, on: &drawing)
        for (place, name) in names.enumerated() where place % stride == 0 {
            let x = left + (Double(place) + 0.5) * width
            drawing.text(name, x + 4, head + step * count + 8, anchor: .end, size: 12, isUpright: true)
        }
        if step >= Self.namedStep {
            for (place, row) in rows.enumerated() {
                drawing.text(
                    name(row.label, row.state, layout), left - 6, head + (Double(place) + 0.5) * step + 4,
                    anchor: .end, size: 11)
            }
        }
        return drawing.svg(title: "Values that could be computed", description: caption)
    }

    /// A signal without the kind that EDF files put before each channel: `eeg:EEG F3 - EEG C3` as `eeg:F3 - C3`.
    private static func short(_ signal: String) -> String {
        guard let colon = signal.firstIndex(of: ":") else { return signal }
        let kind = signal[..<colon].uppercased()
        let channels = signal[signal.index(after: colon)...].split(separator: " - ")
        let names = channels.map { $0.hasPrefix(kind + " ") ? $0.dropFirst(kind.count + 1) : $0 }
        return "\(signal[...colon])\(names.joined(separator: " - "))"
    }

    private func entries(step: Double) -> [(sample: Legend.Sample, text: String)] {
        var entries: [(sample: Legend.Sample, text: String)] = zip(Self.fills(step: step), Self.levels).map {
            (.area($0), $1.text)
        }
        entries.append((.area(.missing), "not recorded"))
        if !presence.others.isEmpty { entries.append((.area(Self.withoutResults), "no results")) }
        return entries
    }

    /// A recording as the room beside its row lets it be called: the participant in any case, and why it has no results.
    private func name(_ label: String, _ state: String?, _ layout: Figure.Layout) -> String {
        let why = layout == .wide ? state.map { ", \($0)" } ?? "" : ""
        let limit = layout == .narrow ? 17 : presence.others.isEmpty ? 30 : 38
        // Where there is no room, entities go before labels: these tell recordings of one person apart.
        let name =
            label.count > limit - why.count
            ? label.split(separator: "_").map { $0.split(separator: "-", maxSplits: 1).last ?? $0 }.joined(
                separator: " ")
            : label
        return Words.shortened(name, to: limit - why.count, keeping: name.prefix { $0 != " " && $0 != "_" }.count) + why
    }

    /// One path per level keeps a cohort of thousands small.
    private func drawCells(left: Double, top: Double, width: Double, step: Double, on drawing: inout Drawing) {
        let (nothing, notRecorded) = (Self.levels.count - 1, Self.levels.count)
        let fills = Self.fills(step: step) + [.missing, Self.withoutResults]
        var paths = [PathText](repeating: PathText(), count: fills.count)
        for (place, row) in rows.enumerated() {
            for column in presence.signals.indices {
                var level = row.state == nil ? notRecorded : notRecorded + 1
                if row.shares.indices.contains(column), let share = row.shares[column] {
                    level = Self.levels.firstIndex { share >= $0.least } ?? nothing
                }
                let (x, y) = (left + Double(column) * width, top + Double(place) * step)
                paths[level].move(x, y)
                paths[level].line(x + width, y)
                paths[level].line(x + width, y + step)
                paths[level].line(x, y + step)
                paths[level].close()
            }
        }
        let border = step > Self.markedStep ? [("stroke", "#8a8a8a"), ("stroke-width", "0.5")] : []
        for (path, fill) in zip(paths, fills) where !path.isEmpty {
            drawing.path(path, [("fill", drawing.paint(fill))] + border)
        }
        drawing.rectangle(
            left, top, width * Double(presence.signals.count), step * Double(rows.count), fill: nil, stroke: Ink.grey)
    }

    private var caption: String {
        let states = Dictionary(grouping: presence.others, by: \.state).sorted { $0.key < $1.key }
            .map { "\(NumberText.count($0.value.count)) \($0.key)" }
        let without =
            states.isEmpty
            ? ""
            : "; without results, at the bottom, \(NumberText.count(presence.others.count)): "
                + states.joined(separator: ", ")
        return "A row per recording, a column per signal; the darker, the smaller the share of values that could be "
            + "computed. n = \(NumberText.count(rows.count)) recordings\(without)."
            + unnamed
    }

    /// What has no room for its name, for the caption.
    private var unnamed: String {
        var kinds: [String] = []
        if step(.wide) < Self.namedStep { kinds.append("Rows") }
        if stride(.wide) > 1 { kinds.append(kinds.isEmpty ? "Columns" : "columns") }
        let onPhone = kinds.isEmpty && stride(.narrow) > 1
        if onPhone { kinds.append("On a narrow screen columns") }
        return kinds.isEmpty
            ? ""
            : " \(kinds.joined(separator: " and ")) are too many to be named each; the data behind the figure name them "
                + "all, in this order."
    }
}
