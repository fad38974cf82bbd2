import Foundation
import Service
import TestSupport
import Testing

/// What a tester that reads the API's document finds when it sends what the document allows and what it does not.
struct PropertyTests {
    static let tester = OutsideProgram.found(
        "schemathesis", in: ProcessInfo.processInfo.environment["VIRTUAL_ENV"].map { ["\($0)/bin"] } ?? [])

    @Test(.enabled(if: tester != nil), .timeLimit(.minutes(5)))
    func noRequestBreaksTheServiceOrItsDocument() async throws {
        let tester = try #require(Self.tester)
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let outcome = try await test.served { address in
                try await OutsideProgram.run(
                    tester,
                    [
                        "run", "\(address)/openapi.json", "-H", "Authorization: Bearer \(test.service.token.text)",
                        // Live events do not end, and a scan takes as long as it is asked to.
                        "--exclude-operation-id", "liveEvents", "--exclude-operation-id", "scanDevices",
                        // A text of the right form may still name no device: that is refused, and rightly.
                        "--exclude-checks", "positive_data_acceptance",
                        "--max-examples", "15", "--seed", "1", "--generation-database", "none", "--no-color",
                    ])
            }
            #expect(outcome.status == 0, "\(outcome.output)")
        }
    }
}
