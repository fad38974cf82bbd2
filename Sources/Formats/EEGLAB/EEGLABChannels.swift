import Foundation
import Signals

/// The channels of an EEGLAB data set: what they are called and what they measure. `chanlocs` tells both of most; samples are
/// microvolts by EEGLAB's convention, where it tells no unit.
struct EEGLABChannels {
    /// In the order of the samples.
    let channels: [DescribedChannel]
    private(set) var notes: [String] = []

    init(_ set: EEGLABSet, _ table: BIDSChannels?) {
        var (labels, types, units): ([String?], [String?], [String?]) = ([], [], [])
        if case .structs(let count, let fields)? = set.fields["chanlocs"], count > 0 {
            if count == set.channelCount {
                (labels, types, units) = (
                    Self.texts(fields["labels"]), Self.texts(fields["type"]), Self.texts(fields["unit"])
                )
            } else {
                notes.append(
                    "the set describes \(count) channels, its samples have \(set.channelCount): which is which is not told"
                )
            }
        }
        if labels.isEmpty { notes.append("the channels have no names") }
        func told(_ list: [String?], _ place: Int) -> String? { place < list.count ? list[place] : nil }
        var found = (0..<set.channelCount).map { place in
            let (label, type) = (told(labels, place) ?? "\(place + 1)", told(types, place) ?? "")
            let kind = Self.kind(label, type: type)
            let unit = told(units, place).flatMap { $0.lowercased() == "n/a" ? nil : Unit($0) }
            let usual = Self.isVoltage(kind, label, type: type) ? Unit.microvolts : .unknown
            var described = DescribedChannel(
                Channel(label: label, unit: unit.map { SignalKind.meant($0, by: kind) } ?? usual), kind: kind)
            described.isTyped = !type.isEmpty
            return described
        }
        if let table { notes += table.describe(&found) }
        // EEGLAB is a program for EEG.
        if found.takeNumberedForEEG() {
            notes.append("the channels are numbered, not named by electrodes; they are taken for EEG")
        }
        channels = found
    }

    /// Texts, and numbers as text; nil where there is neither.
    private static func texts(_ values: [MatlabValue]?) -> [String?] {
        (values ?? []).map { $0.text ?? $0.number.flatMap { $0.isFinite ? NumberFormatting.text($0) : nil } }
    }

    /// What a channel measures. All channels of a set are often said to be of type EEG: a label that says something else, such
    /// as ECG or EOG, is believed.
    private static func kind(_ label: String, type: String) -> StreamKind {
        let byLabel = SignalKind.kind(label: label, transducer: "", unit: .microvolts)
        guard let byType = SignalKind.said(by: type) else {
            // Said to be none of what there is a word for.
            let isMixed = ["MISC", "AUX", "OTHER"].contains(type.uppercased())
            return isMixed ? SignalKind.said(by: label) ?? .other : byLabel
        }
        return byType == .eeg ? SignalKind.kind(saidToBeEEG: label) : byType
    }

    /// Whether a channel's samples are a voltage: of other kinds those of eyes and muscles are, and those that nothing is said of.
    private static func isVoltage(_ kind: StreamKind, _ label: String, type: String) -> Bool {
        switch kind {
        case .eeg, .ecg: true
        case .other:
            SignalKind.isBody(type) || SignalKind.isBody(label) || type.isEmpty && SignalKind.said(by: label) == nil
        default: false
        }
    }
}
