/// A queue whose elements keep their number however many before them have been dropped.
struct Backlog<Element> {
    private var storage: [Element] = []
    private var dropped = 0
    /// Number of the first element that is still there.
    private(set) var first = 0

    /// Number of the next element.
    var end: Int { first + storage.count - dropped }
    var isEmpty: Bool { dropped == storage.count }
    var last: Element? { isEmpty ? nil : storage[storage.count - 1] }

    subscript(number: Int) -> Element {
        get { storage[number - first + dropped] }
        set { storage[number - first + dropped] = newValue }
    }

    mutating func append(_ element: Element) {
        storage.append(element)
    }

    /// Drops the elements before `number`.
    mutating func drop(before number: Int) {
        let number = min(number, end)
        guard number > first else { return }
        dropped += number - first
        first = number
        // Seldom, and then much at once: each element is moved less than once on average.
        if dropped >= 32, dropped * 2 >= storage.count {
            storage.removeSubrange(0..<dropped)
            dropped = 0
        }
    }

    /// Drops the first elements that `isOld`.
    mutating func drop(while isOld: (Element) -> Bool) {
        var number = first
        while number < end, isOld(self[number]) { number += 1 }
        drop(before: number)
    }

    /// The number of the first element of which `isLater`; elements must be so ordered.
    func firstNumber(where isLater: (Element) -> Bool) -> Int {
        var low = first
        var high = end
        while low < high {
            let middle = (low + high) / 2
            if isLater(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
