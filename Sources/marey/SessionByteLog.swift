import Acquisition
import Devices
import Foundation
import Sessions
import Synchronization

/// The raw bytes of a session's devices, one log each beside the recording, written by a queue of its own.
final class SessionByteLog: @unchecked Sendable {
    private let queue = DispatchQueue(label: "byte log")
    private let writers: [String: ByteLogWriter]
    private let timer: any DispatchSourceTimer
    private var ticks = 0

    /// Seconds between what is handed to the system, and how many of these are between what is handed to the disk.
    private static let (interval, ticksOfSync) = (0.25, 4)

    init(of plan: SessionPlan, clock: some HostClock) throws {
        var begun: [String: ByteLogWriter] = [:]
        do {
            for address in plan.addresses {
                let header = ByteLogHeader(
                    device: address.model, place: address.place, options: address.options.values, clock: clock)
                let secrets = DeviceModel.named(address.model).map { address.options.secrets(of: $0) }
                begun[address.name] = try ByteLogWriter(
                    plan.rawLog(of: address), header: header, secrets: secrets ?? [])
            }
        } catch {
            for writer in begun.values { unlink(writer.url.path) }
            throw error
        }
        writers = begun
        // Last: a timer that was never activated may not be given up.
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in self?.secure() }
        timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval)
        timer.activate()
    }

    deinit { timer.cancel() }

    /// A log that says little would else be in memory for long.
    private func secure() {
        ticks += 1
        for writer in writers.values {
            if ticks % Self.ticksOfSync == 0 { try? writer.sync() } else { try? writer.flush() }
        }
    }

    func take(_ report: DeviceReport) {
        guard let content = Self.content(of: report) else { return }
        let entry = ByteLogEntry(content, at: report.moment)
        queue.async { [self] in
            // The recording is what counts: what a log lacks is told when it is closed.
            try? writers[report.device]?.append(entry)
        }
    }

    private static func content(of report: DeviceReport) -> ByteLogEntry.Content? {
        switch report.content {
        case .bytes(let bytes, let endpoint, true): .received(bytes, from: endpoint)
        case .bytes(let bytes, let endpoint, false): .sent(bytes, to: endpoint)
        case .subscribed(let uuid), .resubscribed(let uuid): .subscribed(uuid)
        case .asked(let uuid): .asked(uuid)
        case .refused(let error, let endpoint): .refused(error, by: endpoint)
        case .overrun(let count): .overrun(count: count)
        case .connection(_, .connected, _): .opened
        case .connection(_, .disconnected, let error), .connection(_, .disconnectedUponRequest, let error):
            .closed(error?.description)
        case .connection, .retrying, .event: nil
        }
    }

    /// Ends all logs.
    /// - Returns: what kept any of them from being whole, device by device.
    func close() -> [any Error] {
        timer.cancel()
        return queue.sync {
            writers.sorted { $0.key < $1.key }.compactMap { entry -> (any Error)? in
                do { try entry.value.close() } catch { return error }
                return nil
            }
        }
    }
}
