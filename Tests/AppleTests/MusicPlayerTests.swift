import AudioToolbox
import Synchronization
import Testing

/// Players without a graph, offline: what a sequence sounds, when, and how it changes.
@Suite(.serialized) struct MusicPlayerTests {
    /// Frames at which sound begins after 100 ms of silence, to some frames.
    private func onsets(_ sound: [Float]) -> [Int] {
        var found: [Int] = [], quiet = 4_800
        for (place, sample) in sound.enumerated() {
            if abs(sample) > 1e-4 {
                if quiet >= 4_800 { found.append(place) }
                quiet = 0
            } else {
                quiet += 1
            }
        }
        return found
    }

    private func player(_ music: Music) throws -> MusicPlayer {
        var player: MusicPlayer?
        NewMusicPlayer(&player)
        let made = try #require(player)
        playMusicOffline(made)
        #expect(MusicPlayerSetSequence(made, music.sequence) == noErr)
        // A sound that begins and ends at once: a wood block.
        return made
    }

    private func isPlaying(_ player: MusicPlayer) -> Bool {
        var flag = DarwinBoolean(false)
        MusicPlayerIsPlaying(player, &flag)
        return flag.boolValue
    }

    private func woodBlocks(_ beats: [Double]) throws -> Music {
        let music = try Music()
        var program = MIDIChannelMessage(status: 0xC0, data1: 115, data2: 0, reserved: 0)
        MusicTrackNewMIDIChannelEvent(music.track, 0, &program)
        for beat in beats { music.add(76, at: beat, length: 0.1) }
        return music
    }

    @Test func aSequenceSoundsOnItsFramesInAnySlices() throws {
        let music = try woodBlocks([1, 2, 4.5])
        func render(_ slice: Int) throws -> [Float] {
            let player = try player(music)
            defer { DisposeMusicPlayer(player) }
            #expect(!isPlaying(player) && MusicPlayerPreroll(player) == noErr && MusicPlayerStart(player) == noErr)
            #expect(isPlaying(player))
            var sound: [Float] = []
            while sound.count < 132_000 { sound += renderMusic(player, frames: min(slice, 132_000 - sound.count))[0] }
            var beat = 0.0
            MusicPlayerGetTime(player, &beat)
            #expect(abs(beat - 5.5) < 1e-9)
            return sound
        }
        let sound = try render(4_096), found = onsets(sound)
        #expect(found.count == 3)
        for (place, wanted) in zip(found, [24_000, 48_000, 108_000]) { #expect((wanted..<wanted + 240).contains(place)) }
        // All of them as late as the first.
        #expect(found[1] - found[0] == 24_000 && found[2] - found[0] == 84_000)
        let isSame = try render(719) == sound
        #expect(isSame)
    }

    @Test func aSequenceChangesWhileItSounds() throws {
        let music = try woodBlocks([1, 2, 3]), player = try player(music)
        defer { DisposeMusicPlayer(player) }
        MusicPlayerStart(player)
        #expect(MusicPlayerSetSequence(player, nil) == kAudioToolboxErr_InvalidPlayerState)
        #expect(DisposeMusicSequence(music.sequence) == kAudioToolboxErr_CannotDoInCurrentContext)
        var sound = renderMusic(player, frames: 36_000)[0]
        MusicTrackMoveEvents(music.track, 1.5, 2.5, 0.5)
        MusicTrackClear(music.track, 2.75, 4)
        MusicTrackNewExtendedTempoEvent(music.tempoTrack, 0, 60)
        sound += renderMusic(player, frames: 120_000)[0]
        // The second is one beat of a second after beat 1.5.
        let found = onsets(sound)
        #expect(found.count == 2 && found.last.map { $0 - found[0] } == 36_000 + 48_000 - 24_000)
        MusicPlayerStop(player)
        var beat = 0.0
        MusicPlayerGetTime(player, &beat)
        #expect(abs(beat - 4) < 1e-9 && !isPlaying(player))
        MusicPlayerSetTime(player, 2)
        MusicPlayerSetPlayRateScalar(player, 2)
        MusicPlayerStart(player)
        #expect(onsets(renderMusic(player, frames: 48_000)[0]).map { $0 / 1_000 } == [12])
    }

    private final class Calls: Sendable {
        let all = Mutex<[(beat: Double, bytes: [UInt8])]>([])
    }

    @Test func userEventsAndLoopsCallBack() throws {
        let music = try woodBlocks([]), player = try player(music), calls = Calls()
        defer { DisposeMusicPlayer(player) }
        Music.counted([7, 8]).withUnsafeBytes { bytes in
            let data = bytes.baseAddress!.assumingMemoryBound(to: MusicEventUserData.self)
            MusicTrackNewUserEvent(music.track, 0.5, data)
        }
        var length: MusicTimeStamp = 1, loop = MusicTrackLoopInfo(loopDuration: 1, numberOfLoops: 3)
        MusicTrackSetProperty(music.track, kSequenceTrackProperty_TrackLength, &length, 8)
        MusicTrackSetProperty(music.track, kSequenceTrackProperty_LoopInfo, &loop, UInt32(MemoryLayout<MusicTrackLoopInfo>.size))
        let callback: MusicSequenceUserCallback = { data, _, _, beat, event, start, end in
            let calls = Unmanaged<Calls>.fromOpaque(data!).takeUnretainedValue()
            let bytes = UnsafeRawBufferPointer(start: UnsafeRawPointer(event) + 4, count: Int(event.pointee.length))
            if (start..<end).contains(beat) { calls.all.withLock { $0.append((beat, [UInt8](bytes))) } }
        }
        MusicSequenceSetUserCallback(music.sequence, callback, Unmanaged.passUnretained(calls).toOpaque())
        MusicPlayerStart(player)
        for _ in 0..<20 { _ = renderMusic(player, frames: 6_000) }
        let heard = calls.all.withLock { $0 }
        #expect(heard.map(\.beat) == [0.5, 1.5, 2.5] && heard.allSatisfy { $0.bytes == [7, 8] })
    }

    @Test func tracksGoToEndpoints() throws {
        let music = try Music(notes: [(0, 60), (1, 62)], length: 0.75), player = try player(music)
        defer { DisposeMusicPlayer(player) }
        final class Sent: Sendable { let all = Mutex<[[UInt8]]>([]) }
        let list = Sent()
        setMIDIEndpointSender { endpoint, bytes, _ in list.all.withLock { $0.append([UInt8(endpoint)] + bytes) } }
        defer { setMIDIEndpointSender(nil) }
        #expect(MusicTrackSetDestMIDIEndpoint(music.track, 5) == noErr)
        var endpoint: MIDIEndpointRef = 0
        #expect(MusicTrackGetDestMIDIEndpoint(music.track, &endpoint) == noErr && endpoint == 5)
        MusicPlayerStart(player)
        #expect(MusicTrackSetDestMIDIEndpoint(music.track, 6) == kAudioToolboxErr_InvalidPlayerState)
        for _ in 0..<8 { #expect(renderMusic(player, frames: 4_000)[0].allSatisfy { $0 == 0 }) }
        MusicPlayerStop(player)
        let all = list.all.withLock { $0 }
        #expect(all == [[5, 0x90, 60, 100], [5, 0x80, 60, 64], [5, 0x90, 62, 100], [5, 0x80, 62, 64]])
    }

    @Test func tracksPlayTheUnitsOfAGraph() throws {
        let music = try woodBlocks([1, 2]), player = try player(music), graph = try GraphRig()
        let output = try graph.add(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
        let mixer = try graph.add(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
        let synth = try graph.add(kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth)
        defer { DisposeMusicPlayer(player) }
        #expect(MusicTrackSetDestNode(music.track, synth) == kAudioToolboxErr_IllegalTrackDestination)
        #expect(MusicSequenceSetAUGraph(music.sequence, OpaquePointer(bitPattern: 0x30)) == kAudio_ParamError)
        #expect(AUGraphConnectNodeInput(graph.graph, synth, 0, mixer, 0) == noErr)
        #expect(AUGraphConnectNodeInput(graph.graph, mixer, 0, output, 0) == noErr && AUGraphOpen(graph.graph) == noErr)
        #expect(MusicSequenceSetAUGraph(music.sequence, graph.graph) == noErr)
        #expect(MusicTrackSetDestNode(music.track, mixer) == kAudioToolboxErr_IllegalTrackDestination)
        #expect(MusicTrackSetDestNode(music.track, synth) == noErr)
        #expect(MusicPlayerStart(player) == noErr)
        // A unit runs at 44 100 Hz unless it is asked for another rate.
        let found = onsets(try graph.unit(output).render(60_000)[0])
        #expect(found.count == 2 && zip(found, [22_050, 44_100]).allSatisfy { (0..<256).contains($0 - $1) }, "\(found)")
    }

    @Test func callsInWrongStatesAnswer() throws {
        var player: MusicPlayer?, sequence: MusicSequence?
        NewMusicPlayer(&player)
        let made = try #require(player)
        #expect(MusicPlayerStart(made) == kAudioToolboxErr_NoSequence && MusicPlayerPreroll(made) == kAudioToolboxErr_NoSequence)
        #expect(MusicPlayerStop(made) == noErr && MusicPlayerSetTime(made, 1) == kAudioToolboxErr_NoSequence)
        #expect(MusicPlayerGetSequence(made, &sequence) == kAudioToolboxErr_NoSequence)
        #expect(MusicPlayerSetPlayRateScalar(made, 0) == kAudio_ParamError)
        var time: UInt64 = 0, beat = 0.0
        #expect(MusicPlayerGetHostTimeForBeats(made, 0, &time) == kAudioToolboxErr_InvalidPlayerState)
        #expect(MusicPlayerGetBeatsForHostTime(made, 5, &beat) == kAudioToolboxErr_InvalidPlayerState)
        #expect(DisposeMusicPlayer(made) == noErr && DisposeMusicPlayer(made) == kAudio_ParamError)
        #expect(MusicPlayerStart(made) == kAudio_ParamError && NewMusicEventIterator(made, &player) == kAudio_ParamError)
    }
}
