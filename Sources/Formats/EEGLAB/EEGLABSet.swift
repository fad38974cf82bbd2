import Foundation
import Signals

/// What an EEGLAB data set (`.set`) says: a MATLAB file with one struct `EEG`, or with the fields of that struct as variables
/// of their own (EEGLAB documentation, "EEGLAB data structures").
struct EEGLABSet {
    /// Where its samples are.
    enum Samples {
        /// In the set: channels by frames, or channels by frames by epochs.
        case inside(MatlabNumbers)
        /// In a file of this name beside it.
        case beside(String)
    }

    let url: URL
    let samples: Samples
    /// Of the set as a whole, by the names of EEGLAB.
    let fields: [String: MatlabValue]
    let channelCount: Int
    /// Frames of an epoch; of all where there is one.
    let framesPerEpoch: Int
    let epochCount: Int
    /// Hz.
    let sampleRate: Double

    /// Frames of all epochs together.
    var frameCount: Int { framesPerEpoch * epochCount }

    static let mostChannels = 1 << 16
    /// More epochs and events than this are those of a damaged file.
    static let mostEpochs = MatlabDecoder.mostElements

    private static let wish = MatlabWish(fields: [
        "data": .value, "nbchan": .value, "pnts": .value, "trials": .value, "srate": .value,
        "ref": .value, "chanlocs": MatlabWish(fields: ["labels": .value, "type": .value, "unit": .value]),
        "event": MatlabWish(fields: ["latency": .value, "type": .value, "duration": .value]),
        "etc": MatlabWish(fields: ["T0": .value]),
    ])

    /// - Throws: `FormatError` where the file cannot be read, or is no data set of EEGLAB.
    init(reading url: URL) throws {
        self.url = url
        let fields = try Self.fields(of: url, Self.wish, isChecked: true)
        self.fields = fields
        func whole(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
            guard let value = fields[name], !value.isEmpty else { return nil }
            guard let number = value.number, let whole = Int(exactly: number), range.contains(whole) else {
                let found = value.number.map(NumberFormatting.text) ?? value.words
                throw FormatError(
                    url,
                    "EEG.\(name) is \(found), expected a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return whole
        }
        samples = try Self.samples(fields["data"], in: url)
        let stated = (
            try whole("nbchan", 1...Self.mostChannels), try whole("pnts", 1...(1 << 40)),
            try whole("trials", 1...Self.mostEpochs)
        )
        var shape: [Int] = []
        if case .inside(let numbers) = samples { shape = numbers.shape }
        guard let channels = stated.0 ?? shape.first, let frames = stated.1 ?? shape.dropFirst().first else {
            throw FormatError(url, "tells neither EEG.nbchan nor EEG.pnts, which say how its samples lie")
        }
        (channelCount, framesPerEpoch) = (channels, frames)
        epochCount = stated.2 ?? (shape.count > 2 ? shape[2] : 1)
        guard let count = MatlabDecoder.product([channels, frames, epochCount]), (1...1 << 48).contains(count),
            channels <= Self.mostChannels, epochCount <= Self.mostEpochs
        else {
            throw FormatError(
                url, "has \(channels) channels of \(frames) frames in \(epochCount) epochs, which cannot be")
        }
        if case .inside(let numbers) = samples, numbers.count != count || shape[0] != channels {
            throw FormatError(
                url,
                "EEG.data has \(shape.map(String.init).joined(separator: " x ")) numbers, expected \(channels) channels x "
                    + "\(frames) frames x \(epochCount) epochs (nbchan, pnts, trials)")
        }
        guard let rate = fields["srate"]?.number, Plausible.sampleRates.contains(rate),
            (Double(frames) * Double(epochCount) / rate).isPlaceable
        else {
            let found = fields["srate"]?.number.map(NumberFormatting.text) ?? fields["srate"]?.words ?? "missing"
            throw FormatError(url, "EEG.srate is \(found), expected a sample rate in Hz")
        }
        sampleRate = rate
    }

    private static func samples(_ value: MatlabValue?, in url: URL) throws -> Samples {
        switch value {
        case nil: throw FormatError(url, "has no EEG.data")
        case .numbers(let numbers)?:
            guard numbers.count > 0 else { throw FormatError(url, "holds no samples") }
            guard !numbers.isComplex else {
                throw FormatError(url, "EEG.data are complex numbers, expected samples in time")
            }
            return .inside(numbers)
        case .text(let name)? where !name.isEmpty: return .beside(name)
        case .text?: throw FormatError(url, "holds no samples")
        case let other?:
            throw FormatError(url, "EEG.data is \(other.words), expected samples or the name of a file with them")
        }
    }

    /// The file that samples are in; nil where they are in the set itself.
    /// - Throws: `FormatError` where the set cannot be read, or the file is not there.
    static func sampleFile(of url: URL) throws -> URL? {
        let data = try fields(of: url, MatlabWish(fields: ["data": .value]), isChecked: false)["data"]
        guard case .beside(let name) = try samples(data, in: url) else { return nil }
        return try EEGLABSamples.place(of: name, beside: url).url
    }

    /// The fields of the set, by name.
    private static func fields(of url: URL, _ wish: MatlabWish, isChecked: Bool) throws -> [String: MatlabValue] {
        let input = try InputFile(url)
        if MatlabVariables.isHDF5(try input.read(at: 0, count: 1_024)) {
            throw FormatError(
                url, "is a MATLAB file of version 7.3 (HDF5), which is not read",
                advice:
                    "in EEGLAB choose MATLAB's version 6 under File > Preferences (Memory and other options) and save "
                    + "it again, or pop_saveset(EEG, 'filename', 'NAME.set', 'savemode', 'onefile', 'version', '6'), or "
                    + "export it as EDF or BrainVision")
        }
        let file = try MatlabVariables(input)
        let names = Set(file.variables.map(\.name))
        guard names.contains("EEG") else {
            guard names.isSuperset(of: ["data", "srate"]) else {
                throw FormatError(url, "holds no data set of EEGLAB: neither a variable EEG nor its fields")
            }
            var fields: [String: MatlabValue] = [:]
            for (name, wish) in wish.fields { fields[name] = try file.value(name, wish, isChecked: isChecked) }
            return fields
        }
        guard case .structs(let count, let fields)? = try file.value("EEG", wish, isChecked: isChecked) else {
            throw FormatError(url, "its variable EEG is no struct, expected a data set of EEGLAB")
        }
        guard count == 1 else {
            throw FormatError(
                url, "holds \(count) data sets, expected one", advice: "save each as a file of its own in EEGLAB")
        }
        return fields.compactMapValues(\.first)
    }

    /// Whether a file holds a data set, by the names of its variables.
    static func isSet(_ url: URL) -> Bool {
        guard let file = try? MatlabVariables(InputFile(url)) else { return false }
        let names = Set(file.variables.map(\.name))
        return names.contains("EEG") || names.isSuperset(of: ["data", "srate", "nbchan", "pnts"])
    }
}
