// The classes of CoreFoundation are Foundation's here, so that `url as CFURL` and `takeRetainedValue() as String` compile.
public typealias CFTypeRef = AnyObject
public typealias CFURL = NSURL
public typealias CFString = NSString
public typealias CFMutableString = NSMutableString
public typealias CFData = NSData
public typealias CFMutableData = NSMutableData
public typealias CFArray = NSArray
public typealias CFMutableArray = NSMutableArray
public typealias CFDictionary = NSDictionary
public typealias CFMutableDictionary = NSMutableDictionary
public typealias CFNumber = NSNumber
public typealias CFBoolean = NSNumber
public typealias CFError = NSError
public typealias CFDate = NSDate
public typealias CFPropertyList = AnyObject
public typealias CFIndex = Int
public typealias CFOptionFlags = UInt
public typealias CFTimeInterval = Double
public typealias CFAbsoluteTime = Double
public typealias CFStringEncoding = UInt32
public typealias Boolean = UInt8
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
public typealias AutoreleasingUnsafeMutablePointer = UnsafeMutablePointer

/// A memory allocator: there is only one here, and no call uses it.
public final class CFAllocator: Sendable {
    fileprivate init() {}
}

/// The allocator that every call here uses.
public let kCFAllocatorDefault: CFAllocator? = nil
public let kCFAllocatorSystemDefault: CFAllocator? = CFAllocator()
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)

// A C Boolean of one byte, as out-parameters of C functions have it. The struct is this package's, in a C header.
// swift-format-ignore: AvoidRetroactiveConformances
extension DarwinBoolean: @retroactive ExpressibleByBooleanLiteral, @retroactive Equatable, @retroactive CustomStringConvertible {
    public init(_ value: Bool) { self.init(byte: value ? 1 : 0) }
    public init(booleanLiteral value: Bool) { self.init(value) }
    /// True for any byte but 0.
    public var boolValue: Bool { byte != 0 }
    public var description: String { boolValue.description }
    public static func == (left: DarwinBoolean, right: DarwinBoolean) -> Bool { left.boolValue == right.boolValue }
}

/// Runs the body. Nothing is autoreleased here, so there is no pool.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

extension ProcessInfo {
    /// Whether the program was made for iOS and runs on a Mac: never.
    public var isMacCatalystApp: Bool { false }
    public var isiOSAppOnMac: Bool { false }
}

extension NSURL {
    /// The URL of a file.
    public class func fileURL(withPath path: String) -> URL { URL(fileURLWithPath: path) }
}
