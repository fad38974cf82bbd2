import Cardiac
import Signals

/// One contiguous run of a signal under assessment: cut into steps, held until what follows them is known.
struct AssessedRun: Sendable {
    /// Sample rates that make sense.
    static let usableRates = 1.0...100_000.0

    /// A step's part within this run.
    struct Piece: Sendable {
        var cell: SignalCell
        var number: Int
        var offsets: Range<Int>
        var endsCell: Bool
        /// Seconds from the recording's start to its end.
        var end: Seconds
        /// What of it no interval may reach into.
        var spoilt: [SpoiltStretch] = []
        /// Plateaus that lie furthest up and furthest down, as places in the run.
        var tops: [Range<Int>] = []
        var bottoms: [Range<Int>] = []
    }

    let rate: Double
    /// The rate at which forms are looked at.
    var formRate: Double { signal.rate }
    let samplesPerCell: Double
    private(set) var firstCell: Int
    private let start: SegmentStart
    private let profile: SignalProfile
    private let step: Seconds
    private let lag: Int
    private var scan: SampleScan
    private var signal: FormSignal
    private var stretch: FormStretch
    /// nil where a signal is never quiet.
    private var noise: NoiseWatch?
    /// Seconds from the recording's start up to which it is told what is spoilt.
    private var toldUntil: Seconds
    /// `scan.history` samples, then those of the piece at hand.
    private var buffer: [Float]
    private var present = 0
    private var taken = 0
    private var pieceStart = 0
    private var pieceEnd = 0
    private var hasValue = false
    private var pieces: [Piece] = []
    private var beats: [(offset: Int, beat: Beat, wave: Float)] = []
    /// Those near a piece whose waves may move its level.
    private var waves: [(place: Int, size: Float)] = []
    private var trust = IntervalTrust()
    /// The verdicts on intervals that became known.
    private(set) var verdicts: [IntervalVerdict] = []
    /// Beats before this one have been looked at.
    private var firstBeat = 0
    private var isFirstBeat = true
    /// The known beats of a piece and of a second before it, where only they tell which way up the signal is.
    private var beatPlaces: [Int] = []

    /// How far, in seconds, beyond a step's end its judgement looks.
    static func reach(_ profile: SignalProfile) -> Seconds {
        FormStretch.reach(profile) + profile.sharpness + profile.smoothing + 0.2
    }

    init(_ start: SegmentStart, _ profile: SignalProfile, step: Seconds, lag: Seconds) {
        self.start = start
        self.profile = profile
        self.step = step
        rate = start.sampleRate
        samplesPerCell = step * rate
        firstCell = Int((start.onset / step + 1e-9).rounded(.down))
        scan = SampleScan(sampleRate: rate, longestStep: Int(samplesPerCell) + 2)
        signal = FormSignal(sampleRate: rate, formRate: profile.formRate, history: lag + 2 * step + 4)
        stretch = FormStretch(profile, rate: signal.rate)
        noise = profile.isUpright ? nil : NoiseWatch(rate: signal.rate)
        toldUntil = start.onset
        self.lag = Int((lag * rate).rounded(.up)) + 12 * signal.factor
        buffer = [Float](repeating: 0, count: scan.history)
        startNoEarlier(than: firstCell)
    }

    /// Puts the run's samples into this cell and later ones, even where its onset says otherwise.
    mutating func startNoEarlier(than cell: Int) {
        firstCell = max(firstCell, cell)
        pieceEnd = end(ofCell: firstCell)
    }

    private func end(ofCell number: Int) -> Int {
        let offset = ((Double(number + 1) * step - start.onset) * rate - 1e-6).rounded(.up)
        return max(taken + 1, Int(min(offset, 1e15)))
    }

    /// How many samples it takes until something is settled or the piece at hand is full.
    var room: Int {
        let untilSettled = pieces.isEmpty ? .max : pieces[0].offsets.upperBound + lag - taken
        return max(1, min(pieceEnd - taken, untilSettled))
    }

    mutating func take(_ chunk: Span<Float>) {
        chunk.withUnsafeBufferPointer { samples in
            if hasValue, Self.areFinite(samples) {
                buffer.append(contentsOf: samples)
                present += samples.count
            } else {
                for sample in samples { takeOne(sample) }
            }
        }
        taken += chunk.count
        if taken == pieceEnd { completePiece(endsCell: true) }
    }

    private static func areFinite(_ samples: UnsafeBufferPointer<Float>) -> Bool {
        // Zero times what is no finite number is not zero.
        var sums = SIMD8<Float>.zero
        let whole = samples.count / 8 * 8
        let bytes = UnsafeRawBufferPointer(samples)
        for vector in 0..<whole / 8 {
            sums += bytes.loadUnaligned(fromByteOffset: vector &* 32, as: SIMD8<Float>.self) * 0
        }
        return sums.laneSum == 0 && samples[whole...].allSatisfy { $0.isFinite }
    }

    private mutating func takeOne(_ sample: Float) {
        guard sample.isFinite else { return buffer.append(buffer.last ?? 0) }
        if !hasValue {
            // Nothing is known of what was before: it is taken to have been the same.
            hasValue = true
            for place in buffer.indices { buffer[place] = sample }
        }
        buffer.append(sample)
        present += 1
    }

    mutating func take(_ beat: Beat) {
        beats.append((beat.sample - start.sample, beat, 0))
    }

    mutating func end() {
        if taken > pieceStart { completePiece(endsCell: false) }
    }

    private mutating func completePiece(endsCell: Bool) {
        var cell = SignalCell()
        let count = taken - pieceStart
        cell.expected = Double(count)
        let history = scan.history
        let (present, hasValue) = (present, hasValue)
        buffer.withUnsafeBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            if hasValue, present > 0 {
                scan.scan(base + history, count: count, present: present, into: &cell)
            } else {
                scan.pass(count)
            }
            signal.append(base + history, count: count)
        }
        buffer.removeFirst(buffer.count - history)
        let flatLines = scan.flatLines
        pieces.append(
            Piece(
                cell: cell, number: firstCell, offsets: pieceStart..<taken, endsCell: endsCell,
                end: start.onset(ofOffset: taken), spoilt: spoilt(flatLines, .flat), tops: scan.tops,
                bottoms: scan.bottoms))
        self.present = 0
        pieceStart = taken
        if endsCell {
            firstCell += 1
            pieceEnd = end(ofCell: firstCell)
        }
    }

    /// Whether there is a piece whose surroundings are known.
    func canSettle(all: Bool) -> Bool {
        !pieces.isEmpty && (all || taken >= pieces[0].offsets.upperBound + lag)
    }

    /// The next piece whose surroundings are known, judged; nil where there is none yet.
    mutating func settled(all: Bool, meanPower: Float, _ forms: inout BeatForms) -> Piece? {
        guard canSettle(all: all) else { return nil }
        var piece = pieces.removeFirst()
        judge(&piece, meanPower: meanPower, &forms)
        tellVerdicts(upTo: piece.end)
        piece.spoilt = told(piece.spoilt)
        toldUntil = piece.end
        return piece
    }

    private mutating func judge(_ piece: inout Piece, meanPower: Float, _ forms: inout BeatForms) {
        let factor = signal.factor
        let lower = (piece.offsets.lowerBound + factor - 1) / factor
        let upper = min((piece.offsets.upperBound + factor - 1) / factor, signal.end)
        guard lower < upper else { return }
        findBeatPlaces(near: piece)
        stretch.prepare(signal, step: lower..<upper, beats: beatPlaces, meanPower: meanPower)
        findHarm(&piece)
        findWaves(lower..<upper)
        if piece.cell.present > 0 { stretch.measure(lower..<upper, waves: waves, into: &piece.cell) }
        compareDetectors(lower..<upper, &piece)
        takeBeats(&piece, &forms)
        if noise != nil { listen(lower..<upper, &piece) }
    }

    private func spoilt(_ places: [Range<Int>], _ reason: QualityReason) -> [SpoiltStretch] {
        guard !places.isEmpty else { return [] }
        return places.map { place in
            let (first, end) = (start.onset(ofOffset: place.lowerBound), start.onset(ofOffset: place.upperBound))
            return SpoiltStretch(range: first..<end, reason: reason)
        }
    }

    /// Counts the samples on plateaus that time a beat, and on those that are so long that a beat may be lost in them.
    private func findHarm(_ piece: inout Piece) {
        let long = Int(profile.lostIn * rate)
        func note(_ plateaus: [Range<Int>], in plateau: inout Plateau) {
            for range in plateaus {
                if range.count >= long {
                    plateau.long += range.count
                } else if beats.contains(where: { isTimed($0.offset, by: range) }) {
                    plateau.timing += range.count
                }
            }
        }
        if piece.cell.top.samples > 0 { note(piece.tops, in: &piece.cell.top) }
        if piece.cell.bottom.samples > 0 { note(piece.bottoms, in: &piece.cell.bottom) }
    }

    /// Returns true where a beat is on a plateau or at its edge.
    private func isTimed(_ offset: Int, by plateau: Range<Int>) -> Bool {
        let reach = Int((profile.plateauReach * rate).rounded(.up))
        return offset >= plateau.lowerBound - reach && offset < plateau.upperBound + reach
    }

    /// Finds the beats near a piece and how large their waves are.
    private mutating func findWaves(_ range: Range<Int>) {
        waves.removeAll(keepingCapacity: true)
        guard !profile.isUpright else { return }
        let (before, after) = (Int(0.7 * signal.rate), Int(0.4 * signal.rate))
        for index in beats.indices {
            let place = beats[index].offset / signal.factor
            guard place >= range.lowerBound - before, place < range.upperBound + after else { continue }
            if place >= range.lowerBound, let wave = stretch.wave(around: place) { beats[index].wave = wave }
            waves.append((place, beats[index].wave))
        }
    }

    private mutating func listen(_ range: Range<Int>, _ piece: inout Piece) {
        noise?.take(stretch.powers(in: range))
        let noisy = noisy(all: false)
        if !noisy.isEmpty { piece.spoilt += noisy }
    }

    private mutating func noisy(all: Bool) -> [SpoiltStretch] {
        let factor = signal.factor
        let places = noise?.noisy(all: all) ?? []
        return spoilt(places.map { $0.lowerBound * factor..<$0.upperBound * factor }, .noise)
    }

    /// Of what began long before it could be told only the end is: what waits for it must not depend on how long.
    private func told(_ stretches: [SpoiltStretch]) -> [SpoiltStretch] {
        guard !stretches.isEmpty else { return [] }
        let earliest = toldUntil - SpoiltStretch.lateness
        return stretches.filter { $0.range.upperBound > earliest }.map { stretch in
            let range = max(stretch.range.lowerBound, earliest)..<stretch.range.upperBound
            return SpoiltStretch(range: range, reason: stretch.reason)
        }.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// What is spoilt in what the pieces did not tell, once all of them are settled.
    mutating func lastSpoilt() -> [SpoiltStretch] { told(noisy(all: true)) }

    private mutating func findBeatPlaces(near piece: Piece) {
        guard profile.isUpright else { return }
        beatPlaces.removeAll(keepingCapacity: true)
        let range = piece.offsets.lowerBound - Int(rate)..<piece.offsets.upperBound
        for beat in beats where range.contains(beat.offset) { beatPlaces.append(beat.offset / signal.factor) }
    }

    private func compareDetectors(_ range: Range<Int>, _ piece: inout Piece) {
        let tolerance = Int((profile.tolerance * rate).rounded())
        for beat in stretch.beats where range.contains(beat) {
            piece.cell.second += 1
            let offset = beat * signal.factor + signal.factor / 2
            if beats.contains(where: { abs($0.offset - offset) <= tolerance }) { piece.cell.shared += 1 }
        }
    }

    private mutating func takeBeats(_ piece: inout Piece, _ forms: inout BeatForms) {
        let tolerance = Int((profile.tolerance * signal.rate).rounded())
        let reach = max(1, Int((profile.event * 0.6 * signal.rate).rounded()))
        while firstBeat < beats.count, beats[firstBeat].offset < piece.offsets.upperBound {
            let (offset, beat) = (beats[firstBeat].offset, beats[firstBeat].beat)
            firstBeat += 1
            // A detector that gave this beat out later than its look-ahead allows; its step has been judged.
            guard offset >= piece.offsets.lowerBound else { continue }
            let place = offset / signal.factor
            let height = stretch.height(around: place, reach: reach)
            var entry = BeatForms.Entry(
                onset: beat.onset, cell: piece.number, followsBreak: beat.followsBreak || isFirstBeat, height: height,
                size: 0, isShared: stretch.beats.contains { abs($0 - place) <= tolerance }, alike: 0)
            entry.isCut = (piece.tops + piece.bottoms).contains { isTimed(offset, by: $0) }
            isFirstBeat = false
            // Detectors may take now R, now S for the peak; forms are laid over each other by their middles.
            if profile.isUpright {
                forms.add(entry, around: place - stretch.start, in: stretch.bare)
            } else {
                let middle = stretch.middle(around: place, reach: reach)
                forms.add(entry, around: stretch.smoothPlace(of: middle), in: stretch.smooth)
            }
            judgeLatestInterval(&piece, forms)
            noise?.take(
                beatAt: place, height: height, isSure: forms.isLatestSure, isShared: entry.isShared)
        }
        forgetBeats(before: piece.offsets.lowerBound - Int(rate))
    }

    /// Judges the interval that the latest beat ends.
    private mutating func judgeLatestInterval(_ piece: inout Piece, _ forms: BeatForms) {
        guard let entry = forms.entries.last else { return }
        let isStrange = trust.take(entry, isFit: !entry.isCut && (entry.isShared || profile.isUpright))
        // Premature beats of an ECG look different from others as well.
        guard isStrange, profile.isUpright else { return }
        let end = entry.onset
        piece.spoilt.append(SpoiltStretch(range: end - 0.1..<end - 0.01, reason: .lowTemplateCorrelation))
    }

    /// Adds the verdicts on intervals that are known once the run is judged up to `time`.
    private mutating func tellVerdicts(upTo time: Seconds) {
        trust.tell(upTo: time, into: &verdicts)
    }

    /// Takes the verdicts on intervals that became known, on all that are left where nothing more comes.
    mutating func takeVerdicts(all: Bool) -> [IntervalVerdict] {
        if all { tellVerdicts(upTo: .infinity) }
        defer { verdicts.removeAll(keepingCapacity: true) }
        return verdicts
    }

    private mutating func forgetBeats(before offset: Int) {
        guard firstBeat > 64 || (firstBeat > 8 && firstBeat == beats.count) else { return }
        let old = beats[..<firstBeat].firstIndex { $0.offset >= offset } ?? firstBeat
        beats.removeFirst(old)
        firstBeat -= old
    }
}
