import Foundation
import Service
import Testing

@Suite struct JSONValueTests {
    @Test(
        "values are read as what they are",
        arguments: [
            ("true", .boolean(true)), ("false", .boolean(false)), ("1", .integer(1)), ("0", .integer(0)),
            ("-9007199254740993", .integer(-9_007_199_254_740_993)), ("1.5", .number(1.5)), ("25e-2", .number(0.25)),
            ("12345678901234567890", .number(12_345_678_901_234_567_890)), ("null", .null), ("\"1\"", .text("1")),
            ("[]", .list([])), ("{}", .object([:])),
            ("{\"a\":[1,\"\u{e9}\",null,{\"b\":true}]}", ["a": [1, "\u{e9}", .null, ["b": true]]]),
        ] as [(String, JSONValue)])
    func values(text: String, value: JSONValue) throws {
        let read = try JSONValue(Data(text.utf8))
        #expect(read == value)
        #expect(try JSONValue(read.data) == read)
    }

    @Test("what is no JSON is none", arguments: ["", "{", "[1", "nil", "{\"a\"}", "1e400", "\u{1}", "{a:1}"])
    func noJSON(text: String) {
        #expect(throws: (any Error).self) { try JSONValue(Data(text.utf8)) }
    }

    @Test("lists in lists take no longer than the same lists beside each other")
    func nesting() throws {
        let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        let wide = "[" + Array(repeating: "[]", count: 499).joined(separator: ",") + "]"
        func seconds(_ text: String) throws -> Duration {
            let data = Data(text.utf8)
            return try (0..<5).map { _ in try ContinuousClock().measure { _ = try JSONValue(data) } }.min() ?? .zero
        }
        // Measured 2 to 3 times; a reader that tries one kind after the other at each level took 800 to 900 times.
        #expect(try seconds(deep) < seconds(wide) * 50)
        #expect(throws: (any Error).self) { try JSONValue(Data(String(repeating: "[", count: 60_000).utf8)) }
    }
}
