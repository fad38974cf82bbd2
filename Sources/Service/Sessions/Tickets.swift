import Foundation
import Signals
import Synchronization

/// Links to single files that work once and for a minute: a browser opens a report in a window of its own, where no
/// key can be sent along.
final class Tickets: Sendable {
    private struct Ticket {
        var name: String
        var url: URL
        var end: Seconds
    }

    private static let validity: Seconds = 60
    private static let most = 256
    private let tickets = Mutex<[String: Ticket]>([:])

    /// A ticket for a file.
    func issue(_ name: String, _ url: URL, at moment: Seconds) -> String {
        let secret = AccessToken().text
        tickets.withLock { tickets in
            tickets = tickets.filter { $0.value.end > moment }
            if tickets.count >= Self.most { tickets = [:] }
            tickets[secret] = Ticket(name: name, url: url, end: moment + Self.validity)
        }
        return secret
    }

    /// The file of a ticket, once; nil when there is none or its time is over.
    func redeem(_ secret: String, at moment: Seconds) -> (name: String, url: URL)? {
        tickets.withLock { tickets in
            guard let ticket = tickets.removeValue(forKey: secret), ticket.end > moment else { return nil }
            return (ticket.name, ticket.url)
        }
    }
}
