internal import EngineCore

/// Lets players that begin from now on play for `renderMusic` alone, without a device and a thread.
package func playMusicOffline(_ isOffline: Bool) {
    SoundFontHost.testOutput.withLock { output in
        output = nil
        if isOffline { output = { DeviceChoice.offline } }
    }
}

/// Renders frames of a player that tests play offline, and serves it before.
package func renderMusic(_ player: MusicPlayer, frames: Int) -> [[Float]] {
    var sound: [[Float]] = []
    PlayerObject.serve(player)
    _ = MusicCalls.use(player, PlayerObject.self) { player in
        player.host?.withEngine { engine in
            do { sound = try engine.render(frames: frames) } catch { sound = [] }
        }
        return noErr
    }
    PlayerObject.serve(player)
    return sound
}
