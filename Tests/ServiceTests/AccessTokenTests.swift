import Service
import Testing

struct AccessTokenTests {
    @Test func theHashIsThatOfFIPS180() {
        #expect(
            AccessToken("abc").hash == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test func keysAreLongAndNeverTheSame() {
        let keys = Set((0..<100).map { _ in AccessToken().text })
        #expect(keys.count == 100)
        #expect(keys.allSatisfy { $0.hasPrefix("marey_") && $0.count == 49 })
    }

    @Test func printingAKeyDoesNotGiveItAway() {
        let key = AccessToken()
        #expect(!"\(key)".contains(key.text.dropFirst(6)))
    }
}
