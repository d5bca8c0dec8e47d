import AVFoundation
import Synchronization
import Testing

@testable import AVFAudio

/// Sequencers on an engine that the program renders: what sounds, on which frame, and how it changes.
@Suite struct SequencerTests {
    private static let font = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "soundfonts/carillon.sf2")

    /// A rendering with a sampler: an organ, which begins with its first frame.
    private func organ() throws -> (rendering: Rendering, sampler: AVAudioUnitSampler) {
        let rendering = try Rendering(), sampler = AVAudioUnitSampler()
        rendering.engine.attach(sampler)
        rendering.engine.connect(sampler, to: rendering.engine.mainMixerNode, format: nil)
        try sampler.loadSoundBankInstrument(at: Self.font, program: 16, bankMSB: 0x79, bankLSB: 0)
        return (rendering, sampler)
    }

    private func note(_ key: UInt32, _ length: Double) -> AVMIDINoteEvent {
        AVMIDINoteEvent(channel: 0, key: key, velocity: 100, duration: length)
    }

    /// What a sampler plays by `startNote` and `stopNote` on frames.
    private func played(_ events: [(frame: Int, key: UInt8, isOn: Bool)], frames: Int) throws -> [[Float]] {
        let (rendering, sampler) = try organ()
        try rendering.engine.start()
        var sound: [[Float]] = [[], []], now = 0
        func render(to frame: Int) throws {
            for (channel, more) in try rendering.render(frame - now).enumerated() { sound[channel] += more }
            now = frame
        }
        for event in events {
            try render(to: event.frame)
            if event.isOn {
                sampler.startNote(event.key, withVelocity: 100, onChannel: 0)
            } else {
                sampler.stopNote(event.key, onChannel: 0)
            }
        }
        try render(to: frames)
        return sound
    }

    @Test(arguments: [1_024, 719]) func notesSoundOnTheFramesOfTheirBeats(slice: Int) throws {
        let (rendering, sampler) = try organ(), sequencer = AVAudioSequencer(audioEngine: rendering.engine)
        let track = sequencer.createAndAppendTrack()
        for (beat, key) in [(0.5, 60), (1.25, 64), (3, 67)] as [(Double, UInt32)] { track.addEvent(note(key, 0.5), at: beat) }
        // A sampler has one instrument, whatever the song says.
        track.addEvent(AVMIDIProgramChangeEvent(channel: 0, programNumber: 40), at: 0)
        sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 90), at: 0)
        sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 180), at: 2)
        sequencer.prepareToPlay()
        try rendering.engine.start()
        try sequencer.start()
        // A beat is 32 000 frames, and 16 000 from beat 2 on.
        let sound = try rendering.render(90_000, slice: slice)
        let wanted = try played(
            [
                (16_000, 60, true), (32_000, 60, false), (40_000, 64, true), (56_000, 64, false), (80_000, 67, true),
                (88_000, 67, false),
            ], frames: 90_000)
        let first = sound[0].firstIndex { $0 != 0 } ?? 0
        #expect(sound == wanted && (16_000..<16_010).contains(first))
        #expect(abs(sequencer.currentPositionInBeats - 3.625) < 1e-9 && sampler.engine === rendering.engine)
        #expect(abs(sequencer.currentPositionInSeconds - 1.875) < 1e-9 && sequencer.isPlaying)
    }

    @Test func aSquareWaveAndASongShareTheClock() throws {
        let (rendering, _) = try organ(), engine = rendering.engine, sequencer = AVAudioSequencer(audioEngine: engine)
        let square = AVAudioSourceNode { _, time, frames, list in
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                let samples = UnsafeMutableBufferPointer<Float>(buffer)
                for frame in 0..<Int(frames) {
                    samples[frame] = (Int(time.pointee.mSampleTime) + frame) / 24_000 % 2 == 0 ? 0.125 : -0.125
                }
            }
            return noErr
        }
        engine.attach(square)
        engine.connect(square, to: engine.mainMixerNode, format: rendering.format)
        try engine.start()
        _ = try rendering.render(1_000)
        sequencer.createAndAppendTrack().addEvent(note(69, 0.25), at: 1)
        try sequencer.start()
        let sound = try rendering.render(40_000)[0],
            song = try played([(24_000, 69, true), (30_000, 69, false)], frames: 40_000)[0]
        for frame in 0..<40_000 {
            let wave: Float = (frame + 1_000) / 24_000 % 2 == 0 ? 0.125 : -0.125
            if abs(sound[frame] - wave - song[frame]) > 1e-6 {
                Issue.record("frame \(frame): \(sound[frame]) instead of \(wave + song[frame])")
                break
            }
        }
    }

    @Test func tracksHaveDestinationsLoopsAndSwitchesThatChange() throws {
        let (rendering, sampler) = try organ(), engine = rendering.engine, sequencer = AVAudioSequencer(audioEngine: engine)
        let other = AVAudioUnitSampler(), track = sequencer.createAndAppendTrack(), silent = AVAudioUnitReverb()
        engine.attach(other)
        engine.attach(silent)
        engine.connect(other, to: engine.mainMixerNode, format: nil)
        try other.loadSoundBankInstrument(at: Self.font, program: 115, bankMSB: 0x79, bankLSB: 0)
        track.addEvent(note(60, 0.25), at: 0)
        #expect(track.destinationAudioUnit == nil && track.destinationMIDIEndpoint == 0 && track.numberOfLoops == -1)
        (track.loopRange, track.isLoopingEnabled, track.numberOfLoops) = (AVMakeBeatRange(0, 1), true, 3)
        try sequencer.start()
        func beats(_ count: Int) throws -> [Bool] {
            try (0..<count).map { _ in try rendering.render(24_000)[0].peak > 1e-3 }
        }
        #expect(try engine.isRunning && beats(5) == [true, true, true, false, false])
        (sequencer.currentPositionInBeats, track.numberOfLoops) = (0, AVMusicTrackLoopCount.forever.rawValue)
        #expect(try beats(4) == [true, true, true, true])
        // While it sounds: elsewhere, nowhere, and elsewhere by an instrument that is made anew.
        track.destinationAudioUnit = other
        sampler.overallGain = -90
        _ = try rendering.render(24_000)
        #expect(try beats(2) == [true, true])
        engine.detach(other)
        _ = try rendering.render(24_000)
        #expect(try beats(2) == [false, false])
        engine.attach(other)
        engine.connect(other, to: engine.mainMixerNode, format: nil)
        _ = try rendering.render(24_000)
        #expect(try beats(2) == [true, true] && track.destinationAudioUnit === other)
        track.isMuted = true
        _ = try rendering.render(24_000)
        #expect(try beats(2) == [false, false])
        track.isMuted = false
        let second = sequencer.createAndAppendTrack()
        second.isSoloed = true
        #expect(try beats(2) == [false, false] && sequencer.tracks.map { $0 === track } == [true, false])
        #expect(sequencer.removeTrack(second) && !sequencer.removeTrack(second))
        #expect(try beats(2) == [true, true])
        sequencer.stop()
        _ = try rendering.render(24_000)
        #expect(try !sequencer.isPlaying && beats(1) == [false])
        sequencer.rate = 2
        track.isLoopingEnabled = false
        track.offsetTime = 1
        sequencer.currentPositionInBeats = 0
        try sequencer.start()
        let sound = try rendering.render(24_000)[0]
        #expect((12_000..<12_240).contains(sound.firstIndex { abs($0) > 1e-4 } ?? 0))
    }

    @Test func parametersAreSetAndTheLastBeatIsReached() throws {
        let (rendering, sampler) = try organ(), engine = rendering.engine, echo = AVAudioUnitDelay()
        let sequencer = AVAudioSequencer(audioEngine: engine), mixes = sequencer.createAndAppendTrack()
        let track = sequencer.createAndAppendTrack()
        engine.attach(echo)
        engine.connect(sampler, to: echo, format: nil)
        engine.connect(echo, to: engine.mainMixerNode, format: nil)
        (echo.delayTime, echo.feedback, echo.wetDryMix) = (1, 0, 0)
        for beat in [0.0, 4] { track.addEvent(note(60, 0.5), at: beat) }
        mixes.destinationAudioUnit = echo
        mixes.addEvent(AVParameterEvent(parameterID: kDelayParam_WetDryMix, scope: 0, element: 0, value: 100), at: 3)
        try sequencer.start()
        // The echo alone from beat 3 on: the second note is heard two beats later.
        let heard = try (0..<8).map { _ in try rendering.render(24_000)[0].peak > 3e-3 }
        #expect(heard == [true, false, false, false, false, false, true, false])
        // However many rounds of a loop have passed by then.
        (track.loopRange, track.isLoopingEnabled) = (AVMakeBeatRange(0, 0.01), true)
        sequencer.currentPositionInBeats = 1e300
        #expect(try rendering.render(1_024)[0].allSatisfy(\.isFinite) && sequencer.isPlaying)
    }

    @Test func twoSequencersTakeTurnsOnAnEngine() throws {
        let (rendering, _) = try organ(),
            sequencers = [60, 72].map { (key: UInt32) in
                let sequencer = AVAudioSequencer(audioEngine: rendering.engine)
                sequencer.createAndAppendTrack().addEvent(note(key, 0.5), at: 0)
                return sequencer
            }
        for turn in 0..<4 {
            let sequencer = sequencers[turn % 2]
            sequencer.currentPositionInBeats = 0
            try sequencer.start()
            #expect(try rendering.render(24_000)[0].peak > 1e-3)
            sequencer.stop()
        }
        // The engine is another one.
        rendering.engine.stop()
        try rendering.engine.enableManualRenderingMode(.offline, format: rendering.format, maximumFrameCount: 2_048)
        sequencers[0].currentPositionInBeats = 0
        try sequencers[0].start()
        #expect(try rendering.render(24_000)[0].peak > 1e-3)
    }

    @Test func eventsComeBackAndChange() throws {
        let sequencer = AVAudioSequencer(), track = sequencer.createAndAppendTrack()
        let events: [AVMusicEvent] = [
            note(60, 1.5), AVMIDIControlChangeEvent(channel: 1, messageType: .volume, value: 100),
            AVMIDIPolyPressureEvent(channel: 2, key: 61, pressure: 3), AVMIDIProgramChangeEvent(channel: 3, programNumber: 4),
            AVMIDIChannelPressureEvent(channel: 4, pressure: 5), AVMIDIPitchBendEvent(channel: 5, value: 12_345),
            AVMIDISysexEvent(data: Data([0xF0, 0x7E, 0x7F, 9, 1, 0xF7])), AVMusicUserEvent(data: Data([1, 2, 3])),
            AVMIDIMetaEvent(type: .marker, data: Data("Coda".utf8)),
            AVExtendedNoteOnEvent(midiNote: 60.5, velocity: 80, groupID: 2, duration: 0.25),
            AVParameterEvent(parameterID: 900, scope: 0, element: 0, value: 0.5),
        ]
        for (beat, event) in events.enumerated() { track.addEvent(event, at: Double(beat)) }
        track.addEvent(AVExtendedTempoEvent(tempo: 90), at: 20)
        track.addEvent(AVAUPresetEvent(scope: 0, element: 0, dictionary: [:]), at: 20)
        track.addEvent(note(200, 1), at: 20)
        track.addEvent(note(60, .nan), at: 20)
        track.addEvent(note(60, 1), at: .infinity)
        var found: [AVMusicEvent] = []
        track.enumerateEvents(in: AVMakeBeatRange(0, AVMusicTimeStampEndOfTrack)) { event, beat, _ in
            #expect(beat.pointee == Double(found.count))
            found.append(event)
        }
        for (event, copy) in zip(events, found) {
            let isSame: Bool = type(of: event) == type(of: copy) && event.bytes == copy.bytes
            #expect(isSame, "\(event)")
        }
        #expect(found.count == events.count)
        #expect((found[1] as? AVMIDIControlChangeEvent)?.messageType == .volume)
        #expect((found[5] as? AVMIDIPitchBendEvent)?.value == 12_345)
        #expect((found[9] as? AVExtendedNoteOnEvent)?.instrumentID == AVExtendedNoteOnEvent.defaultInstrument)
        track.enumerateEvents(in: AVMakeBeatRange(0, 3)) { event, beat, isRemoved in
            if let note = event as? AVMIDINoteEvent { note.key = 65 }
            if event is AVMIDIControlChangeEvent { isRemoved.pointee = true }
            if event is AVMIDIPolyPressureEvent { beat.pointee = 9.5 }
        }
        func beats(_ track: AVMusicTrack) -> [Double] {
            var all: [Double] = []
            track.enumerateEvents(in: AVMakeBeatRange(0, AVMusicTimeStampEndOfTrack)) { _, beat, _ in all.append(beat.pointee) }
            return all
        }
        #expect(beats(track) == [0, 3, 4, 5, 6, 7, 8, 9, 9.5, 10])
        track.enumerateEvents(in: AVMakeBeatRange(0, 1)) { event, _, _ in #expect((event as? AVMIDINoteEvent)?.key == 65) }
        let copy = sequencer.createAndAppendTrack()
        copy.copyEvents(in: AVMakeBeatRange(3, 3), from: track, insertAt: 1)
        copy.copyAndMergeEvents(in: AVMakeBeatRange(0, 1), from: track, mergeAt: 2)
        #expect(beats(copy) == [1, 2, 2, 3] && copy.lengthInBeats == 3.5 && copy.lengthInSeconds == 1.75)
        copy.moveEvents(in: AVMakeBeatRange(2, 1), by: 4)
        copy.cutEvents(in: AVMakeBeatRange(3, 2))
        copy.clearEvents(in: AVMakeBeatRange(0, 2))
        #expect(beats(copy) == [4, 4])
        copy.clearEvents(in: AVMakeBeatRange(.nan, 1))
        copy.moveEvents(in: AVMakeBeatRange(0, 9), by: -20)
        copy.lengthInSeconds = 10
        copy.usesAutomatedParameters = true
        #expect(beats(copy) == [4, 4] && copy.lengthInBeats == 20 && !copy.usesAutomatedParameters)
    }

    @Test func songsAreReadAndWritten() throws {
        let folder = try SoundFolder(), sequencer = AVAudioSequencer()
        sequencer.createAndAppendTrack().addEvent(note(60, 1), at: 2)
        sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 60), at: 0)
        let url = folder.url("song.mid") as URL
        try sequencer.write(to: url, smpteResolution: 96, replaceExisting: false)
        #expect(throws: NSError.self) { try sequencer.write(to: url, smpteResolution: 96, replaceExisting: false) }
        try sequencer.write(to: url, smpteResolution: 96, replaceExisting: true)
        let (read, again) = (AVAudioSequencer(), AVAudioSequencer())
        try read.load(from: url, options: [])
        var error: NSError?
        try again.load(from: read.data(withSMPTEResolution: 0, error: &error), options: .smfChannelsToTracks)
        #expect(error == nil && read.data(withSMPTEResolution: -5, error: &error).isEmpty && error != nil)
        #expect([read, again].allSatisfy { $0.tracks.count == 1 && $0.tracks[0].lengthInBeats == 3 })
        #expect(read.tracks[0].timeResolution == 96 && read.seconds(forBeats: 3) == 3 && read.beats(forSeconds: 2) == 2)
        #expect(read.userInfo[AVAudioSequencer.InfoDictionaryKey.tempo.rawValue] as? Double == 60)
        #expect(throws: NSError.self) { try read.load(from: folder.url("none.mid") as URL) }
        #expect(throws: NSError.self) { try read.load(from: Data([1, 2, 3])) }
        #expect(throws: NSError.self) { _ = try AVMIDIPlayer(contentsOf: url, soundBankURL: url) }
        read.reverseEvents()
        read.currentPositionInBeats = .nan
        read.rate = 0
        #expect(read.rate == 1 && read.hostTime(forBeats: 1, error: &error) == 0 && read.beats(forHostTime: 5, error: nil) == 0)
    }

    private final class Calls: Sendable { let all = Mutex<[String]>([]) }

    @Test func userEventsAndTheEndOfAPlayerCallBack() throws {
        let (rendering, _) = try organ(), sequencer = AVAudioSequencer(audioEngine: rendering.engine), calls = Calls()
        let track = sequencer.createAndAppendTrack()
        track.addEvent(AVMusicUserEvent(data: Data([7, 8])), at: 0.5)
        sequencer.setUserCallback { [unowned track] source, data, beat in
            calls.all.withLock { $0.append("\(source === track) \([UInt8](data)) \(beat)") }
        }
        try sequencer.start()
        _ = try rendering.render(24_000)
        #expect(calls.all.withLock { $0 } == ["true [7, 8] 0.5"])

        let song = AVAudioSequencer(), other = try Rendering()
        song.createAndAppendTrack().addEvent(note(60, 1), at: 0)
        let data = song.data(withSMPTEResolution: 0, error: nil)
        let player = try AVMIDIPlayer(Self.font, other.engine) { try $0.load(from: data) }
        player.prepareToPlay()
        player.play { calls.all.withLock { $0.append("end") } }
        #expect(player.isPlaying && player.duration == 0.5)
        let sound = try other.render(20_480)[0]
        #expect(player.isPlaying && sound.peak > 1e-3)
        _ = try other.render(9_000)
        #expect(!player.isPlaying && calls.all.withLock { $0.count } == 2 && player.currentPosition >= 0.5)
        player.rate = 2
        player.play()
        #expect(try other.render(9_000)[0].peak > 1e-3)
        #expect(player.isPlaying && abs(player.currentPosition - 0.375) < 1e-3)
        player.stop()
        #expect(!player.isPlaying && calls.all.withLock { $0.count } == 2)
    }

    @Test func noSequenceOfCallsBreaksASequencer() throws {
        let file = AVAudioSequencer()
        file.createAndAppendTrack().addEvent(note(60, 1), at: 0)
        let song = file.data(withSMPTEResolution: 0, error: nil), beats = [0, 0.5, 3, -1, 1e300, .nan, .infinity]
        for seed in 0..<Dice.sequences(40) {
            var dice = Dice(state: UInt64(seed) &* 977 &+ 5), rendering = try Rendering()
            let units = seed % 32 == 0 ? [AVAudioUnitSampler(), AVAudioUnitReverb()] : [AVAudioUnitReverb()]
            var sequencers = [AVAudioSequencer(audioEngine: rendering.engine), AVAudioSequencer(audioEngine: rendering.engine)]
            let tracks = sequencers.map { $0.createAndAppendTrack() }
            weak let left = sequencers[0]
            sequencers[0].setUserCallback { track, _, beat in
                track.clearEvents(in: AVMakeBeatRange(beat, 0.1))
                track.destinationAudioUnit = nil
            }
            for _ in 0..<20 {
                let sequencer = dice.pick(sequencers), track = dice.pick(tracks + sequencer.tracks), beat = dice.pick(beats)
                let range = AVMakeBeatRange(beat, dice.pick(beats)), engine = rendering.engine, unit = dice.pick(units)
                switch dice.next(20) {
                case 0: do { try sequencer.start() } catch { #expect((error as NSError).code != 0) }
                case 1: sequencer.stop()
                case 2: sequencer.currentPositionInBeats = beat
                case 3: sequencer.rate = Float(beat)
                case 4: try sequencer.load(from: song, options: dice.pick([[], .smfChannelsToTracks]))
                case 5, 6: track.addEvent(note(UInt32(dice.pick([60, 127, 128])), dice.pick(beats)), at: beat)
                case 7: track.addEvent(AVMusicUserEvent(data: Data(count: dice.next(9))), at: beat)
                case 8: track.addEvent(AVParameterEvent(parameterID: 900, scope: 0, element: 9, value: .nan), at: beat)
                case 9: track.cutEvents(in: range)
                case 10: track.copyEvents(in: range, from: dice.pick(tracks), insertAt: beat)
                case 11: (track.loopRange, track.isLoopingEnabled, track.numberOfLoops) = (range, true, dice.next(3) - 1)
                case 12: (track.lengthInBeats, track.offsetTime) = (beat, dice.pick(beats))
                case 13: (track.isMuted, track.isSoloed) = (dice.next(2) == 0, dice.next(2) == 0)
                case 14: track.destinationAudioUnit = unit
                case 15: sequencer.removeTrack(track)
                case 16: dice.next(2) == 0 ? engine.attach(unit) : engine.detach(unit)
                case 17: engine.connect(unit, to: engine.mainMixerNode, format: nil)
                case 18: engine.stop()
                default:
                    _ = sequencer.seconds(forBeats: beat) + sequencer.beats(forHostTime: UInt64(dice.next(9)), error: nil)
                    track.enumerateEvents(in: range) { _, time, isRemoved in
                        time.pointee = beat
                        isRemoved.pointee = ObjCBool(dice.next(2) == 0)
                    }
                }
                if engine.isRunning { _ = try rendering.render(dice.pick([1, 512])) }
            }
            if !rendering.engine.isRunning { try rendering.engine.start() }
            try sequencers[1].start()
            #expect(try rendering.render(600)[0].allSatisfy(\.isFinite), "\(seed)")
            sequencers = []
            // Tracks that were left behind.
            for track in tracks { track.addEvent(note(60, 1), at: track.lengthInSeconds) }
            #expect(left == nil, "\(seed)")
        }
    }
}
