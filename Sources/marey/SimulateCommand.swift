public import ArgumentParser
import Cohort
import Devices
import Formats
import Foundation
import Pipeline
import Signals
public import Simulation

struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recording", abstract: "Write a recording whose true beats are known (the default).",
        discussion: """
            Example: marey simulate demo.edf --duration 600 --ectopics 0.02 \\
                       --noise muscle --snr 12 --drop-out 240:15

            Beside the recording go its truth: <name>_truth.tsv (every beat), <name>_faults.tsv (what goes wrong when) \
            and <name>_simulation.json (all parameters; give it back with --config). A WFDB record also gets its beats \
            as <name>.atr, so that marey validate can score a detector on it. The same seed gives the same bytes.

            With --serve, simulated devices take the place of a recording, each on the transport of the real one, until \
            Ctrl-C: marey simulate --serve heart-rate --serve empatica-e4@28000. What is printed is what marey acquire \
            takes; Bluetooth devices need the printed DBUS_SYSTEM_BUS_ADDRESS in its environment.
            """)

    @Argument(
        help: """
            The recording to write; its extension chooses the format: .edf .bdf .hea (WFDB) .xdf, and for one stream .csv \
            .tsv or _physio.tsv.gz (BIDS).
            """)
    var output: String?

    @Option(
        help: """
            A device to simulate, MODEL or MODEL@PORT, as often as wanted; marey devices list shows the models. \
            relay@LINK is a phone that sends an ECG board's samples to the relay of the service of that link, whose key is better \
            given in the environment as MAREY_KEY or with --key-file.
            """)
    var serve: [String] = []

    @OptionGroup var keys: KeyOptions

    @Option(help: "With --serve: a JSON file with what goes wrong: {\"device\": {…}, \"link\": {…}}.")
    var faults: String?

    @Option(help: "With --serve: the D-Bus for Bluetooth devices (default: one of its own).")
    var bus: String?

    @Option(help: "With --serve: a table of every frame the devices measured.")
    var truth: String?

    @Option(help: "With --serve: a file with the participant's mental load, 0 at rest to 1; its changes are followed.")
    var load: String?

    @Option(help: "A JSON file with all parameters, as written beside a simulated recording; flags change it.")
    var config: String?

    @Option(help: "Length in seconds (default 300).")
    var duration: Double?

    @Option(help: "Seed of all randomness (default 1).")
    var seed: UInt64?

    @Option(help: "Streams to write: ecg, bvp or both, separated by commas (default ecg,bvp).")
    var streams: String?

    @Option(help: "Sample rate of the ECG in Hz (default 250).")
    var sampleRate: Double?

    @Option(help: "Sample rate of the BVP in Hz (default 64).")
    var bvpRate: Double?

    @Option(help: "Mean heart rate in bpm (default 70).")
    var heartRate: Double?

    @Option(help: "Power of the intervals in the VLF, LF and HF bands in ms² (default 200,450,312.5).")
    var hrv: String?

    @Option(help: "Breaths per second, the frequency of the HF peak (default 0.25).")
    var respirationRate: Double?

    @Option(help: "Share of beats that are ectopic, 0…0.5, half of them ventricular (default 0).")
    var ectopics: Double?

    @Option(
        help: """
            Noise, as often as wanted: \(NoiseKind.allCases.map(\.rawValue).joined(separator: ", ")).
            """)
    var noise: [NoiseKind] = []

    @Option(parsing: .unconditional, help: "Signal-to-noise ratio of each noise in dB (default 20).")
    var snr: Double = 20

    @Option(
        name: .customLong("drop-out"),
        help: "A stretch that is not recorded, ONSET:DURATION in seconds, as often as wanted.")
    var dropOuts: [TimeSpan] = []

    @Flag(help: "Replace files that are there already.")
    var force = false

    private func serveDevices(_ parameters: SimulationParameters) throws {
        guard output == nil else { throw Failure.misuse("--serve writes no recording: leave out \(output ?? "")") }
        let faults = try self.faults.map { try FaultsFile(reading: URL(fileURLWithPath: $0)) }
        let truth = self.truth.map { URL(fileURLWithPath: $0) }
        try OutputFiles.refuseExisting([truth].compactMap(\.self), force: force)
        try SimulatedDevices(
            wishes: serve, parameters: parameters, deviceFaults: faults?.device ?? DeviceFaults(),
            linkFaults: faults?.link ?? LinkFaults(), bus: bus, truth: truth,
            load: load.map { URL(fileURLWithPath: $0) }, key: try keys.key()
        ).run()
    }

    func run() throws {
        let parameters = try parameters()
        guard serve.isEmpty else { return try serveDevices(parameters) }
        let served: [(name: String, value: String?)] = [
            ("--faults", faults), ("--bus", bus), ("--truth", self.truth), ("--load", load),
        ]
        if let option = served.first(where: { $0.value != nil })?.name {
            throw Failure.misuse("\(option) is for simulated devices, which --serve names; a recording has none")
        }
        guard let output else { throw Failure.misuse("name the recording to write, or devices with --serve") }
        let url = URL(fileURLWithPath: output)
        let isText = ["csv", "tsv"].contains(url.pathExtension.lowercased())
        guard !isText || parameters.ecg == nil || parameters.bvp == nil else {
            throw Failure.misuse("\(output): text holds one stream; choose it with --streams ecg or --streams bvp")
        }
        let stem = AnalysisRun.stem(of: output)
        let companions = ["_truth.tsv", "_faults.tsv", "_simulation.json"].map {
            url.deletingLastPathComponent().appendingPathComponent(stem + $0)
        }
        let session = SimulatedSession(parameters)
        let planned = try RecordingOutput.files(of: session.reader().header, at: url)
        let annotations = url.pathExtension == "hea" ? [TrueAnnotations.file(beside: url)] : []
        try OutputFiles.refuseExisting(
            planned.streams + planned.markers + annotations + companions, force: force)
        let truth = session.truth()
        let outcome = try RecordingOutput.write(to: url, title: "simulating") { session.reader() }
        if url.pathExtension == "hea", let ecg = parameters.ecg ?? nil {
            try TrueAnnotations.write(truth, sampleRate: ecg.sampleRate, beside: url)
        }
        try TSV.write(truth.beatsTable, to: companions[0])
        try TSV.write(truth.faultsTable, to: companions[1])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        try writeAtomically(Array(encoder.encode(parameters)) + [0x0A], to: companions[2])
        let beats = truth.beats.sorted { $0.key < $1.key }.map { "\($0.value.count.counted("beat")) in \($0.key)" }
        Terminal.note(
            "wrote \(outcome.names): \(beats.joined(separator: ", ")); truth in \(companions[0].relativePath)")
    }

    private func parameters() throws -> SimulationParameters {
        var parameters = try base()
        if let duration {
            parameters.duration = try positive(duration, "--duration", atMost: SimulationParameters.longest)
        }
        if let seed { parameters.seed = seed }
        if let streams { try choose(streams, &parameters) }
        if let sampleRate {
            parameters.ecg?.sampleRate = try positive(
                sampleRate, "--sample-rate", atMost: SimulationParameters.highestRate)
        }
        if let bvpRate {
            parameters.bvp?.sampleRate = try positive(bvpRate, "--bvp-rate", atMost: SimulationParameters.highestRate)
        }
        if let heartRate { parameters.rhythm.meanRate = try within(heartRate, 20...250, "--heart-rate") }
        if let respirationRate {
            parameters.rhythm.variability.respirationRate = try within(
                respirationRate, 0.15...0.4, "--respiration-rate")
        }
        if let hrv { try setPowers(hrv, &parameters) }
        if let ectopics {
            let share = try within(ectopics, 0...0.5, "--ectopics")
            let perHour = share * parameters.rhythm.meanRate * 60
            parameters.rhythm.supraventricular.perHour = perHour / 2
            parameters.rhythm.ventricular.perHour = perHour / 2
        }
        for kind in noise {
            let snr = try within(snr, SimulationParameters.noiseLevels, "--snr")
            parameters.ecgNoise.append(NoiseLevel(kind, snr: snr))
            parameters.bvpNoise.append(NoiseLevel(kind, snr: snr))
        }
        for span in dropOuts {
            guard max(span.onset, span.duration) <= SimulationParameters.longest else {
                throw Failure.misuse(
                    "--drop-out is \(span.onset):\(span.duration); both must be seconds, at most "
                        + "\(SimulationParameters.longest)")
            }
            for stream in [StreamKind.ecg, .bvp] {
                parameters.faults.append(Fault(.gap, stream: stream, onset: span.onset, duration: span.duration))
            }
        }
        return parameters
    }

    private func base() throws -> SimulationParameters {
        guard let config else { return SimulationParameters() }
        do {
            return try SimulationParameters(reading: config)
        } catch let error as PipelineError {
            throw Failure.misuse("\(error)")
        }
    }

    private func choose(_ streams: String, _ parameters: inout SimulationParameters) throws {
        let names = Set(OptionList.all(in: streams))
        guard !names.isEmpty, names.isSubset(of: ["ecg", "bvp"]) else {
            throw Failure.misuse("--streams is '\(streams)'; it must be ecg, bvp or ecg,bvp")
        }
        parameters.ecg = names.contains("ecg") ? parameters.ecg ?? ECGParameters() : nil
        parameters.bvp = names.contains("bvp") ? parameters.bvp ?? BVPParameters() : nil
    }

    private func setPowers(_ text: String, _ parameters: inout SimulationParameters) throws {
        let powers = OptionList.numbers(in: text)
        guard powers.count == 3, powers.allSatisfy({ $0 >= 0 && $0 <= 20_000 }) else {
            throw Failure.misuse("--hrv is '\(text)'; it must be three powers in ms², such as 200,450,312.5")
        }
        parameters.rhythm.variability.vlf = powers[0]
        parameters.rhythm.variability.lf = powers[1]
        parameters.rhythm.variability.hf = powers[2]
    }

    private func positive(_ value: Double, _ name: String, atMost limit: Double) throws -> Double {
        guard value > 0, value <= limit else {
            throw Failure.misuse("\(name) is \(value); it must be above 0, at most \(limit)")
        }
        return value
    }

    private func within(_ value: Double, _ range: ClosedRange<Double>, _ name: String) throws -> Double {
        guard range.contains(value) else {
            throw Failure.misuse("\(name) is \(value); it must be \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }
}

extension NoiseKind: ExpressibleByArgument {}

/// `ONSET:DURATION` in seconds.
struct TimeSpan: ExpressibleByArgument {
    var onset: Double
    var duration: Double

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false).compactMap { Double($0) }
        guard parts.count == 2, parts[0] >= 0, parts[1] > 0, parts[0].isFinite, parts[1].isFinite else { return nil }
        onset = parts[0]
        duration = parts[1]
    }
}
