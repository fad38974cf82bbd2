import CVectors
import Kernels

/// How the detector weighs its candidates.
extension QRSRun {
    /// Weighs the candidates of all blocks before `end`.
    mutating func weigh(upTo end: Int) {
        while weighed < end {
            let block = weighed
            weighed &+= 1
            account?.note(block: block, of: frame, reach: wavelet.reach)
            let wide = levelBlocks(block)
            let highest = level.highest(wide)
            rules.floor = 0.05 * min(level.usual, highest.third)
            let flutter = watchFlutter(at: block)
            guard candidates.has(until: block) else { continue }
            let heights = heights(around: block, wide, highest: highest)
            if account != nil, let heights {
                let contrast = evidence(of: heights).contrast
                account?.note(contrast: contrast)
            }
            while let candidate = candidates.take(until: block) {
                if let flutter {
                    weigh(candidate, flutter: flutter)
                } else if let heights {
                    let isPlausible = QRSEvidence.isPlausible(
                        candidate.height, usual: heights.usual, background: heights.background)
                    if isPlausible || isInWideRun(candidate, heights) {
                        weigh(candidate, heights, isPlausible: isPlausible)
                    }
                }
                self.wide.note(candidate)
            }
        }
    }

    @inline(__always)
    private func evidence(of heights: (usual: Float, background: Float)) -> QRSEvidence {
        QRSEvidence(usual: heights.usual, background: heights.background, regularity: path.regularDegree)
    }

    /// What height a beat has about `block`, and what the background; nil where there is no signal.
    @inline(__always)
    private mutating func heights(
        around block: Int, _ wide: Range<Int>, highest: QRSLevel.Highest
    ) -> (usual: Float, background: Float)? {
        let background = level.background(wide)
        if level.usual == 0 { level.start(at: highest) }
        var usual = level.usual
        if highest.third > usual {
            usual = (highest.third * usual).squareRoot()
        } else {
            // Where nothing near comes up to a beat, but something stands out, the beats have become smaller.
            let near = Range(
                uncheckedBounds: (
                    max(-level.known, block &- frame.weighingDelay, blocks &- QRSLevel.capacity), blocks
                ))
            if !level.reaches(0.4 * usual, near) {
                // Noise alone comes to about twice its mean; after 10 s without any beat less is asked for.
                let waited = Double(block * frame.block - lastBeat) / frame.lowRate
                let second = level.search(near).second
                // Some may be missing where the signal was, unless it is for long.
                let mayBeHidden = near.lowerBound < 0 && waited < 10
                if !mayBeHidden, second > (waited < 10 ? 4 : 3.2) * background { usual = second }
            }
        }
        return usual > 0 ? (usual, background) : nil
    }

    /// The cycle of flutter about `block`, and how high its waves stand; nil where there is none.
    private mutating func watchFlutter(at block: Int) -> (cycle: Float, height: Float)? {
        let end = min(block &+ frame.weighingDelay, blocks)
        guard end >= flutter.window else { return nil }
        let window = Range(uncheckedBounds: (end &- flutter.window, end))
        let cycle =
            level.standsOut(window, times: FlutterWatch.crest)
            ? flutter.note(nil, size: level.size)
            : flutter.note(low.samples + window.lowerBound &* frame.block, size: level.size)
        return cycle > 0 ? (cycle, level.search(window).second) : nil
    }

    // What follows stands on its own, so that logarithms are only taken of those candidates that come to it.

    /// All waves of flutter are worth about the same.
    @inline(never)
    private mutating func weigh(_ candidate: marey_candidate, flutter: (cycle: Float, height: Float)) {
        let strength = octaves(candidate.height)
        let score = max(1 + 0.5 * min(strength - octaves(flutter.height), 0), 0.25)
        account?.note(top: candidate.index, strength: strength, score: score, cycle: flutter.cycle, frame)
        path.add(
            .init(
                time: Double(candidate.index) / frame.lowRate, height: candidate.height, strength: strength,
                score: score, cycle: flutter.cycle))
    }

    private func isInWideRun(
        _ candidate: marey_candidate, _ heights: (usual: Float, background: Float)
    ) -> Bool {
        // In noise any wave may look like another.
        guard heights.usual >= WideRun.minimumContrast * heights.background else { return false }
        return wide.holds(
            candidate, before: candidates.waiting, low.samples, from: low.start,
            until: min(blocks &* frame.block, rules.end),
            size: level.size)
    }

    /// Whether the signal is dead for a second before `center` or after it: what is there then is the edge.
    private func isBesideSilence(_ center: Int) -> Bool {
        let length = frame.weighingDelay &* frame.block
        let (end, first) = (center &- wavelet.reach / 2, center &+ wavelet.reach / 2)
        return (first &+ length <= rules.end && marey_is_constant(low.samples + first, length))
            || (end >= length && marey_is_constant(low.samples + (end &- length), length))
    }

    @inline(never)
    private mutating func weigh(
        _ candidate: marey_candidate, _ heights: (usual: Float, background: Float), isPlausible: Bool
    ) {
        let evidence = evidence(of: heights)
        var strength = octaves(candidate.height)
        // The shape only speaks against.
        let plain = evidence.score(height: strength, resemblance: nil)
        let isWide = !isPlausible || (plain < WideRun.worth.doubtful && isInWideRun(candidate, heights))
        guard plain > QRSEvidence.least || isWide else { return }
        let resemblance = shapes.resemblance(low.samples, at: candidate.index)
        let familiarity = resemblance?.familiarity ?? 0
        if resemblance != nil, familiarity < 0.5, isBesideSilence(candidate.index) { return }
        // What is as good as the same as the beats of late may move the level.
        let share = familiarity < 1 ? step.share(low.samples, at: candidate.index) : 0
        var score =
            evidence.score(height: strength, resemblance: resemblance)
            - QRSEvidence.cost(ofStep: share, familiarity: familiarity)
        let alone = isWide ? (score: score, strength: strength) : nil
        if isWide {
            score = max(score, WideRun.worth.member)
            // Its T wave is as much weaker as that of a narrow complex.
            strength = max(strength, octaves(heights.usual))
        }
        guard score > QRSEvidence.least else { return }
        account?.note(top: candidate.index, strength: strength, score: score, familiarity: familiarity, frame)
        path.add(
            .init(
                time: Double(candidate.index) / frame.lowRate, height: candidate.height, strength: strength,
                score: score, familiarity: familiarity, alone: alone))
    }
}
