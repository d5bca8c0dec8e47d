import CPlugIns
import MIDI

// [render]

/// Music events as the MIDI that a plug-in receives, at the first frame of its next run.
enum PlugInMusic {
    @_noLocks static func tell(_ event: MusicEvent, to host: OpaquePointer) {
        switch event {
        case .message(let message):
            let kind = message.status & 0xF0
            if kind < 0x80 || kind == 0xF0 { return }
            send(message.status, message.data1 & 127, message.data2 & 127, isShort: kind == 0xC0 || kind == 0xD0, to: host)
        // All sound off, all controllers back.
        case .reset:
            for channel in UInt8(0)..<16 {
                send(0xB0 | channel, 120, 0, isShort: false, to: host)
                send(0xB0 | channel, 121, 0, isShort: false, to: host)
            }
        case .standard:
            for channel in UInt8(0)..<16 { send(0xB0 | channel, 121, 0, isShort: false, to: host) }
        // A single note of tuning program 0, at once: CA-020.
        case .keyTuning(let change) where change.isOfSession:
            let (first, step) = change.places
            for key in stride(from: first, to: 128, by: step) {
                let note = change.standard(of: key), upper = UInt8(truncatingIfNeeded: note.fraction &>> 7)
                let lower = UInt8(truncatingIfNeeded: note.fraction & 127)
                plugin_host_tune(host, note.key, note.semitone, upper, lower)
            }
        // No message of one channel has these meanings; the time is `PlugInClock`'s.
        case .partMode, .masterVolume, .masterTuning, .masterBalance, .scaleTuning, .keyTuning, .effect, .part, .insertion, .time:
            break
        }
    }

    /// Sends `event` to a plug-in in another process. False: there was no room.
    @_noLocks static func tell(_ event: MusicEvent, over link: OpaquePointer) -> Bool {
        switch event {
        case .message(let message):
            let kind = message.status & 0xF0
            if kind < 0x80 || kind == 0xF0 { return true }
            return send(message.status, message.data1 & 127, message.data2 & 127, over: link)
        case .reset:
            for channel in UInt8(0)..<16 {
                if !send(0xB0 | channel, 120, 0, over: link) || !send(0xB0 | channel, 121, 0, over: link) { return false }
            }
        case .standard:
            for channel in UInt8(0)..<16 where !send(0xB0 | channel, 121, 0, over: link) { return false }
        case .keyTuning(let change) where change.isOfSession:
            let (first, step) = change.places
            for key in stride(from: first, to: 128, by: step) {
                let note = change.standard(of: key), upper = UInt8(truncatingIfNeeded: note.fraction &>> 7)
                let lower = UInt8(truncatingIfNeeded: note.fraction & 127)
                if !send(note.key, note.semitone, upper, lower, PLUGIN_LINK_TUNE, over: link) { return false }
            }
        case .partMode, .masterVolume, .masterTuning, .masterBalance, .scaleTuning, .keyTuning, .effect, .part, .insertion, .time:
            break
        }
        return true
    }

    @_noLocks private static func send(_ status: UInt8, _ data1: UInt8, _ data2: UInt8, over link: OpaquePointer) -> Bool {
        send(status, data1, data2, 0, PLUGIN_LINK_MIDI, over: link)
    }

    @_noLocks private static func send(
        _ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8, _ kind: plugin_link_kind, over link: OpaquePointer
    ) -> Bool {
        // A pointer to all of them: from one to the first the optimiser cannot see that the others are used.
        withUnsafeBytes(of: (first, second, third, fourth)) {
            plugin_link_tell(link, 0, kind, 0, 0, $0.baseAddress?.assumingMemoryBound(to: UInt8.self))
        }
    }

    @_noLocks private static func send(_ status: UInt8, _ data1: UInt8, _ data2: UInt8, isShort: Bool, to host: OpaquePointer) {
        withUnsafeBytes(of: (status, data1, data2)) {
            guard let bytes = $0.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            _ = plugin_host_midi(host, bytes, isShort ? 2 : 3)
        }
    }
}
