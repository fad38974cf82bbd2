/// Epochs that are measured against the average of all channels.
enum EpochAverage {
    /// Takes channels that are not to be used out of the average. What is left of the others' mean is taken off all, which is
    /// as if the bad ones had never been in it, as the mean is linear.
    /// - Parameter bad: of each channel whether it is not to be used.
    /// - Returns: whether there is an average: fewer than half of the channels make none, and nothing is done then.
    static func leaveOut(_ bad: [Bool], of epoch: inout Epoch) -> Bool {
        let good = bad.indices.filter { !bad[$0] }
        guard good.count < bad.count else { return true }
        guard good.count * 2 >= bad.count, good.count > 1 else { return false }
        let frames = epoch.frameCount
        epoch.samples.withUnsafeMutableBufferPointer { samples in
            for frame in 0..<frames {
                var sum = 0.0
                for channel in good { sum += Double(samples[channel * frames + frame]) }
                let mean = Float(sum / Double(good.count))
                for channel in bad.indices { samples[channel * frames + frame] -= mean }
            }
        }
        return true
    }
}
