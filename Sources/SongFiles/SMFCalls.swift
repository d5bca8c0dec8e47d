import CSMF
import Glibc

/// Every call of libsmf, and what its answers mean. The one file that imports `CSMF`.
///
/// libsmf 1.3 is handed *pages*: canonical images of one track and at most `SMFCalls.eventsPerPage` events, because
///
/// - it finds an event to delete by walking its track from the start, looks a tempo up by walking the tempo map from
///   the end, and makes the whole map anew when a tempo is not the last event: all quadratic, harmless on short tracks;
/// - its ticks are 32-bit and it aborts when they overflow: a page starts at tick 0 and spans at most 2^30;
/// - it refuses formats above 1 and SMPTE divisions, which mean nothing to a page.
///
/// It takes the length of a meta event to be one byte and aborts on F7 escapes; neither is ever put on a page
/// (`ScorePage.canCarry`). It complains through GLib's log, which goes nowhere: what comes back is counted instead.
enum SMFCalls {
    static let eventsPerPage = 512

    /// Visits the events that libsmf takes of a complete canonical song of one track with `count` events, End of Track left out.
    /// `body` gets the tick from the start of the page and the bytes from the status on.
    static func read(
        _ image: [UInt8], count: Int,
        _ body: (Int, UnsafeBufferPointer<UInt8>) -> Void
    ) throws(SMFFault) {
        silenceLog
        guard let smf = image.withUnsafeBytes({ smf_load_from_memory($0.baseAddress, Int32($0.count)) }) else {
            throw .refused(function: "smf_load_from_memory")
        }
        defer { smf_delete(smf) }
        guard smf.pointee.number_of_tracks == 1, let track = smf_get_track_by_number(smf, 1) else {
            throw .tracks(function: "smf_load_from_memory", expected: 1, found: Int(smf.pointee.number_of_tracks))
        }
        guard Int(track.pointee.number_of_events) == count + 1 else {
            throw .events(
                function: "smf_load_from_memory", expected: count + 1,
                found: Int(track.pointee.number_of_events))
        }
        var tempos = TempoCheck(smf)
        for number in 1...Int32(count + 1) {
            guard let event = smf_track_get_event_by_number(track, number), let bytes = event.pointee.midi_buffer else {
                throw .events(function: "smf_track_get_event_by_number", expected: count + 1, found: Int(number) - 1)
            }
            let buffer = UnsafeBufferPointer(start: bytes, count: Int(event.pointee.midi_buffer_length))
            let tick = Int(event.pointee.time_pulses)
            guard tempos.agrees(with: buffer, at: tick) else { throw .tempo(function: "smf_get_tempo_by_number") }
            if number <= count { body(tick, buffer) }
        }
        guard tempos.agrees(with: UnsafeBufferPointer(start: nil, count: 0), at: .max) else {
            throw .tempo(function: "smf_get_tempo_by_number")
        }
    }

    /// The body of a track, without End of Track, of at most `eventsPerPage` events that `canCarry` allows; `delta` counts from
    /// the event before.
    static func write(_ events: [(delta: Int, bytes: [UInt8])], ticksPerQuarter: Int) throws(SMFFault) -> [UInt8] {
        silenceLog
        guard let smf = smf_new() else { throw .refused(function: "smf_new") }
        defer { smf_delete(smf) }
        guard smf_set_ppqn(smf, Int32(ticksPerQuarter)) == 0 else { throw .refused(function: "smf_set_ppqn") }
        guard let track = smf_track_new() else { throw .refused(function: "smf_track_new") }
        smf_add_track(smf, track)
        for (delta, var bytes) in events {
            let made = bytes.withUnsafeMutableBytes { smf_event_new_from_pointer($0.baseAddress, Int32($0.count)) }
            guard let event = made else { throw .refused(function: "smf_event_new_from_pointer") }
            smf_track_add_event_delta_pulses(track, event, Int32(delta))
        }
        let image = try saved(smf)
        // 14 bytes of header, 8 of the track's, and 00 FF 2F 00 at the end are libsmf's; the writer joins the pages.
        guard image.count >= 26, image.suffix(3) == [0xFF, 0x2F, 0x00] else { throw .refused(function: "smf_save") }
        return Array(image[22..<(image.count - 4)])
    }

    private static func saved(_ smf: UnsafeMutablePointer<smf_t>) throws(SMFFault) -> [UInt8] {
        let descriptor = memfd_create("song", 1 /* MFD_CLOEXEC */)
        guard descriptor >= 0 else { throw .system(function: "memfd_create", reason: errno) }
        defer { close(descriptor) }
        guard smf_save(smf, "/proc/self/fd/\(descriptor)") == 0 else { throw .refused(function: "smf_save") }
        let length = lseek(descriptor, 0, SEEK_END)
        guard length >= 0 else { throw .system(function: "lseek", reason: errno) }
        var image = [UInt8](repeating: 0, count: Int(length))
        var done = 0
        while done < image.count {
            let count = image.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress! + done, $0.count - done, off_t(done))
            }
            guard count > 0 else { throw .system(function: "pread", reason: count < 0 ? errno : EIO) }
            done += count
        }
        return image
    }

    /// Follows libsmf's tempo map beside the events it was made from.
    private struct TempoCheck {
        private let smf: UnsafeMutablePointer<smf_t>
        private var number: Int32 = 0
        private var expected: Int32 = 500_000
        private var tick = 0

        init(_ smf: UnsafeMutablePointer<smf_t>) { self.smf = smf }

        mutating func agrees(with event: UnsafeBufferPointer<UInt8>, at time: Int) -> Bool {
            if time > tick {
                // All events of the tick are known: every entry up to here must be equal to the last of them.
                while let entry = smf_get_tempo_by_number(smf, number), Int(entry.pointee.time_pulses) <= tick {
                    guard
                        Int(entry.pointee.time_pulses) < tick
                            || entry.pointee.microseconds_per_quarter_note == expected
                    else { return false }
                    number += 1
                }
                tick = time
            }
            if event.count >= 6, event[0] == 0xFF, event[1] == 0x51 {
                expected = Int32(event[3]) << 16 | Int32(event[4]) << 8 | Int32(event[5])
            }
            return true
        }
    }

    /// Runs once: GLib would write libsmf's complaints to standard error.
    private static let silenceLog: Void = {
        _ = g_log_set_handler("libsmf", GLogLevelFlags(rawValue: ~3), { _, _, _, _ in }, nil)
    }()
}
