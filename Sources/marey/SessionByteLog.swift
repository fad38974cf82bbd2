import Acquisition
import Devices
import Foundation
import Synchronization

/// The raw bytes of a session's devices, one log each beside the recording, written by a queue of its own.
final class SessionByteLog: @unchecked Sendable {
    private let queue = DispatchQueue(label: "byte log")
    private var writers: [String: ByteLogWriter] = [:]

    init(_ addresses: [DeviceAddress], beside file: URL, clock: SystemClock) throws {
        for address in addresses {
            let place = file.deletingPathExtension().appendingPathExtension("\(address.name).bytes")
            let header = ByteLogHeader(
                device: address.model, place: address.place, options: address.options.values, clock: clock)
            writers[address.name] = try ByteLogWriter(place, header: header)
        }
    }

    func take(_ report: DeviceReport) {
        guard case .bytes(let bytes, let endpoint, let isIncoming) = report.content else { return }
        let entry = ByteLogEntry(
            isIncoming ? .received(bytes, from: endpoint) : .sent(bytes, to: endpoint), at: report.moment)
        queue.async { [self] in
            // The recording is what counts: a log that can't be written is left behind.
            try? writers[report.device]?.append(entry)
        }
    }

    func close() throws {
        try queue.sync { for writer in writers.values { try writer.close() } }
    }
}
