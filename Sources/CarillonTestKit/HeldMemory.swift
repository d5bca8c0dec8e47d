import RTProbe

/// The memory that this thread has taken and not given back, to see whether what was taken for something comes back with it.
///
/// Only the thread's own calls count, so that other tests of the process do not disturb it; what one thread takes and
/// another frees is counted wrongly in both.
public enum HeldMemory {
    /// Bytes, as the allocator rounds them up; meaningful as a difference. nil if a sanitizer owns the allocator.
    public static var bytes: Int? { rt_probe_counts() ? Int(rt_probe_held()) : nil }
}
