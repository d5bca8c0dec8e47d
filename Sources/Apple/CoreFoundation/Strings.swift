/// Encodings that every system has.
public enum CFStringBuiltInEncodings: UInt32, Sendable {
    case macRoman = 0
    case windowsLatin1 = 0x0500
    case isoLatin1 = 0x0201
    case ASCII = 0x0600
    case UTF8 = 0x0800_0100
    case UTF16 = 0x0100

    /// The encoding of a number; ASCII for those of the Macintosh's scripts, which all begin with it.
    fileprivate static func encoding(_ number: CFStringEncoding) -> String.Encoding? {
        CFStringBuiltInEncodings(rawValue: number)?.encoding ?? ((1..<0x100).contains(number) ? .ascii : nil)
    }

    private var encoding: String.Encoding {
        switch self {
        case .macRoman: .macOSRoman
        case .windowsLatin1: .windowsCP1252
        case .isoLatin1: .isoLatin1
        case .ASCII: .ascii
        case .UTF8: .utf8
        case .UTF16: .utf16
        }
    }
}

/// A string from bytes that end with 0; nil for bytes that are not of the encoding.
public func CFStringCreateWithCString(
    _ alloc: CFAllocator?, _ cStr: UnsafePointer<CChar>?, _ encoding: CFStringEncoding
) -> CFString! {
    guard let cStr, let encoding = CFStringBuiltInEncodings.encoding(encoding) else { return nil }
    return String(data: Data(bytes: cStr, count: strlen(cStr)), encoding: encoding).map { NSString(string: $0) }
}

/// Writes a string with a 0 at its end into a buffer; false, and an empty string, where it does not fit.
@discardableResult public func CFStringGetCString(
    _ theString: CFString!, _ buffer: UnsafeMutablePointer<CChar>!, _ bufferSize: CFIndex, _ encoding: CFStringEncoding
) -> Bool {
    guard let buffer, bufferSize > 0 else { return false }
    buffer[0] = 0
    guard let theString, let encoding = CFStringBuiltInEncodings.encoding(encoding) else { return false }
    guard let data = String(describing: theString).data(using: encoding), data.count < bufferSize else { return false }
    data.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: buffer, count: bufferSize).copyMemory(from: $0) }
    buffer[data.count] = 0
    return true
}

/// The number of UTF-16 code units.
public func CFStringGetLength(_ theString: CFString!) -> CFIndex { theString?.length ?? 0 }

/// The number of bytes.
public func CFDataGetLength(_ theData: CFData!) -> CFIndex { theData?.length ?? 0 }

/// The bytes, which live as long as the data.
public func CFDataGetBytePtr(_ theData: CFData!) -> UnsafePointer<UInt8>! {
    theData?.bytes.assumingMemoryBound(to: UInt8.self)
}

/// How the parts of a path are separated.
public enum CFURLPathStyle: Int, Sendable {
    case cfurlposixPathStyle = 0
    case cfurlhfsPathStyle = 1
    case cfurlWindowsPathStyle = 2
}

/// A URL of a file from a POSIX path; nil for the other styles.
public func CFURLCreateWithFileSystemPath(
    _ allocator: CFAllocator?, _ filePath: CFString!, _ pathStyle: CFURLPathStyle, _ isDirectory: Bool
) -> CFURL! {
    guard let filePath, pathStyle == .cfurlposixPathStyle else { return nil }
    return NSURL(fileURLWithPath: String(describing: filePath), isDirectory: isDirectory)
}

/// The formats of property lists.
public enum CFPropertyListFormat: Int, Sendable {
    case openStepFormat = 1
    case xmlFormat_v1_0 = 100
    case binaryFormat_v1_0 = 200
}

/// A property list out of its bytes; nil, and an error, where they are none.
public func CFPropertyListCreateWithData(
    _ allocator: CFAllocator?, _ data: CFData!, _ options: CFOptionFlags,
    _ format: UnsafeMutablePointer<CFPropertyListFormat>?, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Unmanaged<CFPropertyList>! {
    var found = PropertyListSerialization.PropertyListFormat.xml
    do {
        let bytes = data.map { Data(referencing: $0) } ?? Data()
        let mutability = PropertyListSerialization.MutabilityOptions(rawValue: options & 3)
        let list = try PropertyListSerialization.propertyList(from: bytes, options: mutability, format: &found)
        format?.pointee = CFPropertyListFormat(rawValue: Int(found.rawValue)) ?? .xmlFormat_v1_0
        return Unmanaged.passRetained(list as AnyObject)
    } catch let fault {
        error?.pointee = Unmanaged.passRetained(fault as NSError)
        return nil
    }
}

/// The bytes of a property list; nil, and an error, where a value can stand in none.
public func CFPropertyListCreateData(
    _ allocator: CFAllocator?, _ propertyList: CFPropertyList!, _ format: CFPropertyListFormat, _ options: CFOptionFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Unmanaged<CFData>! {
    do {
        let written: PropertyListSerialization.PropertyListFormat = format == .binaryFormat_v1_0 ? .binary : .xml
        let list: AnyObject = propertyList ?? NSNull()
        return Unmanaged.passRetained(
            NSData(data: try PropertyListSerialization.data(fromPropertyList: list, format: written, options: 0)))
    } catch let fault {
        error?.pointee = Unmanaged.passRetained(fault as NSError)
        return nil
    }
}

/// A pointer as an element of an array.
package final class ArrayPointer: NSObject {
    let pointer: UnsafeRawPointer
    package init(_ pointer: UnsafeRawPointer) { self.pointer = pointer }
}

/// Counts the elements of an array.
public func CFArrayGetCount(_ theArray: CFArray) -> CFIndex { theArray.count }

/// Answers an element of an array: the pointer that it holds, or that of the object, which stays in memory if it is one that
/// Foundation bridges. Nil beyond the end.
public func CFArrayGetValueAtIndex(_ theArray: CFArray, _ idx: CFIndex) -> UnsafeRawPointer? {
    guard (0..<theArray.count).contains(idx) else { return nil }
    let element = theArray.object(at: idx)
    if let element = element as? ArrayPointer { return element.pointer }
    return UnsafeRawPointer(Unmanaged.passRetained(element as AnyObject).toOpaque())
}
