/// How the values of a series are laid out as numbers.
public protocol SeriesLayout<Value>: Sendable {
    /// What is laid out.
    associatedtype Value: Sendable
    /// How many numbers a value is.
    func size(of value: Value) -> Int
    /// The value as `size` numbers.
    func numbers(_ value: Value, size: Int) -> [Double]
    /// The value of these numbers; nil where they are none.
    func value(_ numbers: [Double]) -> Value?
    /// What stands for a value that can be read no more.
    var unknown: Value { get }
}

/// Values in order of time. The latest are in memory; those before them are in a temporary file that nobody else sees,
/// so that days of EEG need no more memory than an hour.
///
/// Where no temporary file can be written all stay in memory.
public struct StoredSeries<Layout: SeriesLayout>: RandomAccessCollection, Sendable {
    /// How many numbers are held in memory at most.
    private static var mostHeld: Int { 2_000_000 }

    private let layout: Layout
    private var file: RecordFile?
    private var stored = 0
    private var held: [Layout.Value] = []
    private var mayStore = true

    /// No values yet.
    init(_ layout: Layout) { self.layout = layout }

    /// 0.
    public var startIndex: Int { 0 }
    /// How many there are.
    public var endIndex: Int { stored + held.count }

    /// The value at a place.
    public subscript(position: Int) -> Layout.Value {
        if position >= stored { return held[position - stored] }
        guard let file, let value = layout.value(file.record(position)) else { return layout.unknown }
        return value
    }

    /// Whether another series holds the same numbers, to the bit; what is not a number is the same as itself here.
    public func isSame(as other: Self) -> Bool {
        guard count == other.count else { return false }
        return zip(self, other).allSatisfy { one, another in
            let size = layout.size(of: one)
            guard layout.size(of: another) == size else { return false }
            return layout.numbers(one, size: size).map(\.bitPattern)
                == layout.numbers(another, size: size).map(\.bitPattern)
        }
    }

    /// Adds values, all of one size.
    mutating func append(contentsOf values: some Collection<Layout.Value>) {
        held += values
        guard mayStore, held.count > 1, held.count * layout.size(of: held[0]) > Self.mostHeld else { return }
        store(held.count / 2)
    }

    /// Moves the first of those in memory into the file.
    private mutating func store(_ count: Int) {
        let size = layout.size(of: held[0])
        do {
            // Another copy of this series may have gone on in the same file.
            if file == nil || file?.count != stored {
                file = try RecordFile(recordSize: size, copying: file, count: stored)
            }
            try file?.append(held.prefix(count).flatMap { layout.numbers($0, size: size) })
            held.removeFirst(count)
            stored += count
        } catch {
            mayStore = false
        }
    }
}
