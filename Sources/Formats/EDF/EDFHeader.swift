public import Signals

/// The header of an EDF, EDF+, BDF or BDF+ file as it stands in the file.
///
/// Kemp et al. 1992 (EDF), Kemp & Olivan 2003 (EDF+), BioSemi (BDF: 24-bit samples, otherwise the same).
public struct EDFHeader: Hashable, Sendable {
    /// Bytes per sample: 2 in EDF, 3 in BDF.
    public var bytesPerSample: Int
    /// Whether and how the file follows the "plus" specification.
    public var continuity: Continuity
    /// The 80 characters on the patient. May hold a name: print only what was asked for.
    public var patient: String
    /// The 80 characters on the recording. May hold names: print only what was asked for.
    public var recording: String
    /// Start date and time with whole seconds, on the recorder's own clock (taken as UTC); nil when not valid.
    public var start: Timestamp?
    /// Number of data records; nil when the file says -1 (unknown).
    public var recordCount: Int?
    /// Seconds one data record lasts; 0 in files that hold annotations only.
    public var recordDuration: Seconds
    /// By how much `recordDuration` may be off because its text has only 8 characters; 0 where it is exact.
    public var recordDurationRounding: Seconds
    /// The signals, annotation signals among them, in the order of the file.
    public var signals: [EDFSignal]
    /// Deviations from the specification that were tolerated.
    public var notes: [String]

    /// Whether the records follow each other without a break.
    public enum Continuity: String, Hashable, Sendable {
        /// Plain EDF or BDF: no annotations, no breaks.
        case plain = ""
        /// `EDF+C`: records follow each other without a break.
        case continuous = "+C"
        /// `EDF+D`: each record says when it starts; there may be gaps.
        case discontinuous = "+D"
    }

    /// The name of the format: `EDF`, `EDF+C`, `EDF+D`, `BDF`, `BDF+C` or `BDF+D`.
    public var format: String { (bytesPerSample == 2 ? "EDF" : "BDF") + continuity.rawValue }
    /// Length of the header in bytes.
    public var byteCount: Int { (signals.count + 1) * 256 }
    /// Length of a data record in bytes.
    public var recordByteCount: Int { signals.reduce(0) { $0 + $1.samplesPerRecord } * bytesPerSample }

    /// The local patient code of an EDF+ file, letters and digits only; nil where there is none.
    public var subjectCode: String? {
        guard continuity != .plain, let code = patient.split(separator: " ").first, code != "X" else { return nil }
        let letters = code.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return letters.isEmpty ? nil : letters
    }

    /// The equipment named in the recording field of an EDF+ file.
    public var equipment: String? {
        let fields = recording.split(separator: " ")
        guard continuity != .plain, fields.count >= 5, fields[0] == "Startdate" else { return nil }
        return String(fields[4])
    }
}

/// One signal of an EDF or BDF file.
public struct EDFSignal: Hashable, Sendable {
    /// What it is called, such as `EEG Fpz-Cz`.
    public var label: String
    /// The sensor, in the recorder's words.
    public var transducer: String
    /// The unit as the file spells it.
    public var dimension: String
    /// The physical value of the digital minimum.
    public var physicalMinimum: Double
    /// The physical value of the digital maximum.
    public var physicalMaximum: Double
    /// The least stored number.
    public var digitalMinimum: Int
    /// The greatest stored number.
    public var digitalMaximum: Int
    /// Filters applied before storing, in the recorder's words.
    public var prefiltering: String
    /// Number of samples in each data record.
    public var samplesPerRecord: Int

    /// Whether it holds annotations instead of samples.
    public var isAnnotations: Bool { label == "EDF Annotations" || label == "BDF Annotations" }

    /// `physical = digital * gain + offset`; nil where the extremes give no scale.
    public var scale: (gain: Double, offset: Double)? {
        guard digitalMinimum != digitalMaximum, physicalMinimum != physicalMaximum else { return nil }
        let gain = (physicalMaximum - physicalMinimum) / Double(digitalMaximum - digitalMinimum)
        return (gain, physicalMinimum - Double(digitalMinimum) * gain)
    }

    /// The unit of its physical values; unknown where there is no scale.
    public var unit: Unit {
        guard scale != nil else { return .unknown }
        switch dimension.lowercased() {
        case "degc", "deg": return dimension.lowercased() == "degc" ? .degreesCelsius : Unit(dimension)
        case "bpm": return .beatsPerMinute
        default: return SignalKind.meant(Unit(dimension), label: label, transducer: transducer)
        }
    }

    /// What it measures, from its label, sensor and unit.
    public var kind: StreamKind { SignalKind.kind(label: label, transducer: transducer, unit: unit) }
}
