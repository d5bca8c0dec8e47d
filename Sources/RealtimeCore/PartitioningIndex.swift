extension RandomAccessCollection {
    /// The first index whose element belongs to the second half of a sorted collection: the condition holds from it on to the
    /// end. `endIndex` if it holds nowhere; O(log n). Any thread.
    @inlinable
    package func partitioningIndex(where isInSecondHalf: (Element) -> Bool) -> Index {
        var low = startIndex, count = count
        while count > 0 {
            let half = count / 2, middle = index(low, offsetBy: half)
            if isInSecondHalf(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}
