/// The importance of a line in the log.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8
    public static let `default` = Self(0)
    public static let info = Self(1)
    public static let debug = Self(2)
    public static let error = Self(16)
    public static let fault = Self(17)

    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }
}

/// A name that stands before the lines of a program's part.
public final class OSLog: Sendable {
    public static let `default` = OSLog(subsystem: "", category: "")
    public static let disabled = OSLog(subsystem: "", category: "off")
    private let category: String

    public init(subsystem: String, category: String) { self.category = category }

    fileprivate func write(_ message: StaticString, _ type: OSLogType, _ args: [Any]) {
        guard self !== OSLog.disabled, ![.info, .debug].contains(type) else { return }
        var text = "", rest = args[...], format = Substring("\(message)")
        while let place = format.firstIndex(of: "%") {
            text += format[..<place]
            format = format[format.index(after: place)...]
            if format.hasPrefix("%") {
                text += "%"
                format.removeFirst()
                continue
            }
            if format.hasPrefix("{") { format = format.drop { $0 != "}" }.dropFirst() }
            format = format.drop { !$0.isLetter && $0 != "@" }
            format = format.drop { "lhqzt".contains($0) }.dropFirst()
            text += rest.popFirst().map { "\($0)" } ?? "<missing>"
        }
        let name = category.isEmpty ? "" : "[\(category)] "
        report("\(name)\(text)\(format)")
    }
}

/// Writes a line to standard error; `info` and `debug` are left out, as in Apple's terminal.
///
/// Arguments take the places of the message's conversions (`%@`, `%d`) in their order.
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default, _ args: Any...
) {
    log.write(message, type, args)
}

/// Writes a line to standard error.
package func report(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }

/// Writes a line of the given importance to standard error.
public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString, _ args: Any...
) {
    log.write(message, type, args)
}

/// A program's part in the log.
public struct Logger: Sendable {
    private let log: OSLog

    public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }
    public init(_ log: OSLog) { self.log = log }
    public init() { log = .default }

    /// Writes a line.
    public func log(_ message: String) { os_log("%@", log: log, message) }
    /// Writes a line of the log.
    public func notice(_ message: String) { os_log("%@", log: log, message) }
    /// Writes what may go wrong.
    public func warning(_ message: String) { os_log("%@", log: log, type: .error, message) }
    /// Writes what went wrong.
    public func error(_ message: String) { os_log("%@", log: log, type: .error, message) }
    /// Writes what the program got wrong.
    public func fault(_ message: String) { os_log("%@", log: log, type: .fault, message) }
    /// Writes what the program got wrong.
    public func critical(_ message: String) { os_log("%@", log: log, type: .fault, message) }
    /// Left out, as in Apple's terminal.
    public func info(_ message: String) { os_log("%@", log: log, type: .info, message) }
    /// Left out, as in Apple's terminal.
    public func debug(_ message: String) { os_log("%@", log: log, type: .debug, message) }
}
