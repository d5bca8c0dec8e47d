import CALSA
import Glibc
import MIDI
import RemoteIO

/// The calls that send at a moment: a queue of the sequencer's with a fast timer, and MIDI's clock on it.
extension ALSASequencerCalls {
    /// `rate` is ticks a second. Returns the queue's number.
    func startSendingQueue(name: String, rate: UInt32) throws(MIDIInletError) -> Int32 {
        let queue = snd_seq_alloc_named_queue(handle, name)
        try check("snd_seq_alloc_named_queue", queue)
        do throws(MIDIInletError) {
            var timer: OpaquePointer?
            try check("snd_seq_queue_timer_malloc", snd_seq_queue_timer_malloc(&timer))
            defer { snd_seq_queue_timer_free(timer) }
            try check("snd_seq_get_queue_timer", snd_seq_get_queue_timer(handle, queue, timer))
            snd_seq_queue_timer_set_resolution(timer, rate)
            try check("snd_seq_set_queue_timer", snd_seq_set_queue_timer(handle, queue, timer))
            try check(
                "snd_seq_control_queue",
                snd_seq_control_queue(handle, queue, Int32(SND_SEQ_EVENT_START.rawValue), 0, nil))
            try check("snd_seq_drain_output", snd_seq_drain_output(handle))
            awaitTimer(of: queue)
        } catch {
            snd_seq_free_queue(handle, queue)
            throw error
        }
        return queue
    }

    /// Waits until the queue's timer has ticked, a quarter of a second at most. Until its first tick the queue gives the time
    /// since its start, and then loses as much of that as the tick was late: 90 ms if a module had to be loaded first.
    private func awaitTimer(of queue: Int32) {
        var status: OpaquePointer?
        if snd_seq_queue_status_malloc(&status) < 0 { return }
        defer { snd_seq_queue_status_free(status) }
        for _ in 0..<250 {
            if snd_seq_get_queue_status(handle, queue, status) < 0 || snd_seq_queue_status_get_tick_time(status) >= 2 { return }
            usleep(1_000)
        }
    }

    func free(queue: Int32) { snd_seq_free_queue(handle, queue) }

    /// `stamp` in nanoseconds of the queue; nil when it was taken.
    func send(_ message: ClockMessage, from port: UInt8, on queue: Int32, at stamp: Int64) -> ALSAFault? {
        var event = snd_seq_event_t()
        switch message {
        case .pulse: event.type = UInt8(SND_SEQ_EVENT_CLOCK.rawValue)
        case .start: event.type = UInt8(SND_SEQ_EVENT_START.rawValue)
        case .continue: event.type = UInt8(SND_SEQ_EVENT_CONTINUE.rawValue)
        case .stop: event.type = UInt8(SND_SEQ_EVENT_STOP.rawValue)
        case .position(let sixteenths):
            event.type = UInt8(SND_SEQ_EVENT_SONGPOS.rawValue)
            event.data.control.value = Int32(sixteenths)
        }
        return send(&event, from: port, on: queue, at: stamp)
    }

    /// Returns nil when that worked.
    func send(_ message: MIDIMessage, from port: UInt8, on queue: Int32, at stamp: Int64) -> ALSAFault? {
        guard var event = ChannelMessageCoding.event(message) else { return nil }
        return send(&event, from: port, on: queue, at: stamp)
    }

    private func send(_ event: inout snd_seq_event_t, from port: UInt8, on queue: Int32, at stamp: Int64) -> ALSAFault? {
        event.flags = UInt8(SND_SEQ_TIME_STAMP_REAL | SND_SEQ_TIME_MODE_ABS | SND_SEQ_EVENT_LENGTH_FIXED)
        event.time.time = Self.time(stamp)
        event.queue = UInt8(truncatingIfNeeded: queue)
        event.source = snd_seq_addr_t(client: client, port: port)
        event.dest = snd_seq_addr_t(client: UInt8(SND_SEQ_ADDRESS_SUBSCRIBERS), port: UInt8(SND_SEQ_ADDRESS_UNKNOWN))
        let result = snd_seq_event_output_direct(handle, &event)
        return result < 0 ? ALSAFault("snd_seq_event_output_direct", result) : nil
    }

    /// Withdraws `stamp` and later; returns nil if that worked.
    func withdraw(from stamp: Int64, on queue: Int32) -> ALSAFault? {
        var condition: OpaquePointer?
        var result = snd_seq_remove_events_malloc(&condition)
        if result < 0 { return ALSAFault("snd_seq_remove_events_malloc", result) }
        defer { snd_seq_remove_events_free(condition) }
        snd_seq_remove_events_set_condition(
            condition, UInt32(SND_SEQ_REMOVE_OUTPUT | SND_SEQ_REMOVE_TIME_AFTER))
        snd_seq_remove_events_set_queue(condition, queue)
        var time = snd_seq_timestamp_t()
        time.time = Self.time(stamp)
        snd_seq_remove_events_set_time(condition, &time)
        result = snd_seq_remove_events(handle, condition)
        return result < 0 ? ALSAFault("snd_seq_remove_events", result) : nil
    }

    static func time(_ nanoseconds: Int64) -> snd_seq_real_time_t {
        snd_seq_real_time_t(
            tv_sec: UInt32(clamping: nanoseconds / 1_000_000_000), tv_nsec: UInt32(clamping: nanoseconds % 1_000_000_000))
    }
}
