/// The parts of a sequence of two symbols, as an automaton that grows by one symbol after the other (Blumer et al. 1985): each
/// state stands for the parts that end in the same places.
struct SubstringAutomaton {
    private struct State {
        /// The states that a symbol leads to, -1 for none.
        var next: (no: Int32, yes: Int32) = (-1, -1)
        /// The state of the longest end of its parts that also ends elsewhere, -1 for none.
        var link: Int32 = -1
        /// How long its longest part is.
        var length: Int32 = 0

        @inline(__always)
        subscript(symbol: Bool) -> Int32 {
            get { symbol ? next.yes : next.no }
            set { if symbol { next.yes = newValue } else { next.no = newValue } }
        }
    }

    private var states: [State] = [State()]
    private var whole: Int32 = 0
    /// The state of the part that is being followed, and its length.
    private var followed: (state: Int32, length: Int32) = (0, 0)

    /// How many patterns a sequence consists of, each the shortest that does not begin at an earlier place, too; the last
    /// one may (Lempel & Ziv 1976).
    static func patterns(_ symbols: [Bool]) -> Int {
        precondition(symbols.count < Int32.max / 2, "symbols that can be counted")
        var automaton = SubstringAutomaton()
        automaton.states.reserveCapacity(2 * symbols.count + 1)
        var patterns = 0
        for symbol in symbols {
            if !automaton.follow(symbol) { patterns += 1 }
            automaton.append(symbol)
        }
        return automaton.followed.length > 0 ? patterns + 1 : patterns
    }

    /// Makes the part that is being followed longer by a symbol; where that is no part yet, the next one begins, and it is
    /// false.
    private mutating func follow(_ symbol: Bool) -> Bool {
        let next = states[Int(followed.state)][symbol]
        followed = next < 0 ? (0, 0) : (next, followed.length + 1)
        return next >= 0
    }

    private mutating func append(_ symbol: Bool) {
        let new = Int32(states.count)
        states.append(State(length: states[Int(whole)].length + 1))
        var state = whole
        whole = new
        while state >= 0, states[Int(state)][symbol] < 0 {
            states[Int(state)][symbol] = new
            state = states[Int(state)].link
        }
        guard state >= 0 else {
            states[Int(new)].link = 0
            return
        }
        let next = states[Int(state)][symbol]
        guard states[Int(next)].length > states[Int(state)].length + 1 else {
            states[Int(new)].link = next
            return
        }
        split(next, from: state, symbol)
        states[Int(new)].link = states[Int(next)].link
    }

    /// Parts as long as those of `state` and a symbol more end in one place more than the longer ones of `next` do.
    private mutating func split(_ next: Int32, from state: Int32, _ symbol: Bool) {
        let copy = Int32(states.count)
        states.append(states[Int(next)])
        states[Int(copy)].length = states[Int(state)].length + 1
        states[Int(next)].link = copy
        var state = state
        while state >= 0, states[Int(state)][symbol] == next {
            states[Int(state)][symbol] = copy
            state = states[Int(state)].link
        }
        if followed.state == next, followed.length <= states[Int(copy)].length { followed.state = copy }
    }
}
