import Glibc

extension WallTime {
    /// The current time of the machine's clock.
    public static var now: WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(seconds: Int64(time.tv_sec))
    }
}

extension WallZone {
    /// The time that the clocks of the process's zone show now.
    public static var now: LocalTime { system.local(at: .now) }
}
