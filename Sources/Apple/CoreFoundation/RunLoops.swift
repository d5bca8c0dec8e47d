import Synchronization

/// A mode of a run loop, by its name.
public struct CFRunLoopMode: RawRepresentable, Hashable, Sendable {
    /// The mode of sources and timers without another one.
    public static let defaultMode: CFRunLoopMode! = CFRunLoopMode("kCFRunLoopDefaultMode" as NSString)
    /// All modes that are common.
    public static let commonModes: CFRunLoopMode! = CFRunLoopMode("kCFRunLoopCommonModes" as NSString)
    private let name: String

    public init(rawValue: CFString) { name = String(describing: rawValue) }
    public init(_ rawValue: CFString) { self.init(rawValue: rawValue) }

    public var rawValue: CFString { NSString(string: name) }

    fileprivate var mode: RunLoop.Mode { self == .defaultMode || self == .commonModes ? .default : RunLoop.Mode(name) }
}

/// The mode of sources and timers without another one.
public let kCFRunLoopDefaultMode: CFRunLoopMode! = .defaultMode
/// All modes that are common.
public let kCFRunLoopCommonModes: CFRunLoopMode! = .commonModes

/// Why a run loop returned.
public enum CFRunLoopRunResult: Int32, Sendable {
    case finished = 1
    case stopped = 2
    case timedOut = 3
    case handledSource = 4
}

/// The run loop of a thread. What the audio modules call back on a run loop is performed by it.
///
/// Sendable: its own thread runs it, others only store the atomic flag that stops it.
public final class CFRunLoop: @unchecked Sendable {
    fileprivate static let main = CFRunLoop(.main)
    private static let key = "CFRunLoop"
    package let loop: RunLoop
    private let isStopped = Atomic(false)

    private init(_ loop: RunLoop) { self.loop = loop }

    /// Lives as long as its thread.
    fileprivate static var current: CFRunLoop {
        if Thread.isMainThread { return main }
        let thread = Thread.current
        if let known = thread.threadDictionary[key] as? CFRunLoop { return known }
        let made = CFRunLoop(.current)
        thread.threadDictionary[key] = made
        return made
    }

    fileprivate func stop() { isStopped.store(true, ordering: .releasing) }

    /// Turns until the loop is stopped, the time is over or, if so asked, a source was handled. Timers and blocks are due within
    /// 10 ms, since a loop that waits does not notice that it is stopped.
    fileprivate func run(_ mode: CFRunLoopMode, until end: Double, returnsAfterSource: Bool) -> CFRunLoopRunResult {
        let name = mode.mode
        while true {
            if isStopped.exchange(false, ordering: .acquiring) { return .stopped }
            let now = Date().timeIntervalSinceReferenceDate
            let slice = min(end, now + 0.01)
            let handled = loop.run(mode: name, before: Date(timeIntervalSinceReferenceDate: max(now, slice)))
            let left = slice - Date().timeIntervalSinceReferenceDate
            if !handled && left > 0 { Thread.sleep(forTimeInterval: left) }
            if handled && returnsAfterSource && left > 0 { return .handledSource }
            if Date().timeIntervalSinceReferenceDate >= end { return .timedOut }
        }
    }
}

/// The run loop of this thread.
public func CFRunLoopGetCurrent() -> CFRunLoop! { .current }

/// The run loop of the main thread.
public func CFRunLoopGetMain() -> CFRunLoop! { .main }

/// Runs this thread's run loop until it is stopped.
public func CFRunLoopRun() { _ = CFRunLoop.current.run(.defaultMode, until: .infinity, returnsAfterSource: false) }

/// Runs this thread's run loop for some seconds.
@discardableResult
public func CFRunLoopRunInMode(_ mode: CFRunLoopMode!, _ seconds: CFTimeInterval, _ returnAfterSourceHandled: Bool)
    -> CFRunLoopRunResult
{
    let end = Date().timeIntervalSinceReferenceDate + (seconds > 0 ? seconds : 0)
    return CFRunLoop.current.run(mode ?? .defaultMode, until: end, returnsAfterSource: returnAfterSourceHandled)
}

/// Stops a run loop: the innermost call that runs it returns.
public func CFRunLoopStop(_ rl: CFRunLoop!) { rl?.stop() }
