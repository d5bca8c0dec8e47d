import Synchronization

/// Audio units by their handles. A handle is a number that is given once; looking one up neither locks nor allocates, since
/// render callbacks do.
enum UnitHandles {
    private struct Slot: ~Copyable {
        let number = Atomic<UInt>(0), object = Atomic<UInt>(0)
    }

    private struct Supply {
        var free = Array((0..<capacity).reversed())
        var generation: UInt = 1
    }

    static let capacity = 4_096
    private nonisolated(unsafe) static let slots: UnsafeMutablePointer<Slot> = {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: capacity)
        for index in 0..<capacity { (slots + index).initialize(to: Slot()) }
        return slots
    }()
    /// Look-ups that have found a slot and not yet retained its object.
    private static let readers = Atomic<Int>(0)
    private static let supply = Mutex(Supply())

    /// Nil where there are too many.
    static func add(_ object: UnitObject) -> AudioUnit? {
        supply.withLock { supply in
            guard let index = supply.free.popLast() else { return nil }
            let number = (supply.generation << 16 | UInt(index)) << 4
            supply.generation += 1
            slots[index].object.store(UInt(bitPattern: Unmanaged.passRetained(object).toOpaque()), ordering: .relaxed)
            slots[index].number.store(number, ordering: .releasing)
            return AudioUnit(bitPattern: number)
        }
    }

    static func find(_ handle: AudioUnit) -> UnitObject? {
        let number = UInt(bitPattern: handle), index = Int(number >> 4 & 0xFFFF)
        guard index < capacity, number & 15 == 0 else { return nil }
        readers.add(1, ordering: .sequentiallyConsistent)
        defer { readers.subtract(1, ordering: .sequentiallyConsistent) }
        guard slots[index].number.load(ordering: .sequentiallyConsistent) == number,
            let place = UnsafeRawPointer(bitPattern: slots[index].object.load(ordering: .sequentiallyConsistent))
        else { return nil }
        return Unmanaged<UnitObject>.fromOpaque(place).takeUnretainedValue()
    }

    static func remove(_ handle: AudioUnit) -> UnitObject? {
        guard let object = find(handle) else { return nil }
        let index = Int(UInt(bitPattern: handle) >> 4 & 0xFFFF)
        return supply.withLock { supply in
            guard slots[index].number.exchange(0, ordering: .sequentiallyConsistent) != 0 else { return nil }
            // A look-up takes an instant, and cannot be interrupted by a callback.
            while readers.load(ordering: .sequentiallyConsistent) > 0 {}
            let place = slots[index].object.exchange(0, ordering: .sequentiallyConsistent)
            if let place = UnsafeRawPointer(bitPattern: place) { Unmanaged<UnitObject>.fromOpaque(place).release() }
            supply.free.insert(index, at: 0)
            return object
        }
    }
}

/// Calls of units and graphs come one at a time. A render callback does not wait for its turn: it is refused.
enum UnitCalls {
    private static let lock = NSRecursiveLock()

    static func alone(_ body: () -> OSStatus) -> OSStatus {
        if RenderContext.current != nil {
            guard lock.try() else { return kAudioUnitErr_CannotDoInCurrentContext }
        } else {
            lock.lock()
        }
        defer { lock.unlock() }
        return body()
    }

    /// For what is never called from a callback.
    static func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    static func run(_ body: () throws -> Void) -> OSStatus { alone { UnitFaults.status(body) } }

    /// Nil where a callback would have to wait.
    static func value<Value>(_ body: () throws -> Value?) -> Value? {
        var value: Value?
        return run { value = try body() } == noErr ? value : nil
    }

    static func on(_ handle: AudioUnit, _ body: (UnitObject) -> OSStatus) -> OSStatus {
        alone {
            guard let unit = UnitHandles.find(handle) else { return kAudioComponentErr_InstanceInvalidated }
            return body(unit)
        }
    }

    static func run(_ handle: AudioUnit, _ body: (UnitObject) throws -> Void) -> OSStatus {
        on(handle) { unit in UnitFaults.status { try body(unit) } }
    }
}
