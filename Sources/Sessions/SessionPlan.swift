public import Acquisition
public import Cohort
public import Devices
public import Foundation
public import Pipeline
public import Recorder
public import Signals
import Study

/// What is needed to record a session: where it goes, from which devices, computed how.
public struct SessionPlan: Sendable {
    /// Where it is recorded.
    public var target: SessionTarget
    /// The devices, by distinct names.
    public var addresses: [DeviceAddress]
    /// How it is computed as it comes.
    public var parameters: Parameters
    /// Seconds it is to last; nil: until somebody ends it.
    public var duration: Seconds?
    /// The task, for a file of its own; a study's run has its own.
    public var task: String?
    /// The predictions to tell as it goes on; nil: none. Only in a study.
    public var predictions: PredictionPlan?
    /// The Bluetooth adapter, such as `hci1`; nil: the first.
    public var adapter: String?
    /// Where a service hands on what comes to its ECG relay with the key of a name; nil: there is no service.
    public var relay: (@Sendable (String) throws -> any Connector)?
    /// Whether the devices' raw bytes are kept beside the recording, which takes as much room again.
    public var keepsRawLog = false

    /// A session of the devices written `MODEL@PLACE,option=value`.
    /// - Throws: `SessionRefusal` when one cannot be read, or there is none.
    public init(_ target: SessionTarget, devices: [String], parameters: Parameters) throws {
        let addresses = try Self.distinct(devices.map(Self.address))
        self = SessionPlan(target, addresses: addresses, parameters: parameters)
        guard !devices.isEmpty else { throw SessionRefusal.misuse("name at least one device: MODEL@PLACE") }
    }

    /// The same devices with names made distinct.
    /// - Throws: `SessionRefusal` when one is named twice.
    public static func distinct(_ addresses: [DeviceAddress]) throws -> [DeviceAddress] {
        do { try addresses.demandDistinct() } catch { throw SessionRefusal.misuse(error.description) }
        return addresses.withDistinctNames
    }

    /// A session of devices with distinct names.
    public init(_ target: SessionTarget, addresses: [DeviceAddress], parameters: Parameters) {
        (self.target, self.addresses, self.parameters) = (target, addresses, parameters)
    }

    /// What is written `MODEL@PLACE,option=value`.
    /// - Throws: `SessionRefusal` when it cannot be read.
    public static func address(_ text: String) throws -> DeviceAddress {
        do { return try DeviceAddress(text) } catch { throw SessionRefusal.misuse("\(error)") }
    }

    /// Makes sure there is room, reaches for the devices' transports, begins the recording and notes that it runs. Where
    /// another program began the same run meanwhile, or the raw bytes of one that is gone lie there, and nobody asked
    /// for its number, `target` becomes the next free one.
    /// - Throws: `SessionRefusal`, `RecorderError`, `ModelError`, or what keeps Bluetooth from being used.
    public mutating func prepare(clock: any HostClock = SystemClock(), at now: Timestamp) throws -> PreparedSession {
        let request = try target.study.flatMap { try predictions?.request(in: $0) } ?? .none
        try target.makeFolder()
        let sizes = try demandRoom(clock)
        let devices = try devices(clock)
        let recorder = try recorder(clock)
        let run: Int64?
        do {
            try predictions?.write(beside: target.file)
            run = try target.note(.running, at: now)
        } catch {
            recorder.discard()
            if predictions != nil { try? FileManager.default.removeItem(at: PredictionPlan.file(for: target.file)) }
            throw error
        }
        return PreparedSession(
            recorder: recorder, devices: devices, parameters: parameters, predictions: request, run: run,
            assumptions: sizes.filter { $0.assumption != nil }.map(\.description), clock: clock)
    }

    /// Makes sure that the disk holds the session, or ten minutes of one whose end is open.
    /// - Returns: what each device is expected to write.
    private func demandRoom(_ clock: any HostClock) throws -> [ExpectedSize] {
        let sizes = try addresses.map { address in
            do {
                return try address.expectedSize(clock: clock)
            } catch let error as DeviceFailure {
                throw SessionRefusal.misuse(error.description)
            }
        }
        let copies = keepsRawLog ? 2.0 : 1
        let duration = duration ?? 600
        let basis = sizes.map(\.description) + (keepsRawLog ? ["as much again for the raw bytes"] : [])
        try DiskEstimate.check(
            target.file.deletingLastPathComponent(),
            bytesPerSecond: sizes.reduce(0) { $0 + $1.bytesPerSecond } * copies, duration: duration,
            basis: "\(Int(min(duration, 1e15).rounded())) s of " + basis.joined(separator: "; "))
        return sizes
    }

    /// Where the raw bytes of a device are kept: beside the recording.
    public func rawLog(of address: DeviceAddress) -> URL {
        target.file.deletingPathExtension().appendingPathExtension("\(address.name).bytes")
    }

    /// Makes sure, before there is a recording, that no device's raw bytes lie where they are to be kept.
    private func demandFreeLogs() throws {
        guard keepsRawLog else { return }
        let logs = addresses.map { rawLog(of: $0) }
        guard let taken = logs.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else { return }
        throw RecorderError.exists(taken.relativePath)
    }

    /// Begins the recording.
    private mutating func recorder(_ clock: any HostClock) throws -> Recorder {
        while true {
            var session = Recorder.Session(url: target.file, software: "marey \(MareyVersion.current)")
            (session.subject, session.session, session.task) = (
                target.name?.subject, target.name?.session, target.name?.task ?? task
            )
            do {
                try demandFreeLogs()
                return try Recorder(session, clock: clock)
            } catch RecorderError.exists(let file) {
                if let next = try target.next() {
                    target = next
                    continue
                }
                guard target.study != nil else { throw RecorderError.exists(file) }
                // Nobody names the files of a study.
                throw SessionRefusal.unavailable(
                    "\(file): exists already and is never overwritten; take another number with --run or move the file")
            }
        }
    }

    /// The same without a recording: the devices are looked at before a session.
    /// - Throws: `SessionRefusal`, or what keeps Bluetooth from being used.
    public func prepareCheck(clock: SystemClock = SystemClock()) throws -> PreparedSession {
        let devices = try devices(clock)
        var plan = Recorder.Session(url: target.file, software: "marey \(MareyVersion.current)")
        plan.hasSidecar = false
        let recorder = try Recorder(plan, clock: clock, disk: NoDisk())
        return PreparedSession(
            recorder: recorder, devices: devices, parameters: parameters, predictions: .none, run: nil,
            assumptions: [], clock: clock)
    }

    /// The devices, ready to be connected.
    /// - Throws: `SessionRefusal`, or what keeps Bluetooth from being used.
    public func devices(_ clock: any HostClock = SystemClock()) throws -> [SessionDevice] {
        var opened: BlueZCentral?
        func central() throws -> any GattCentral {
            if let opened { return opened }
            let central = try BlueZCentral(adapter: adapter, clock: clock)
            opened = central
            return central
        }
        let logs = ReplayedLogs()
        return try addresses.map { address in
            do {
                return try address.device(clock: clock, logs: logs, relay: relay, central: central)
            } catch let error as DeviceFailure {
                throw SessionRefusal.misuse(error.description)
            }
        }
    }
}

/// A session whose recording has begun and whose devices are yet to be connected.
public struct PreparedSession: Sendable {
    /// Records it.
    public let recorder: Recorder
    /// Its devices.
    public let devices: [SessionDevice]
    /// How it is computed.
    public let parameters: Parameters
    /// What is told of the participant as it goes on.
    public let predictions: PredictionRequest
    /// The run's row id in the study's bookkeeping; nil outside a study.
    public let run: Int64?
    /// What was assumed of devices of which it is not known before how much they write.
    public let assumptions: [String]
    /// What its time follows.
    let clock: any HostClock

    /// The session itself; its `run` connects the devices.
    /// - Parameters: as for `LiveSession`.
    /// - Throws: `InvalidParameter`.
    public func session(
        keepsResults: Bool = false, log: (@Sendable (DeviceReport) -> Void)? = nil,
        watch: (@Sendable (RecordedPiece) -> Void)? = nil,
        show: @escaping @Sendable (SessionEvent) -> Void
    ) async throws -> LiveSession {
        try await LiveSession(
            recorder: recorder, devices: devices, parameters: parameters, predictions: predictions, clock: clock,
            keepsResults: keepsResults, log: log, watch: watch, show: show)
    }
}

/// Keeps nothing of what is written.
private final class NoDisk: RecordingDisk {
    func append(_ bytes: [UInt8]) {}
    func sync() {}
    var freeBytes: Int? { nil }
    func close() {}
}
