internal import Signals

/// A piece of time between beats.
struct RhythmPiece: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// An interval between two beats, of this length.
        case interval(Seconds)
        /// Readable signal without a beat, longer than an interval may be together with its neighbours of this kind.
        case silence
        /// No interval and no silence is known here.
        case hole
    }
    var kind: Kind
    var start: Seconds
    var end: Seconds
}

/// Cuts the time of a recording into intervals, silences and holes.
///
/// Pieces are contiguous and in order. Where a silence or a hole goes on, it may come in several pieces.
struct RhythmTimeline: Sendable {
    private let limit: Seconds
    /// Where the last piece ended; nil before anything is known.
    private var mark: Seconds?
    private var markIsBeat = false
    private var isSilent = false
    /// The last word about the signal, and from and to when it and others by which the absence of beats can be told hold.
    private var use: SignalUse?
    private var seenFrom: Seconds = 0
    private var wordEnd: Seconds = -.infinity
    /// Whether some of the time since the mark is of no use for beats.
    private var isTainted = false

    init(limit: Seconds) { self.limit = limit }

    /// A run of input begins at `onset`: what lies between is a hole.
    mutating func begin(at onset: Seconds, _ emit: (RhythmPiece) -> Void) {
        guard onset.isPlaceable else { return }
        endWord(emit)
        hole(until: onset, emit)
        markIsBeat = false
        if mark == nil { mark = onset }
    }

    mutating func signal(from: Seconds, until: Seconds, use word: SignalUse, _ emit: (RhythmPiece) -> Void) {
        guard from.isPlaceable, until.isPlaceable else { return }
        let from = max(from, wordEnd, mark ?? from)
        guard until > from else { return }
        if mark == nil { mark = from }
        if use == word, from <= wordEnd {
            advance(to: from, emit)
        } else if let use, use != .unreadable, word != .unreadable, from <= wordEnd {
            advance(to: wordEnd, emit)
            self.use = word
        } else {
            endWord(emit)
            advance(to: from, emit)
            use = word
            seenFrom = from
        }
        wordEnd = until
    }

    /// A beat, `measured` seconds after the one before where that was measured by itself.
    mutating func beat(
        at onset: Seconds, isBroken: Bool, measured: Seconds? = nil, _ emit: (RhythmPiece) -> Void
    ) {
        guard onset.isPlaceable else { return }
        if let mark, onset <= mark {
            // A beat that comes too late in the order is not placed.
            if onset == mark { markIsBeat = true }
            return
        }
        if onset >= wordEnd { endWord(emit) }
        advance(to: onset, emit)
        if let mark, onset > mark {
            if markIsBeat, !isBroken, !isTainted, onset - mark < limit {
                emit(RhythmPiece(kind: .interval(measured ?? Beat.onGrid(onset - mark)), start: mark, end: onset))
                self.mark = onset
            } else {
                hole(until: onset, emit)
            }
        }
        mark = onset
        markIsBeat = true
        isSilent = false
        isTainted = false
    }

    /// The time since the last beat is no interval, whatever comes.
    mutating func breakSeries() { markIsBeat = false }

    /// Nothing more comes.
    mutating func finish(_ emit: (RhythmPiece) -> Void) {
        endWord(emit)
        hole(until: wordEnd, emit)
        self = RhythmTimeline(limit: limit)
    }

    /// What was said about the signal no longer holds, from its end on.
    private mutating func endWord(_ emit: (RhythmPiece) -> Void) {
        guard use != nil else { return }
        advance(to: wordEnd, emit)
        if let mark, wordEnd > mark, !markIsBeat { hole(until: wordEnd, emit) }
        use = nil
        isSilent = false
    }

    /// No beat comes before `time`, up to which the last word holds.
    private mutating func advance(to time: Seconds, _ emit: (RhythmPiece) -> Void) {
        guard let mark, time > mark else { return }
        switch use {
        case .unreadable: hole(until: time, emit)
        case .readable, .silence:
            if use == .silence {
                // A signal that has shown no beat before may be no ECG at all.
                guard isSilent || markIsBeat else { return hole(until: time, emit) }
                isTainted = true
            }
            let start = max(mark, seenFrom)
            guard isSilent || time - start >= limit else { return }
            hole(until: start, emit)
            emit(RhythmPiece(kind: .silence, start: start, end: time))
            self.mark = time
            isSilent = true
            markIsBeat = false
            isTainted = false
        case nil:
            if time - mark >= limit { hole(until: time, emit) }
        }
    }

    private mutating func hole(until end: Seconds, _ emit: (RhythmPiece) -> Void) {
        guard let mark, end > mark else { return }
        emit(RhythmPiece(kind: .hole, start: mark, end: end))
        self.mark = end
        markIsBeat = false
        isSilent = false
        isTainted = false
    }
}
