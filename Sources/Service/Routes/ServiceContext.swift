import Devices
import Foundation
import Pipeline
import Sessions
import Signals
import Study

/// What the routes work with.
struct ServiceContext: Sendable {
    let study: StudyFolder
    let bookkeeping: Bookkeeping
    let desk: SessionDesk
    let feed: LiveFeed
    let relay: RelayDesk
    let phones: SocketIODesk
    let tickets: Tickets
    let logins: BrowserSessions
    let scanner: DeviceScanner
    let limits: ServiceLimits
    let now: @Sendable () -> Timestamp

    /// The run of this number.
    /// - Throws: `Problem` 404.
    func run(_ id: Int) throws -> RunRecord {
        guard let run = try bookkeeping.runs().first(where: { $0.id == Int64(id) }) else {
            throw Problem.notFound("there is no session \(id)")
        }
        return run
    }

    /// Whether a key is valid; whoever started the service needs none.
    func isValid(_ key: Int64?) -> Bool {
        guard let key else { return true }
        return ((try? bookkeeping.key(id: key, at: now())) ?? nil) != nil
    }

    /// Where participants stand with predictions.
    var calibrations: CalibrationDesk { CalibrationDesk(study, bookkeeping, who: "service") }

    /// The number of a participant's latest model; nil where there is none.
    func model(of participant: String, _ prediction: String) throws -> Int? {
        try bookkeeping.latestModel(participant: participant, prediction: prediction).map { Int($0.id) }
    }

    var files: StudyFiles { StudyFiles(study: study) }

    /// The study's name: its folder's.
    var title: String { study.root.standardizedFileURL.lastPathComponent }
}

extension Route.Parameter {
    static let session = path("session", .integer(1...9_007_199_254_740_991), "The session's number")
    static let file = path("file", .text(), "The file's name within the session")
    static let event = path("event", .integer(1...9_007_199_254_740_991), "The event's number")
}
