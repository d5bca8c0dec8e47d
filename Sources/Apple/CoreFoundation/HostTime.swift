import Synchronization

/// The ratio of host time to nanoseconds: 1 here.
public struct mach_timebase_info_data_t: Sendable {
    public var numer: UInt32 = 0
    public var denom: UInt32 = 0

    public init() {}
    public init(numer: UInt32, denom: UInt32) { (self.numer, self.denom) = (numer, denom) }
}

/// Host time: nanoseconds of CLOCK_MONOTONIC, as time stamps of the engine's devices have them.
public func mach_absolute_time() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}

/// The ratio of host time to nanoseconds.
@discardableResult public func mach_timebase_info(_ info: UnsafeMutablePointer<mach_timebase_info_data_t>) -> Int32 {
    info.pointee = mach_timebase_info_data_t(numer: 1, denom: 1)
    return 0
}

/// Seconds since the first moment of 2001, UTC.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

/// No store or load moves across.
public func OSMemoryBarrier() { atomicMemoryFence(ordering: .sequentiallyConsistent) }
