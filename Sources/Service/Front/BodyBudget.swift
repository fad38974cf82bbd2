import Synchronization

/// What the long bodies of all connections may take together while they wait.
final class BodyBudget: Sendable {
    private let most: Int
    private let taken = Mutex(0)

    /// A budget of so many bytes.
    init(_ most: Int) {
        self.most = most
    }

    /// Takes so many bytes out of it.
    /// - Returns: false when there are not as many.
    func take(_ count: Int) -> Bool {
        taken.withLock { taken in
            guard taken + count <= most else { return false }
            taken += count
            return true
        }
    }

    /// Puts so many bytes back that were taken.
    func giveBack(_ count: Int) {
        taken.withLock { $0 -= count }
    }
}

/// What one connection has of the budget: the whole of a body from its head on until it is answered.
final class BodyShare: Sendable {
    private struct State {
        var held = 0
        var isInBody = false
    }

    private let budget: BodyBudget
    private let state = Mutex(State())

    init(_ budget: BodyBudget) {
        self.budget = budget
    }

    /// A body of so many bytes is about to come.
    /// - Throws: `Problem` 503 when too many others wait.
    func take(_ count: Int) throws(Problem) {
        guard budget.take(count) else {
            var problem = Problem.unavailable("busy", "too many long bodies come at once: send this again in a moment")
            problem.headers["Retry-After"] = "2"
            throw problem
        }
        state.withLock { state in
            state.held += count
            state.isInBody = true
        }
    }

    /// The client sent something.
    func clientMoved(isInBody: Bool) {
        state.withLock { $0.isInBody = isInBody }
    }

    /// The server answered: it holds no body any more, unless the next one has begun.
    func serverMoved() {
        let rest = state.withLock { state in
            guard !state.isInBody else { return 0 }
            defer { state.held = 0 }
            return state.held
        }
        if rest > 0 { budget.giveBack(rest) }
    }

    /// The connection is over.
    func end() {
        clientMoved(isInBody: false)
        serverMoved()
    }
}
