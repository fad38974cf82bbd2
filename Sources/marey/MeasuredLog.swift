import Devices
import Foundation
import Signals

/// Every frame simulated devices measured, as a table: device, stream, index, true time in seconds since 1970, and the
/// values of its channels.
final class MeasuredLog: @unchecked Sendable {
    private let queue = DispatchQueue(label: "measured")
    private let handle: FileHandle
    private var pending = Data("device\tstream\tindex\ttime\tvalues\n".utf8)

    init(_ url: URL) throws {
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw Failure.nothingDone("\(url.relativePath): cannot be written")
        }
        handle = try FileHandle(forWritingTo: url)
    }

    /// Notes frames of a device that was switched on at `start`.
    func note(_ device: String, _ samples: MeasuredSamples, since start: Timestamp) {
        queue.async { [self] in
            for frame in 0..<samples.block.frameCount {
                let values = (0..<samples.block.channelCount).map {
                    "\(samples.block.samples[$0 * samples.block.frameCount + frame])"
                }
                let time = (start + samples.time(of: frame)).secondsSince1970
                let line =
                    "\(device)\t\(samples.stream)\t\(samples.index + frame)\t\(time)\t"
                    + values.joined(separator: ",") + "\n"
                pending.append(contentsOf: line.utf8)
            }
            if pending.count > 1 << 16 { flush() }
        }
    }

    private func flush() {
        try? handle.write(contentsOf: pending)
        pending.removeAll(keepingCapacity: true)
    }

    func close() throws {
        try queue.sync {
            flush()
            try handle.close()
        }
    }
}
