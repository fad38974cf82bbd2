import Foundation
import Service
import TestSupport
import Testing

/// The page in a browser.
@Suite(.timeLimit(.minutes(2))) struct PageTests {
    static let browser = OutsideProgram.found("chromium", in: ["/usr/bin", "/usr/local/bin"])

    @Test(.enabled(if: browser != nil))
    func thePageTakesItsKeyAndFollowsTheService() async throws {
        let browser = try #require(Self.browser)
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let code = test.service.loginCode()
            let outcome = try await test.served { address in
                try await OutsideProgram.run(
                    browser,
                    [
                        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                        "--user-data-dir=\(folder.appendingPathComponent("profile").path)",
                        "--virtual-time-budget=5000", "--dump-dom", "\(address)/#\(code)",
                    ])
            }
            #expect(outcome.output.contains("<span id=\"study\">study</span>"))
            #expect(outcome.output.contains("● live"))
            // Neither a key nor the code is on the page, and the code does not work again.
            #expect(!outcome.output.contains(test.service.token.text) && !outcome.output.contains(code))
            #expect(await test.ask("POST", "/open/\(code)", key: nil).status == 404)
        }
    }
}
