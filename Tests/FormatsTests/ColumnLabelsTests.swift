import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Kinds of columns by their headers together, and units that outrank words.
@Suite struct ColumnLabelsTests {
    private static func kinds(_ header: [String], units: [String]? = nil) throws -> [String: StreamKind] {
        let folder = try TemporaryFolder()
        var lines = [header.joined(separator: ",")]
        if let units { lines.append(units.joined(separator: ",")) }
        for row in 0..<100 {
            let cells = header.indices.map { $0 == 0 ? String(Double(row) / 100) : String((row * (7 + $0)) % 23) }
            lines.append(cells.joined(separator: ","))
        }
        let file = try folder.file("a.csv", lines.joined(separator: "\n") + "\n")
        let header = try RecordingFile.open(file).header
        return Dictionary(
            uniqueKeysWithValues: header.streams.flatMap { stream in
                stream.channels.map { ($0.label, $0.kind ?? stream.kind) }
            })
    }

    /// Columns of a Shimmer, with the unit and the kind of each.
    private static let sensors: [(name: String, unit: String, kind: StreamKind)] = [
        ("GSR_Skin_Conductance_CAL", "uS", .eda), ("GSR_Skin_Resistance_CAL", "kOhms", .other),
        ("GSR_Range_CAL", "no_units", .other), ("PPG_A13_CAL", "mV", .bvp), ("PPGtoHR_CAL", "BPM", .heartRate),
        ("Accel_LN_X_CAL", "m/(s^2)", .acceleration), ("Gyro_X_CAL", "deg/s", .gyroscope),
        ("ECG_LA-RA_24BIT_CAL", "mV", .ecg), ("ECG_RESP_24BIT_CAL", "mV", .respiration),
        ("Battery_CAL", "mV", .battery), ("Temperature_BMP280_CAL", "Degrees Celsius", .temperature),
    ]

    @Test(arguments: ["GSR", "ECG", "PPG", "Shimmer_40AC", "Accel", "EEG", "Resp_3", "HR", "sub01_ECG"])
    func nameOfADevice_isNoEvidenceOfAKind(device: String) throws {
        let header = ["\(device)_Timestamp_Unix_CAL"] + Self.sensors.map { "\(device)_\($0.name)" }
        let kinds = try Self.kinds(header, units: ["s"] + Self.sensors.map(\.unit))
        for sensor in Self.sensors {
            #expect(kinds["\(device)_\(sensor.name)"] == sensor.kind, "\(device) \(sensor.name)")
        }
    }

    @Test func prefixOfOneKind_staysEvidence() throws {
        #expect(Set(try Self.kinds(["time", "ECG_1", "ECG_2", "ECG_3"]).values) == [.ecg])
        #expect(Set(try Self.kinds(["time", "EMG_T1", "EMG_T2", "EMG_T3"]).values) == [.other])
        #expect(Set(try Self.kinds(["ACC_time", "ACC_X", "ACC_Y", "ACC_Z"]).values) == [.acceleration])
        #expect(Set(try Self.kinds(["time", "EEG_C3", "EEG_C4", "EEG_Oz"]).values) == [.eeg])
    }

    @Test(arguments: [
        ("ECG_Accel_X [m/s^2]", StreamKind.acceleration), ("ECG gyro [deg/s]", .gyroscope),
        ("ECG_HR [bpm]", .heartRate),
        ("ECG_SC [uS]", .eda), ("GSR temp [degC]", .temperature), ("PPG ACC [mg]", .acceleration), ("EDA [us]", .eda),
        ("ECG [mV]", .ecg), ("Resp [degC]", .respiration), ("Resp [rpm]", .other), ("eda_us", .eda), ("ecg_mv", .ecg),
        ("Temp [K]", .temperature), ("PPG [nA]", .bvp), ("skin conductance [US]", .eda), ("gsr_kohm", .other),
        ("RR [ms]", .other), ("ECG RR [ms]", .other),
        ("beats per minute", .heartRate), ("MICROSIEMENS", .eda), ("eda_scl_usiemens", .eda),
        ("SkinTemp", .temperature),
        ("SCR/min", .other),
    ])
    func unitOfAnotherQuantity_outranksAWord(header: String, kind: StreamKind) throws {
        #expect(try Self.kinds(["time", header, "x"]).filter { $0.key != "x" }.map(\.value) == [kind])
    }

    @Test(arguments: [
        "ECG_Rate", "ECG_Quality", "ECG_R_Peaks", "ECG_P_Onsets", "ECG_T_Offsets", "ECG_Phase_Atrial",
        "ECG_Phase_Completion_Ventricular", "RSP_Rate", "RSP_Amplitude", "RSP_RVT", "RSP_Phase",
        "RSP_Symmetry_PeakTrough", "RSP_Peaks", "RSP_Troughs", "Respiration Rate", "EDA_Tonic", "EDA_Phasic",
        "SCR_Onsets", "SCR_Peaks", "SCR_Height", "SCR_Amplitude", "SCR_RiseTime", "SCR_Recovery", "SCR_RecoveryTime",
        "PPG_Rate", "PPG_Peaks", "PPG_Quality", "pulse_rate", "EOG_Blinks", "EEG Quality", "ppg sqi",
    ])
    func derivedColumn_isNoSignal(header: String) throws {
        let kind = try #require(Self.kinds(["time", header])[header])
        #expect(kind == .other || kind == .heartRate, "\(kind)")
        let ofHeart = ["ECG_Rate", "PPG_Rate", "pulse_rate"].contains(header)
        #expect((kind == .heartRate) == ofHeart)
    }

    @Test(arguments: [("ECG", StreamKind.ecg), ("RSP", .respiration), ("EDA", .eda), ("PPG", .bvp)])
    func cleanedColumn_isASignalUnlessTheRawOneIsThere(name: String, kind: StreamKind) throws {
        #expect(try Self.kinds(["time", "\(name)_Clean", "\(name)_Rate"])["\(name)_Clean"] == kind)
        for raw in ["\(name)_Raw", name] {
            let kinds = try Self.kinds(["time", "\(name)_Clean", raw, "\(name)_Quality"])
            #expect(kinds["\(name)_Clean"] == .other && kinds[raw] == kind, "\(raw)")
        }
    }

    @Test(arguments: [("time [s/256]", 256.0), ("Time (1/1024 s)", 1_024), ("time [s]", 1), ("t [1/60 sec]", 60)])
    func timesInPartsOfASecond_areReadInThem(header: String, rate: Double) throws {
        let folder = try TemporaryFolder()
        let rows = (0..<100).map { "\($0),\($0 % 7)\n" }.joined()
        let stream = try #require(
            RecordingFile.open(folder.file("a.csv", "\(header),ecg\n" + rows)).header.streams.first)
        #expect(stream.sampleRate == rate)
    }

    @Test(arguments: ["us", "uS", "US", "µS", "μs", "microSiemens", "uMho"], [8])
    func skinConductanceInAnySpelling_isInMicrosiemens(unit: String, seed: UInt64) throws {
        let folder = try TemporaryFolder()
        for (name, text) in [
            ("a.csv", "time,EDA [\(unit)]\n0,1\n0.25,2\n0.5,3\n0.75,4\n"),
            ("b.csv", "time,EDA\ns,\(unit)\n0,1\n0.25,2\n0.5,3\n0.75,4\n"),
            ("r.hea", "r 1 4 4\nr.dat 16 100/\(unit.replacing(" ", with: "")) 16 0 0 0 0 EDA\n"),
        ] {
            _ = try folder.file("r.dat", [UInt8](repeating: 1, count: 8))
            let stream = try #require(RecordingFile.open(folder.file(name, text)).header.streams.first)
            #expect(stream.kind == .eda && stream.channels[0].unit == .microsiemens, "\(name)")
        }
    }
}
