import Foundation
import Service
import Testing

struct ClientQueueTests {
    @Test func messagesComeInOrderAndTogether() async {
        let queue = ClientQueue(capacity: 100)
        queue.offer(Data("a".utf8))
        queue.offer(Data("b".utf8))
        #expect(await queue.next() == Data("ab".utf8))
        queue.offer(Data("c".utf8))
        queue.end()
        #expect(await queue.next() == Data("c".utf8))
        #expect(await queue.next() == nil)
    }

    @Test func whoDoesNotKeepUpIsLetGoWithTheReason() async {
        let queue = ClientQueue(capacity: 10)
        #expect(queue.offer(Data(repeating: 65, count: 8)))
        #expect(!queue.offer(Data(repeating: 65, count: 8)))
        #expect(!queue.offer(Data("x".utf8)))
        let last = String(decoding: await queue.next() ?? Data(), as: UTF8.self)
        #expect(last.hasPrefix("event: dropped\ndata: {\"reason\":"))
        #expect(await queue.next() == nil)
    }

    @Test func aReaderWaitsForWhatComes() async {
        let queue = ClientQueue(capacity: 100)
        async let first = queue.next()
        queue.offer(Data("late".utf8))
        #expect(await first == Data("late".utf8))
        let reading = Task { await queue.next() }
        reading.cancel()
        #expect(await reading.value == nil)
    }
}
