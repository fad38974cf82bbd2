public import Electrochemistry
import Formats
public import Signals

/// What the streams of one potentiostat in a recording say together, of one channel where their packages tell several
/// apart.
public struct ElectrochemicalResult: Sendable {
    /// Which potentiostat, and which of its channels.
    public let source: ElectrochemicalSource
    /// The places, in the recording, of the streams that were read: all of the potentiostat's.
    public let streams: Set<Int>
    /// The points of the measurement, in order of time.
    public let points: [ElectrochemicalPoint]
    /// The impedance spectra, of each measurement its own; empty where none was measured.
    public let spectra: [ImpedanceSpectrum]
    /// Sweeps of potential.
    public let sweeps: [LinearSweep]
    /// Steps of potential, of the measurements in which it was not swept.
    public let steps: [PotentialStep]

    /// The tables of what was measured, by the ending of their file's name.
    public var tables: [(suffix: String, table: Table)] {
        var tables = [("desc-electrochemistry_physio", ElectrochemicalPoint.table(points))]
        if !spectra.isEmpty { tables.append(("desc-impedance_physio", ImpedanceSpectrum.table(spectra))) }
        if !sweeps.isEmpty { tables.append(("desc-sweeppeaks_events", SweepPeak.table(sweeps.flatMap(\.peaks)))) }
        if !steps.isEmpty { tables.append(("desc-potentialsteps_events", PotentialStep.table(steps))) }
        return tables
    }
}

/// Gathers the values of one potentiostat's streams; they are told when the recording is over, each measurement for
/// itself.
struct ElectrochemicalTrack {
    private let device: String
    private var streams: [Int: Stream]
    /// When measurements began.
    private var beginnings: [Seconds] = []
    /// Other potentiostats and their streams: what begins there begins nothing here.
    private let others: Set<String>
    private let hasTimes: Bool

    /// The potentiostats of a recording that tell a current or an impedance with times of their own, by their names.
    static func all(in header: RecordingHeader) -> [ElectrochemicalTrack] {
        let devices = Dictionary(grouping: header.streams.indices.filter { isPart(header.streams[$0]) }) {
            ElectrochemicalPoint.device(of: header.streams[$0])
        }
        func measuring(_ isMeasured: (StreamHeader) -> Bool) -> [String] {
            devices.filter { $0.value.contains { isMeasured(header.streams[$0]) } }.keys.sorted()
        }
        let known = measuring(ElectrochemicalPoint.isMeasured)
        let found = known.isEmpty ? measuring { [.current, .impedance].contains($0.kind) } : known
        return found.map { device in
            let others = devices.filter { $0.key != device }
            let streams = others.values.joined().map { header.streams[$0].name }
            return ElectrochemicalTrack(
                device, devices[device] ?? [], in: header, besides: Set(others.keys).union(streams).subtracting([""]))
        }
    }

    private init(_ device: String, _ places: [Int], in header: RecordingHeader, besides others: Set<String>) {
        (self.device, self.others) = (device, others)
        hasTimes = header.hasTimes
        streams = Dictionary(uniqueKeysWithValues: places.map { ($0, Stream(header: header.streams[$0])) })
    }

    /// Whether a stream may be one of a potentiostat's that make points.
    private static func isPart(_ stream: StreamHeader) -> Bool {
        let isFrequency = stream.channels.first.map { $0.label == "frequency" && $0.unit == .hertz } ?? false
        return stream.sampleRate == 0
            && !ElectrochemicalPoint.isRepeated(stream) && !ElectrochemicalPoint.isOfSecondElectrode(stream)
            && ([.potential, .current, .impedance].contains(stream.kind) || isFrequency
                || ElectrochemicalPoint.tellsChannel(stream))
    }

    mutating func take(_ event: RecordingEvent) {
        switch event {
        case .values(let stream, let values): streams[stream]?.values += values
        case .marker(let marker):
            if let owner = marker.stream, others.contains(owner) { break }
            if MethodSCRIPTTechnique(markerLabel: marker.label) != nil { beginnings.append(marker.onset) }
        case .segment, .samples: break
        }
    }

    /// What the potentiostats of a recording measured: each at its one channel, or at each of those that its packages
    /// tell apart.
    static func results(of tracks: [ElectrochemicalTrack]) -> [ElectrochemicalResult] {
        tracks.flatMap { track -> [ElectrochemicalResult] in
            let device = tracks.count > 1 && !track.device.isEmpty ? track.device : nil
            let points = ElectrochemicalPoint.points(
                of: track.streams.keys.sorted().compactMap { track.streams[$0] }, hasTimes: track.hasTimes)
            let measured = points.filter { $0.current != nil || $0.real != nil }
            guard Set(measured.map(\.channel)).count > 1 else {
                return [track.result(points, ElectrochemicalSource(device: device, channel: nil))]
            }
            return Dictionary(grouping: points, by: \.channel).sorted { ($0.key ?? -1) < ($1.key ?? -1) }.map {
                track.result($0.value, ElectrochemicalSource(device: device, channel: $0.key))
            }
        }
    }

    private func result(
        _ points: [ElectrochemicalPoint], _ source: ElectrochemicalSource
    ) -> ElectrochemicalResult {
        var (spectra, sweeps, steps): ([ImpedanceSpectrum], [LinearSweep], [PotentialStep]) = ([], [], [])
        var before: PotentialStep?
        for measurement in ElectrochemicalPoint.measurements(points, beginningAt: beginnings) {
            if let spectrum = ImpedanceSpectrum(measurement) { spectra.append(spectrum) }
            let direct = measurement.filter { $0.real == nil }
            let swept = LinearSweep.sweeps(direct)
            let held = swept.isEmpty ? PotentialStep.steps(direct, after: before) : []
            // What was measured in between is no potential that was held.
            before = held.last
            sweeps += swept
            steps += held
        }
        return ElectrochemicalResult(
            source: source, streams: Set(streams.keys), points: points, spectra: spectra, sweeps: sweeps, steps: steps)
    }
}
