extension Array {
    /// Drops the first `count` elements: a move of a few, which `removeSubrange` makes much more of.
    @inline(__always)
    mutating func forget(_ count: Int) {
        withUnsafeMutableBufferPointer { elements in
            for index in count..<elements.count { elements[index - count] = elements[index] }
        }
        removeLast(count)
    }
}
