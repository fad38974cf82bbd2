import Signals

/// Detects characteristics that stop sending while the device stays connected, which counts as a lost link.
struct SilenceWatch: Sendable {
    /// The silence, in seconds, after which a characteristic counts as stopped.
    static let limit: Seconds = 12
    /// The same before the first value: sensors first find their signal.
    static let beginning: Seconds = 30

    /// The moment at which each characteristic counts as stopped.
    private var deadlines: [BluetoothUUID: Seconds] = [:]

    /// Watches nothing: a connection begins, or no value is expected for now.
    mutating func reset() { deadlines = [:] }

    /// A characteristic was subscribed at a moment.
    mutating func expect(_ characteristic: BluetoothUUID, at moment: Seconds) {
        deadlines[characteristic] = moment + Self.beginning
    }

    /// A characteristic sent a value; it is watched from now on.
    mutating func hear(_ characteristic: BluetoothUUID, at moment: Seconds) {
        deadlines[characteristic] = moment + Self.limit
    }

    /// The moment of the next look, as seen from `moment`: the first value brings the deadline forward, so a look is due within
    /// `limit` seconds. Nil when no characteristic is watched.
    func due(after moment: Seconds) -> Seconds? { deadlines.values.min().map { min($0, moment + Self.limit) } }

    /// Ends the connection when a characteristic has stopped by `moment`, and reports the failure `silent`.
    /// - Returns: true when it did.
    mutating func end(at moment: Seconds, into actions: inout [ConversationAction]) -> Bool {
        guard let stopped = deadlines.filter({ $0.value <= moment }).min(by: { $0.value < $1.value })?.key else {
            return false
        }
        reset()
        let text =
            "The notifications of \(stopped) stopped though the device is connected; it is connected again. Is it worn, and near?"
        actions.emit(.failed(.silent(text)))
        actions.append(.close)
        return true
    }
}
