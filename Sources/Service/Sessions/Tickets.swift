import Foundation
import Signals
import Synchronization

/// Links to single files that work once and for a minute: a browser opens a report in a window of its own, where no
/// key can be sent along. It works no longer than the key that asked for it.
final class Tickets: Sendable {
    private struct Ticket {
        var name: String
        var url: URL
        var key: Int64?
        var end: Seconds
    }

    private static let validity: Seconds = 60
    /// How many one key may have at once, so that none drives out another's.
    private static let mostOfKey = 64
    private let tickets = Mutex<[String: Ticket]>([:])

    /// A ticket for a file.
    /// - Parameter key: the number of the key that asks; nil: who started the service.
    func issue(_ name: String, _ url: URL, for key: Int64?, at moment: Seconds) -> String {
        let secret = AccessToken().text
        tickets.withLock { tickets in
            tickets = tickets.filter { $0.value.end > moment }
            let own = tickets.filter { $0.value.key == key }
            if own.count >= Self.mostOfKey, let oldest = own.min(by: { $0.value.end < $1.value.end }) {
                tickets[oldest.key] = nil
            }
            tickets[secret] = Ticket(name: name, url: url, key: key, end: moment + Self.validity)
        }
        return secret
    }

    /// The file of a ticket, once; nil when there is none or its time is over.
    /// - Parameter isValid: whether a key is still valid.
    func redeem(
        _ secret: String, at moment: Seconds, isValid: (Int64?) -> Bool
    ) -> (name: String, url: URL)? {
        let found = tickets.withLock { $0.removeValue(forKey: secret) }
        guard let found, found.end > moment, isValid(found.key) else { return nil }
        return (found.name, found.url)
    }
}
