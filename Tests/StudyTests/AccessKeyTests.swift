import Foundation
import Signals
import Study
import TestSupport
import Testing

struct AccessKeyTests {
    private let now = Timestamp(secondsSince1970: 1_700_000_000)

    private func withBookkeeping(_ body: (Bookkeeping) throws -> Void) throws {
        try withTemporaryFolder { folder in
            try body(
                Bookkeeping(StudyFolder.create(at: folder.appendingPathComponent("s"), name: "S", version: "test")))
        }
    }

    @Test func aKeyIsFoundByItsHashUntilItIsTakenBack() throws {
        try withBookkeeping { bookkeeping in
            let id = try bookkeeping.addKey(
                "tablet", hash: "aa", rights: [.read, .record], predictions: ["focus"], at: now)
            let key = try #require(try bookkeeping.key(hash: "aa", at: now))
            #expect(key.id == id && key.name == "tablet")
            #expect(key.rights == [.read, .record] && key.predictions == ["focus"])
            #expect(try bookkeeping.key(hash: "ab", at: now) == nil)
            #expect(try bookkeeping.revokeKey("tablet", at: now + 5))
            #expect(try bookkeeping.key(hash: "aa", at: now) == nil)
            #expect(try bookkeeping.keys().map(\.revokedAt) == [now.secondsSince1970 + 5])
        }
    }

    @Test("no key is called as the service calls itself, or whoever started it", arguments: ["owner", "service"])
    func reservedNames(name: String) throws {
        try withBookkeeping { bookkeeping in
            let id = try bookkeeping.addKey(name, hash: "1", rights: [.relay], predictions: nil, at: now)
            #expect(id == nil)
            #expect(try bookkeeping.keys().isEmpty)
        }
    }

    @Test func aNameIsTakenForEver() throws {
        try withBookkeeping { bookkeeping in
            #expect(try bookkeeping.addKey("a", hash: "1", rights: [], predictions: nil, at: now) != nil)
            #expect(try bookkeeping.addKey("a", hash: "2", rights: [.read], predictions: nil, at: now) == nil)
            #expect(try bookkeeping.key(hash: "2", at: now) == nil)
            _ = try bookkeeping.revokeKey("a", at: now)
            #expect(try bookkeeping.addKey("a", hash: "3", rights: [.read], predictions: nil, at: now) == nil)
        }
    }
}
