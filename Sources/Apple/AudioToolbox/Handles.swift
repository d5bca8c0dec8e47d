import Synchronization

/// What stands for an object in Apple's calls. Its calls come one at a time, also from several threads, and may come again
/// from a callback of its own.
class HandledObject: @unchecked Sendable {
    fileprivate let lock = NSRecursiveLock()
    /// An object with a handle of its own that the calls of this one use too.
    fileprivate let other: HandledObject?
    /// Nil before it has one, and once it is disposed of.
    fileprivate(set) var ownHandle: OpaquePointer?

    init(using other: HandledObject? = nil) { self.other = other }
}

/// The objects that programs hold by pointers. A pointer is a number that is never given twice and never followed, so that one
/// which was disposed of, or never was a handle, is an error code.
enum Handles {
    private struct Table {
        var objects: [UInt: HandledObject] = [:]
        var next: UInt = 0x10_0000
    }

    private static let table = Mutex(Table())

    static func add(_ object: HandledObject) -> OpaquePointer? {
        table.withLock { table in
            let number = table.next
            table.next += 16
            table.objects[number] = object
            object.ownHandle = OpaquePointer(bitPattern: number)
            return object.ownHandle
        }
    }

    static func find<Object: HandledObject>(_ handle: OpaquePointer?, _: Object.Type = Object.self) -> Object? {
        table.withLock { $0.objects[UInt(bitPattern: handle)] } as? Object
    }

    static func remove<Object: HandledObject>(_ handle: OpaquePointer?, _: Object.Type = Object.self) -> Object? {
        table.withLock { table in
            guard let object = table.objects[UInt(bitPattern: handle)] as? Object else { return nil }
            table.objects[UInt(bitPattern: handle)] = nil
            object.ownHandle = nil
            return object
        }
    }

    /// Runs a call on its object alone.
    static func use<Object: HandledObject>(
        _ handle: OpaquePointer?, _: Object.Type, _ body: (Object) -> OSStatus
    ) -> OSStatus {
        guard let object = find(handle, Object.self) else { return kAudio_ParamError }
        object.lock.lock()
        object.other?.lock.lock()
        defer {
            object.other?.lock.unlock()
            object.lock.unlock()
        }
        // Another thread may have disposed of it meanwhile.
        return object.ownHandle == nil ? kAudio_ParamError : body(object)
    }

    /// Runs a call on its object alone, and answers the code of what it throws.
    static func run<Object: HandledObject>(
        _ handle: OpaquePointer?, _ type: Object.Type, _ body: (Object) throws -> Void
    ) -> OSStatus { use(handle, type) { object in UnitFaults.status { try body(object) } } }
}

enum PropertyMemory {
    /// The value that is passed in; nil where it has another size.
    static func take<Value>(_: Value.Type, _ size: UInt32, _ data: UnsafeRawPointer?) -> Value? {
        guard let data, Int(size) >= MemoryLayout<Value>.size else { return nil }
        return data.loadUnaligned(as: Value.self)
    }
}

extension UnsafeRawPointer {
    /// Copies a struct of C from any address.
    fileprivate func loadUnaligned<Value>(as _: Value.Type) -> Value {
        withUnsafeTemporaryAllocation(byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment) { copy in
            copy.copyMemory(from: UnsafeRawBufferPointer(start: self, count: MemoryLayout<Value>.size))
            return copy.load(as: Value.self)
        }
    }
}
