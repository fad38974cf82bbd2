extension Array {
    /// Drops the first `count` elements, which are few: `removeSubrange` makes much more of it.
    @inline(__always)
    mutating func forget(_ count: Int) {
        withUnsafeMutableBufferPointer { elements in
            for index in count..<elements.count { elements[index - count] = elements[index] }
        }
        for _ in 0..<count { removeLast() }
    }
}
