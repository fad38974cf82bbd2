import Brain
import Signals

/// Lets a stage of blocks be cut anywhere by the checks for stages of samples: the elements are the frames' numbers.
struct CutBlocks<Inner: BlockStage>: Stage {
    var inner: Inner
    /// All frames of all runs, one run after the other.
    let signal: SampleBlock
    var lookAhead: Seconds { inner.lookAhead }

    mutating func begin(_ segment: SegmentStart, into outputs: inout [Inner.Output]) {
        inner.begin(segment, into: &outputs)
    }

    mutating func push(_ chunk: Span<Int>, into outputs: inout [Inner.Output]) {
        guard chunk.count > 0 else { return }
        inner.push(signal.frames(chunk[0]..<chunk[chunk.count - 1] + 1), into: &outputs)
    }

    mutating func finish(into outputs: inout [Inner.Output]) {
        inner.finish(into: &outputs)
    }
}

/// The same frame by frame: into which blocks they come is no answer.
struct CutFrames<Inner: BlockStage>: Stage where Inner.Output == SampleBlock {
    var blocks: CutBlocks<Inner>
    var lookAhead: Seconds { blocks.lookAhead }

    private var given: [SampleBlock] = []

    init(_ blocks: CutBlocks<Inner>) { self.blocks = blocks }

    mutating func begin(_ segment: SegmentStart, into outputs: inout [SampleBlock]) {
        blocks.begin(segment, into: &given)
        giveOut(into: &outputs)
    }

    mutating func push(_ chunk: Span<Int>, into outputs: inout [SampleBlock]) {
        blocks.push(chunk, into: &given)
        giveOut(into: &outputs)
    }

    mutating func finish(into outputs: inout [SampleBlock]) {
        blocks.finish(into: &given)
        giveOut(into: &outputs)
    }

    private mutating func giveOut(into outputs: inout [SampleBlock]) {
        for block in given { outputs += (0..<block.frameCount).map { block.frames($0..<$0 + 1) } }
        given.removeAll()
    }
}

/// All outputs of a stage for one run.
func run<S: BlockStage>(_ stage: S, _ signal: SampleBlock, sampleRate: Double) -> [S.Output] {
    var stage = stage
    var outputs: [S.Output] = []
    stage.begin(SegmentStart(onset: 0, sample: 0, sampleRate: sampleRate), into: &outputs)
    stage.push(signal, into: &outputs)
    stage.finish(into: &outputs)
    return outputs
}

/// Successive blocks as one.
func joined(_ blocks: [SampleBlock]) -> SampleBlock {
    let channels = blocks.first?.channelCount ?? 1
    var samples: [Float] = []
    for channel in 0..<channels { for block in blocks { samples += block.channel(channel) } }
    return SampleBlock(channelCount: channels, samples: samples)
}

/// Bits, so that missing samples compare equal to missing samples.
func isIdentical(_ a: SampleBlock, _ b: SampleBlock) -> Bool {
    a.channelCount == b.channelCount && a.samples.map(\.bitPattern) == b.samples.map(\.bitPattern)
}
