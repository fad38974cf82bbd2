import Signals

/// Every column of an EEG's tables on one page, written from the declarations that compute it.
public enum EEGDefinitions {
    /// The page in Markdown, with the default parameters.
    public static var markdown: String {
        let parameters = EEGFeatureParameters()
        var text = introduction
        for family in EEGFeatureFamily.allCases {
            text += "\n## \(title(family)) (`\(family.rawValue)`)\n\n\(head)"
            for feature in EEGFeature.all where feature.family == family { text += row(feature.column(parameters)) }
        }
        text += connectivity
        let bands = ConnectivityMeasure.bands(parameters.bands)
        for measure in ConnectivityMeasure.allCases {
            let names = bands.map { "`\($0.name)\(measure.suffix)`" }.joined(separator: ", ")
            text += "| \(names) | \(measure.definition) | \(measure.reference) |\n"
        }
        return text
    }

    private static let introduction = """
        # EEG: what each column is

        Written from the declarations in `Sources/Brain`, which the sidecars read as well; the tests compare. The table of epochs
        (`marey eeg FILE`, `desc-eeg_physio`) has a row per epoch and channel: `onset` and `duration` of the epoch in seconds, the
        `channel`, its `coverage` (0 to 1), the `reasons` why it is not used, and the columns below, `n/a` where it is not. They are told
        with the default parameters; `eeg.features` of a file of parameters ([parameters.md](parameters.md)) moves bands, leaves
        families out or names the only features that are wanted (`indexes`). How EEG is cleaned, and where programs disagree: [eeg.md](eeg.md).

        """

    private static let connectivity = """

        ## Connectivity

        The table of pairs (`marey eeg FILE --table pairs`, `desc-connectivity_physio`) has a row per window of epochs and pair of
        channels: `onset`, `duration`, the `channels`, the number of `epochs` in which both are usable, and a column per band and
        measure, over the window's epochs (Hann), averaged over the band's bins. There must be \(ConnectivityMeasure.leastEpochs) such epochs.

        | columns | definition | reference |
        |---|---|---|

        """

    private static let head = "| column | unit | definition | needs | reference |\n|---|---|---|---|---|\n"

    private static func title(_ family: EEGFeatureFamily) -> String {
        switch family {
        case .power: "Power"
        case .shape: "Shape of the spectrum"
        case .hjorth: "Hjorth's parameters"
        case .aperiodic: "The 1/f background and the peaks above it"
        case .complexity: "Entropies and fractal dimension"
        }
    }

    private static func row(_ column: Column) -> String {
        let unit = column.unit == .dimensionless ? "" : column.unit.rawValue
        return
            "| `\(column.name)` | \(unit) | \(column.definition) | \(column.leastData ?? "") | \(column.reference ?? "") |\n"
    }
}
