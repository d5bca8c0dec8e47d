import Foundation

@testable import AudioToolbox

/// Lets a player that has not begun play for `renderMusic` alone, without a device and a thread.
func playMusicOffline(_ player: MusicPlayer) { _ = Handles.run(player, PlayerObject.self) { $0.isOffline = true } }

/// Renders frames of a player that tests play offline, and serves it before and after each slice.
func renderMusic(_ player: MusicPlayer, frames: Int) -> [[Float]] {
    var sound: [[Float]] = [[], []]
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    while sound[0].count < frames {
        let count = min(4_096, frames - sound[0].count)
        PlayerObject.serve(player)
        let status = Handles.run(player, PlayerObject.self) { player in
            for channel in 0..<2 { list[channel].mData = nil }
            guard let unit = (player.host as? GraphMusic)?.graph.outputUnit else { throw Refusal(kAudio_ParamError) }
            try UnitFaults.check(unit.render(AudioTimeStamp(), count, list.unsafeMutablePointer))
            for channel in 0..<2 { sound[channel] += UnsafeMutableBufferPointer<Float>(list[channel]) }
        }
        if status != noErr { return sound }
        PlayerObject.serve(player)
    }
    return sound
}

/// Sets what sends bytes to MIDI endpoints, at a host time or at once (0); nil: Core MIDI does.
func setMIDIEndpointSender(_ sender: (@Sendable (MIDIEndpointRef, [UInt8], UInt64) -> Void)?) {
    EndpointMessages.sender.withLock { $0 = sender.map { EndpointMessages.Sender(send: $0) } ?? EndpointMessages.ofCoreMIDI }
}
