public import Devices
public import Foundation
public import Signals

/// How much room a session takes.
public enum DiskEstimate {
    /// Bytes per second of a recording with these streams; of irregular ones of which no pace is known four values a second
    /// are expected.
    public static func bytesPerSecond(_ streams: [DeviceStream]) -> Double {
        streams.reduce(400) { sum, stream in
            let (header, channels) = (stream.header, Double(stream.header.channels.count))
            // A chunk four times a second, a clock offset every 5 s.
            let frames =
                header.sampleRate > 0
                ? header.sampleRate * (1 + (stream.isDouble ? 8 : 4) * channels)
                : (stream.pace ?? 4) * (9 + 8 * channels)
            return sum + frames + 4 * 26 + 6
        }
    }

    /// Makes sure that a folder's disk holds a session, with a tenth to spare.
    /// - Parameter basis: what the figure rests on, for the message.
    /// - Throws: `RecorderError.diskTooSmall`; `.refused` when the folder can't be examined.
    public static func check(_ folder: URL, bytesPerSecond: Double, duration: Seconds, basis: String = "") throws {
        var status = statvfs()
        guard statvfs(folder.path, &status) == 0 else {
            throw RecorderError.refused(
                file: folder.relativePath, reason: "cannot be examined: \(String(cString: strerror(errno)))")
        }
        let free = Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
        let needed = Int(min(1e18, max(0, bytesPerSecond * duration * 1.1)))
        guard needed < free else {
            throw RecorderError.diskTooSmall(folder: folder.relativePath, needed: needed, free: free, basis: basis)
        }
    }
}
