import CALSA
import Glibc
import RemoteIO

/// Turns the bytes of a MIDI cable into the sequencer's events and back, with libasound's own tables. One thread at a time.
final class MIDIByteCoder {
    fileprivate let parser: OpaquePointer

    /// A System Exclusive message that is longer than this goes out in pieces, as the kernel delivers it.
    static let piece = 256

    /// Throws `failed` where memory is short.
    init() throws(MIDIInletError) {
        var made: OpaquePointer?
        let result = snd_midi_event_new(Self.piece, &made)
        guard result >= 0, let made else { throw .failed("\(ALSAFault("snd_midi_event_new", result))") }
        parser = made
        // Each message has its status byte.
        snd_midi_event_no_status(parser, 1)
    }

    deinit { snd_midi_event_free(parser) }
}

/// The calls of a client whose ports come and go one by one, and whose messages are bytes.
extension ALSASequencerCalls {
    enum ByteReading {
        /// `stamp` is the queue's real time in nanoseconds.
        case message([UInt8], source: MIDIPortAddress, destination: UInt8, stamp: Int64?)
        /// A port of another client came, went or changed.
        case announcement
        case other
        case empty
        /// Our memory for them in the kernel was full.
        case overrun
    }

    /// Other programs may not connect it.
    func createHiddenInput(name: String) throws(MIDIInletError) -> UInt8 {
        try createPort(
            name, SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE | SND_SEQ_PORT_CAP_NO_EXPORT, isStamped: true)
    }

    /// Other programs may not connect it.
    func createHiddenOutput(name: String) throws(MIDIInletError) -> UInt8 {
        try createPort(
            name, SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ | SND_SEQ_PORT_CAP_NO_EXPORT, isStamped: false)
    }

    func delete(port: UInt8) { snd_seq_delete_port(handle, Int32(port)) }

    /// Does not wait.
    func readBytes(_ coder: MIDIByteCoder) -> ByteReading {
        var event: UnsafeMutablePointer<snd_seq_event_t>?
        var result = snd_seq_event_input(handle, &event)
        while result == -EINTR { result = snd_seq_event_input(handle, &event) }
        if result == -ENOSPC { return .overrun }
        guard result >= 0, let event else { return .empty }
        let type = snd_seq_event_type(UInt32(event.pointee.type))
        if (SND_SEQ_EVENT_CLIENT_START.rawValue...SND_SEQ_EVENT_PORT_CHANGE.rawValue).contains(type.rawValue) {
            // Only the kernel announces ports, and of our own we know.
            let isNews = event.pointee.source.client == 0 && event.pointee.data.addr.client != client
            return isNews ? .announcement : .other
        }
        // A message of a sequencer event is short, or has its length in the event.
        let length = type == SND_SEQ_EVENT_SYSEX ? Int(event.pointee.data.ext.len) : 16
        let bytes = [UInt8](unsafeUninitializedCapacity: max(length, 16)) { bytes, count in
            count = max(0, snd_midi_event_decode(coder.parser, bytes.baseAddress, bytes.count, event))
        }
        if bytes.isEmpty { return .other }
        let isStamped = Int32(event.pointee.flags) & SND_SEQ_TIME_STAMP_MASK == SND_SEQ_TIME_STAMP_REAL
        let time = event.pointee.time.time
        return .message(
            bytes, source: Self.address(event.pointee.source), destination: event.pointee.dest.port,
            stamp: isStamped ? Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) : nil)
    }

    /// Sends at once, or at a stamp of a queue; to `destination` alone, or to all that listen to the port.
    func send(
        _ bytes: [UInt8], _ coder: MIDIByteCoder, from port: UInt8, to destination: MIDIPortAddress?,
        at moment: (queue: Int32, stamp: Int64)?
    ) -> ALSAFault? {
        var fault: ALSAFault?
        bytes.withUnsafeBufferPointer { bytes in
            var place = 0
            while place < bytes.count {
                var event = snd_seq_event_t()
                let taken = snd_midi_event_encode(coder.parser, bytes.baseAddress.map { $0 + place }, bytes.count - place, &event)
                if taken <= 0 { return }
                place += taken
                if event.type == UInt8(SND_SEQ_EVENT_NONE.rawValue) { continue }
                event.source = snd_seq_addr_t(client: client, port: port)
                event.dest =
                    destination.map(Self.address)
                    ?? snd_seq_addr_t(client: UInt8(SND_SEQ_ADDRESS_SUBSCRIBERS), port: UInt8(SND_SEQ_ADDRESS_UNKNOWN))
                event.queue = UInt8(SND_SEQ_QUEUE_DIRECT)
                if let moment {
                    event.flags |= UInt8(SND_SEQ_TIME_STAMP_REAL | SND_SEQ_TIME_MODE_ABS)
                    event.time.time = Self.time(moment.stamp)
                    event.queue = UInt8(truncatingIfNeeded: moment.queue)
                }
                let result = snd_seq_event_output_direct(handle, &event)
                if result < 0 { fault = ALSAFault("snd_seq_event_output_direct", result) }
            }
        }
        return fault
    }

    /// Withdraws what waits in the kernel for a destination, or for all.
    func withdraw(to destination: MIDIPortAddress?) {
        var condition: OpaquePointer?
        if snd_seq_remove_events_malloc(&condition) < 0 { return }
        defer { snd_seq_remove_events_free(condition) }
        snd_seq_remove_events_set_condition(
            condition, UInt32(SND_SEQ_REMOVE_OUTPUT) | (destination == nil ? 0 : UInt32(SND_SEQ_REMOVE_DEST)))
        if let destination {
            var address = Self.address(destination)
            snd_seq_remove_events_set_dest(condition, &address)
        }
        snd_seq_remove_events(handle, condition)
    }
}
