public import Foundation

extension DeviceModel {
    /// A raw byte log of an earlier session in the place of its device.
    static let replay = DeviceModel(
        id: "replay", title: "raw byte log of an earlier session", transport: .replay,
        conversation: { _ throws in
            throw DeviceFailure(description: "A replay speaks for the device of its log: give the log's path.")
        })

    /// The kind of device that a log was made of, and what was chosen about it.
    /// - Throws: `FormatError` when the file is no log, `DeviceFailure` when its device is of an unknown kind.
    public static func recorded(in log: URL) throws -> (model: DeviceModel, options: DeviceOptions) {
        let header = try ByteLogReader(log).header
        guard var model = named(header.device), model.transport != .replay else {
            throw DeviceFailure(description: "\(log.relativePath): its device is of an unknown kind: \(header.device)")
        }
        let conversation = model.conversation
        // The options are those of the log: nobody wrote them who replays it.
        model.conversation = { options in
            do { return try conversation(options) } catch let failure as DeviceFailure {
                throw DeviceFailure(description: "\(log.relativePath): \(failure.description)")
            }
        }
        // Logs hold no secrets, and nobody asks for them in a replay.
        let secrets = model.options.filter { $0.isSecret && !$0.isFile && header.options[$0.name] == nil }
        let options = secrets.reduce(into: header.options) { $0[$1.name] = "replayed" }
        return (model, DeviceOptions(options, texts: header.files ?? [:]))
    }
}
