// Byte order: this machine is little-endian.

/// The value with its bytes in big-endian order.
public func CFSwapInt16HostToBig(_ arg: UInt16) -> UInt16 { arg.bigEndian }
/// The value with its bytes in big-endian order.
public func CFSwapInt32HostToBig(_ arg: UInt32) -> UInt32 { arg.bigEndian }
/// The value with its bytes in big-endian order.
public func CFSwapInt64HostToBig(_ arg: UInt64) -> UInt64 { arg.bigEndian }
/// The value of bytes in big-endian order.
public func CFSwapInt16BigToHost(_ arg: UInt16) -> UInt16 { UInt16(bigEndian: arg) }
/// The value of bytes in big-endian order.
public func CFSwapInt32BigToHost(_ arg: UInt32) -> UInt32 { UInt32(bigEndian: arg) }
/// The value of bytes in big-endian order.
public func CFSwapInt64BigToHost(_ arg: UInt64) -> UInt64 { UInt64(bigEndian: arg) }
/// The value of bytes in little-endian order.
public func CFSwapInt32LittleToHost(_ arg: UInt32) -> UInt32 { UInt32(littleEndian: arg) }
/// The value with its bytes turned round.
public func CFSwapInt64(_ arg: UInt64) -> UInt64 { arg.byteSwapped }

/// Fills bytes, nothing at no address. glibc's function takes no optional pointer, Apple's does.
@_disfavoredOverload @discardableResult
public func memset(_ b: UnsafeMutableRawPointer?, _ c: Int32, _ len: Int) -> UnsafeMutableRawPointer? {
    b?.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: c), count: max(0, len))
    return b
}

/// Copies bytes, nothing from or to no address.
@_disfavoredOverload @discardableResult
public func memcpy(_ dst: UnsafeMutableRawPointer?, _ src: UnsafeRawPointer?, _ n: Int) -> UnsafeMutableRawPointer? {
    if let dst, let src, n > 0 { dst.copyMemory(from: src, byteCount: n) }
    return dst
}

/// Compares bytes: 0 where all are equal, or where there are none to compare.
@_disfavoredOverload
public func memcmp(_ s1: UnsafeRawPointer?, _ s2: UnsafeRawPointer?, _ n: Int) -> Int32 {
    guard let s1, let s2, n > 0 else { return 0 }
    for place in 0..<n {
        let left = s1.load(fromByteOffset: place, as: UInt8.self), right = s2.load(fromByteOffset: place, as: UInt8.self)
        if left != right { return Int32(left) - Int32(right) }
    }
    return 0
}
