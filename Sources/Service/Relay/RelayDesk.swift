import Decoding
import Devices
import Foundation
import Signals
import Study
import Synchronization

/// Where samples come from: the requests of a key, or one of its WebSockets.
struct RelaySender: Hashable, Sendable {
    /// The key's number; nil for who started the service.
    var key: Int64?
    /// What tells the socket from others; nil for plain requests.
    var socket: String?
}

/// The ECG relay: samples in, heart rate and status out, and a list of changes to an abnormal status. Every sender has
/// an analysis of its own. The codes are those of the relay's protocol and no medical judgement.
final class RelayDesk: Sendable {
    /// A change to an abnormal status.
    struct Event: Hashable, Sendable {
        var id: Int
        var moment: Timestamp
        /// The key that the samples came with; nil: that of who started the service.
        var key: Int64?

        /// Whether the caller may see it: whose samples it is of, who started the service, and who may read, as far as their
        /// keys allow the heart rate, from which it follows.
        func isSeen(by caller: Caller) -> Bool {
            caller.allows(Prediction.heartRate.name) && (isOwn(of: caller) || caller.rights.contains(.read))
        }

        /// Whether the caller may take it off the list: whose samples it is of, and who started the service.
        func isOwn(of caller: Caller) -> Bool { caller.key == nil || caller.key == key }
    }

    private struct Sender {
        var rhythm = RelayRhythm()
        var changes = RelayEventList()
        var reply: RelayReply?
        var last: Seconds = 0
    }

    /// Where what comes with a key is recorded, and which of its senders is.
    private struct Recording {
        /// Gone with the session that records.
        weak var port: RelayPort?
        var sender: RelaySender?
        var last: Seconds = 0
    }

    private struct State {
        var senders: [RelaySender: Sender] = [:]
        var recordings: [Int64?: Recording] = [:]
        var events: [Event] = []
        var nextEvent = 1
    }

    private static let mostSenders = 256
    private static let mostEvents = 10_000
    /// Seconds without a sample after which another sender of a key takes the place of the one that is recorded.
    private static let longestSilence: Seconds = 10
    private let state = Mutex(State())

    /// From now on what comes with a key is handed on, so that a session records it.
    /// - Parameter name: the key's name; empty: that of whoever started the service.
    /// - Throws: `DeviceFailure` when no such key may send to the relay.
    func port(of name: String, among keys: [AccessKey]) throws(DeviceFailure) -> RelayPort {
        let key = keys.first { $0.name == name && $0.revokedAt == nil && $0.rights.contains(.relay) }?.id
        guard key != nil || name.isEmpty else {
            throw DeviceFailure(
                description: "there is no valid key “\(name)” with the right to relay: "
                    + "see marey study keys, or write relay alone for who started the service")
        }
        let port = RelayPort(place: name.isEmpty ? "the relay" : "the relay, key \(name)")
        state.withLock { $0.recordings[key] = Recording(port: port) }
        return port
    }

    /// A sample of one sender.
    /// - Returns: the answer; nil when the amplitude is no number.
    /// - Throws: `Problem` when a session records another sender of the same key: theirs would be one ECG.
    func take(_ sample: RelaySample, from sender: RelaySender, at now: Timestamp) throws(Problem) -> RelayReply? {
        guard let value = sample.value else { return nil }
        return try state.withLock { state throws(Problem) in
            try Self.record(sample, from: sender, at: now.secondsSince1970, &state)
            if state.senders[sender] == nil, state.senders.count >= Self.mostSenders {
                let oldest = state.senders.min { $0.value.last < $1.value.last }
                if let oldest { state.senders[oldest.key] = nil }
            }
            var known = state.senders[sender] ?? Sender()
            known.rhythm.add(value, at: sample.moment ?? now.secondsSince1970)
            known.last = now.secondsSince1970
            let reply = known.rhythm.reply
            known.reply = reply
            if known.changes.receive(reply.statusCode, at: now) {
                let event = Event(id: state.nextEvent, moment: now, key: sender.key)
                state.events = (state.events + [event]).suffix(Self.mostEvents)
                state.nextEvent += 1
            }
            state.senders[sender] = known
            return reply
        }
    }

    private static func record(
        _ sample: RelaySample, from sender: RelaySender, at now: Seconds, _ state: inout State
    ) throws(Problem) {
        guard var recording = state.recordings[sender.key] else { return }
        guard let port = recording.port else {
            state.recordings[sender.key] = nil
            return
        }
        if let other = recording.sender, other != sender {
            guard now - recording.last > longestSilence else {
                throw .conflict(
                    "otherSender", "the session records another phone that uses this key: give each a key of its own")
            }
            port.disconnect()
        }
        (recording.sender, recording.last) = (sender, now)
        state.recordings[sender.key] = recording
        port.take(sample)
    }

    /// A sender's board is gone: what it sends next is judged anew.
    func disconnect(_ sender: RelaySender) {
        state.withLock { state in
            state.senders[sender] = nil
            guard state.recordings[sender.key]?.sender == sender else { return }
            state.recordings[sender.key]?.sender = nil
            state.recordings[sender.key]?.port?.disconnect()
        }
    }

    /// Takes an event off the list.
    /// - Throws: `Problem` where the caller sees none of this number, or it is of another key's samples.
    func delete(_ id: Int, by caller: Caller) throws(Problem) {
        try state.withLock { state throws(Problem) in
            guard let index = state.events.firstIndex(where: { $0.id == id && $0.isSeen(by: caller) }) else {
                throw Problem.notFound("there is no such event")
            }
            guard state.events[index].isOwn(of: caller) else {
                throw Problem(
                    403, "right",
                    "this event is of another key's samples: that key takes it off the list, or who started the service"
                )
            }
            state.events.remove(at: index)
        }
    }

    /// How the samples of a caller's key do, the latest where several of its senders are there; the events that the caller
    /// may see, and the words for the codes.
    func json(for caller: Caller) -> JSONValue {
        state.withLock { state in
            let own = state.senders.filter { $0.key.key == caller.key }.values
            let reply = own.max { $0.last < $1.last }?.reply
            let code = reply?.statusCode ?? RelayStatus.none
            let codes = [RelayStatus.none, RelayStatus.regular, RelayStatus.abnormal]
            return [
                "connected": .boolean(reply != nil), "heartRate": .optional(reply?.heartRate),
                "statusCode": .text(code), "status": .text(RelayStatus.label(code)),
                "statuses": .object(
                    Dictionary(codes.map { ($0, JSONValue.text(RelayStatus.label($0))) }) { first, _ in first }),
                "events": .list(
                    state.events.filter { $0.isSeen(by: caller) }.map {
                        ["id": .integer($0.id), "moment": .text($0.moment.description)]
                    }),
            ]
        }
    }
}
