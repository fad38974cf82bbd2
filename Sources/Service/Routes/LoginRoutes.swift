/// The link that opens the page without a key in it.
enum LoginRoutes {
    static func routes(_ context: ServiceContext, codeUsed: @escaping @Sendable () -> Void) -> [Route] {
        [
            Route(
                method: "POST", path: "/open/{ticket}", id: "openPage",
                summary: "The key of a session for the code of a printed link; a code works once",
                parameters: [.path("ticket", .text(), "The code behind the # of the link: code_…")],
                answer: Route.Answer(
                    status: 201, meaning: "The key of the session",
                    schema: .object([.required("key", .text(), "Send it as Authorization: Bearer …")]))
            ) { call in
                guard let token = context.logins.exchange(call.text("ticket") ?? "") else {
                    throw Problem.notFound("this link was used: open the one that was printed last")
                }
                codeUsed()
                return .json(["key": .text(token.text)], status: 201)
            }
        ]
    }
}
