public import Electrochemistry
import Formats
public import Signals

/// What a potentiostat's streams in a recording say together.
public struct ElectrochemicalResult: Sendable {
    /// The places, in the recording, of the streams that were read.
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

/// Gathers the values of a potentiostat's streams; they are told when the recording is over, each measurement for
/// itself.
struct ElectrochemicalTrack {
    private var streams: [Int: Stream]
    /// When measurements began.
    private var beginnings: [Seconds] = []
    private let hasTimes: Bool

    /// nil where the recording has neither current nor impedance with times of their own.
    init?(_ header: RecordingHeader) {
        let places = header.streams.indices.filter { place in
            let stream = header.streams[place]
            let isFrequency = stream.channels.first.map { $0.label == "frequency" && $0.unit == .hertz } ?? false
            return stream.sampleRate == 0
                && !ElectrochemicalPoint.isRepeated(stream)
                && ([.potential, .current, .impedance].contains(stream.kind) || isFrequency)
        }
        guard places.contains(where: { [.current, .impedance].contains(header.streams[$0].kind) }) else { return nil }
        hasTimes = header.hasTimes
        streams = Dictionary(uniqueKeysWithValues: places.map { ($0, Stream(header: header.streams[$0])) })
    }

    mutating func take(_ event: RecordingEvent) {
        switch event {
        case .values(let stream, let values): streams[stream]?.values += values
        case .marker(let marker):
            if MethodSCRIPTTechnique(markerLabel: marker.label) != nil { beginnings.append(marker.onset) }
        case .segment, .samples: break
        }
    }

    /// What was measured.
    func result() -> ElectrochemicalResult {
        let points = ElectrochemicalPoint.points(
            of: streams.keys.sorted().compactMap { streams[$0] }, hasTimes: hasTimes)
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
            streams: Set(streams.keys), points: points, spectra: spectra, sweeps: sweeps, steps: steps)
    }
}
