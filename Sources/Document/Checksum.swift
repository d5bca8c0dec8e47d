/// A number that distinguishes contents. It does not protect against contents that were made to have the same one.
package enum Checksum {
    /// FNV-1a with 64 bits: every step is one to one, so that no change of one byte goes unseen.
    ///
    /// Source: Glenn Fowler, Landon Curt Noll, Kiem-Phong Vo, "FNV Hash" (http://www.isthe.com/chongo/tech/comp/fnv/).
    package static func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
        // One call for all bytes: other modules call this unspecialised, and would pay for each byte.
        bytes.withContiguousStorageIfAvailable(sum) ?? Array(bytes).withUnsafeBufferPointer(sum)
    }

    private static func sum(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return hash
    }

    /// The checksum as sixteen digits.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        let digits = String(fnv1a(bytes), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
