/// Which of a recording's potentiostats it was that measured, and at which of its channels.
public struct ElectrochemicalSource: Hashable, Sendable {
    /// The device, as its streams' names tell it; nil where the recording has one potentiostat alone, or they do not tell.
    public let device: String?
    /// The channel that the packages name, 0…255; nil where they name none, or all the same.
    public let channel: Int?

    /// What people read of it.
    public var name: String {
        "Potentiostat" + (device.map { " \($0)" } ?? "") + (channel.map { ", channel \($0)" } ?? "")
    }

    /// What the files made from it are called, before names that are alike are told apart.
    var fileLabel: String {
        "potentiostat" + CardiacSource.labelCharacters(of: device ?? "") + (channel.map { "channel\($0)" } ?? "")
    }
}
