/// Now, in host time: nanoseconds of CLOCK_MONOTONIC.
public func AudioGetCurrentHostTime() -> UInt64 { mach_absolute_time() }

/// Ticks of host time in a second.
public func AudioGetHostClockFrequency() -> Float64 { 1e9 }

/// The least distance of two host times.
public func AudioGetHostClockMinimumTimeDelta() -> UInt32 { 1 }

/// Host time as nanoseconds.
public func AudioConvertHostTimeToNanos(_ inHostTime: UInt64) -> UInt64 { inHostTime }

/// Nanoseconds as host time.
public func AudioConvertNanosToHostTime(_ inNanos: UInt64) -> UInt64 { inNanos }
