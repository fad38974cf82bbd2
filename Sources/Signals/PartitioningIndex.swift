extension RandomAccessCollection where Index == Int {
    /// The first index whose element and all after it meet `isSecond`; the elements must be so ordered.
    @inlinable
    package func partitioningIndex(where isSecond: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
