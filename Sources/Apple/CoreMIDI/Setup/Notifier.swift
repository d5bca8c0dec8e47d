enum Notice: Sendable {
    /// Of what has no more to say.
    case plain(MIDINotificationMessageID)
    /// `msgObjectAdded` or `msgObjectRemoved`.
    case child(MIDINotificationMessageID, MIDIObjectRef, MIDIObjectType, of: MIDIObjectRef = 0, MIDIObjectType = .other)
    case propertyChanged(MIDIObjectRef, MIDIObjectType, String)
}

/// Tells a client of changes: on the run loop of the thread that created it, or on that of `Delivery` where no loop runs.
final class Notifier: @unchecked Sendable {
    private let lock = NSLock()
    private let loop: RunLoop
    private let tell: (UnsafePointer<MIDINotification>) -> Void
    private var notices: [Notice] = []
    private var isAsked = false, isTelling = false, isOver = false

    /// Nanoseconds that a loop has to take a notice.
    private static let patience: UInt64 = 250_000_000

    init(_ tell: @escaping (UnsafePointer<MIDINotification>) -> Void) { (self.tell, loop) = (tell, CFRunLoopGetCurrent().loop) }

    func post(_ new: [Notice]) {
        lock.lock()
        notices += new
        let isFirst = !isAsked
        isAsked = true
        lock.unlock()
        if !isFirst { return }
        if loop === RunLoop.main {
            DispatchQueue.main.async { [weak self] in self?.pass() }
        } else {
            // A loop that waits takes a timer; it does not see what it is to perform.
            loop.add(Timer(timeInterval: 0, repeats: false) { [weak self] _ in self?.pass() }, forMode: .common)
        }
        linger()
    }

    func stop() { lock.withLock { isOver = true } }

    private func linger() { Delivery.shared.add(at: mach_absolute_time() + Self.patience) { [weak self] in self?.look() } }

    private func look() {
        guard lock.withLock({ isAsked }) else { return }
        // One that runs is in a callback of the program's.
        if loop.currentMode == nil { pass() } else { linger() }
    }

    private func pass() {
        lock.lock()
        isAsked = false
        while !notices.isEmpty && !isTelling && !isOver {
            let notice = notices.removeFirst()
            isTelling = true
            lock.unlock()
            call(notice)
            lock.lock()
            isTelling = false
        }
        lock.unlock()
    }

    private func call(_ notice: Notice) {
        switch notice {
        case .plain(let message): give(MIDINotification(messageID: message, messageSize: 8))
        case .child(let message, let child, let childType, let parent, let parentType):
            give(
                MIDIObjectAddRemoveNotification(
                    messageID: message, messageSize: 24, parent: parent, parentType: parentType, child: child,
                    childType: childType))
        case .propertyChanged(let object, let type, let name):
            let text = name as NSString
            withExtendedLifetime(text) {
                give(
                    MIDIObjectPropertyChangeNotification(
                        messageID: .msgPropertyChanged, messageSize: 24, object: object, objectType: type,
                        propertyName: .passUnretained(text)))
            }
        }
    }

    private func give<Message>(_ message: Message) {
        withUnsafePointer(to: message) { place in
            tell(UnsafeRawPointer(place).assumingMemoryBound(to: MIDINotification.self))
        }
    }
}

/// A property of an object has changed.
public struct MIDIObjectPropertyChangeNotification {
    public var messageID: MIDINotificationMessageID
    public var messageSize: UInt32
    public var object: MIDIObjectRef
    public var objectType: MIDIObjectType
    public var propertyName: Unmanaged<CFString>
}
