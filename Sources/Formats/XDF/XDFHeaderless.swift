/// Chunks of streams of which no readable header stands before them: nothing says how to read them, and pyxdf opens no
/// file that holds them.
struct XDFHeaderless {
    /// Where each stream's first readable header begins, also of streams that are not read here.
    private var headers: [UInt32: Int] = [:]
    private var found: [UInt32: XDFRecovery.Headerless] = [:]

    /// The streams, by number.
    var streams: [XDFRecovery.Headerless] { found.values.sorted { $0.stream < $1.stream } }

    /// Takes note of a readable header.
    mutating func declare(_ header: XDFChunk) {
        headers[header.stream] = headers[header.stream] ?? header.offset
    }

    /// Whether a chunk that is not a header itself is one of these.
    func contains(_ chunk: XDFChunk) -> Bool {
        guard let tag = chunk.tag, tag.hasStream, tag != .streamHeader else { return false }
        return headers[chunk.stream].map { chunk.offset < $0 } ?? true
    }

    /// Counts a chunk.
    mutating func add(_ chunk: XDFChunk, _ window: XDFWindow) throws {
        var stream = found[chunk.stream] ?? XDFRecovery.Headerless(stream: chunk.stream, chunks: 0, frames: 0)
        stream.chunks += 1
        if chunk.tag == .samples {
            let count = try window.bytes(at: chunk.content.lowerBound, min(9, chunk.content.count))
                .flatMap { XDFScanner.length($0, 0)?.value }
            // A frame takes two bytes at least: more than fit is nonsense.
            if let count, count <= chunk.content.count / 2 { stream.frames += count }
        }
        found[chunk.stream] = stream
    }
}
