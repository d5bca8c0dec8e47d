/// What a question about a property is answered with.
package enum PropertyAnswer {
    /// Values of so many bytes each, of which as many are given as there is room for.
    case bytes([UInt8], stride: Int)
    /// An object, which is the caller's to release.
    case object(AnyObject)
    case status(OSStatus)

    package static func bytes(_ bytes: [UInt8]) -> Self { .bytes(bytes, stride: bytes.count) }
    package static func value<Value>(_ value: Value) -> Self { .bytes(withUnsafeBytes(of: value) { Array($0) }) }
    package static func array<Element>(_ elements: [Element]) -> Self {
        .bytes(elements.withUnsafeBytes { Array($0) }, stride: MemoryLayout<Element>.stride)
    }
    package static func text(_ text: String) -> Self { .object(NSString(string: text)) }
    package static func texts(_ texts: [String]) -> Self { .object(NSArray(array: texts.map { NSString(string: $0) })) }

    package func giveSize(_ size: UnsafeMutablePointer<UInt32>?) -> OSStatus {
        switch self {
        case .bytes(let bytes, _): size?.pointee = UInt32(bytes.count)
        case .object: size?.pointee = 8
        case .status(let status): return status
        }
        return noErr
    }

    /// Says the size, of what can only be set the one that it is set with.
    package func giveInfo(
        settable size: Int?, _ outSize: UnsafeMutablePointer<UInt32>?, _ writable: UnsafeMutablePointer<DarwinBoolean>?
    ) -> OSStatus {
        writable?.pointee = DarwinBoolean(size != nil)
        let status = giveSize(outSize)
        guard status != noErr, let size else { return status }
        outSize?.pointee = UInt32(size)
        return noErr
    }

    /// Copies the answer out; the size becomes what was copied.
    package func give(_ size: UnsafeMutablePointer<UInt32>?, _ data: UnsafeMutableRawPointer?, tooSmall: OSStatus) -> OSStatus {
        switch self {
        case .bytes(let bytes, let stride):
            if bytes.isEmpty, size == nil { return noErr }
            guard let size, data != nil || bytes.isEmpty else { return tooSmall }
            let count = min(bytes.count, Int(size.pointee) / max(1, stride) * stride)
            if count == 0, !bytes.isEmpty { return tooSmall }
            data?.copyMemory(from: bytes, byteCount: count)
            size.pointee = UInt32(count)
            return noErr
        case .object(let object):
            guard let size, size.pointee >= 8, data != nil else { return tooSmall }
            return Self.value(Unmanaged.passRetained(object).toOpaque()).give(size, data, tooSmall: tooSmall)
        case .status(let status): return status
        }
    }
}
