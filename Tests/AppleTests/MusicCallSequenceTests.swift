import AudioToolbox
import Synchronization
import Testing

/// Calls on sequences, tracks, iterators and players in any order, half of them with what cannot be: an error code each.
@Suite struct MusicCallSequenceTests {
    private struct Dice {
        var state: UInt64

        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }

        /// One of these, or none that is a handle.
        mutating func handle(_ choices: [OpaquePointer]) -> OpaquePointer {
            next(8) == 0 ? OpaquePointer(bitPattern: 0x10)! : pick(choices)
        }

        mutating func pick<Element>(_ choices: [Element]) -> Element { choices[next(choices.count)] }
    }

    @Test(arguments: [1, 2] as [UInt64]) func everyCallAnswers(_ seed: UInt64) {
        var dice = Dice(state: seed), good = 0, bad = 0
        // Unaligned on purpose.
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: 256)
        defer { memory.deallocate() }
        for _ in 0..<5_000 {
            var sequences: [OpaquePointer] = [], tracks = sequences, iterators = sequences, players = sequences
            var made: OpaquePointer?
            if NewMusicSequence(&made) == noErr { sequences.append(made!) }
            if MusicSequenceNewTrack(made!, &made) == noErr { tracks.append(made!) }
            if NewMusicEventIterator(made!, &made) == noErr { iterators.append(made!) }
            if NewMusicPlayer(&made) == noErr { players.append(made!) }
            for _ in 0..<20 {
                let sequence = dice.handle(sequences), track = dice.handle(tracks), player = dice.handle(players)
                let iterator = dice.handle(iterators), other = dice.handle(tracks)
                let beat = dice.pick([0, 0.5, 1, 2, 3.25, 8, 16, 25, 100, -1, 1e9, .nan] as [Double])
                let data = memory + dice.pick([0, 1, 8])
                for place in 0..<24 {
                    data.storeBytes(of: UInt8(dice.next(3) == 0 ? dice.next(100) : 0), toByteOffset: place, as: UInt8.self)
                }
                data.storeBytes(of: UInt8(dice.pick([0x90, 0xC0, 0, 6])), as: UInt8.self)
                // No length beyond the memory.
                for place in 1..<4 { data.storeBytes(of: 0, toByteOffset: place, as: UInt8.self) }
                for place in 5..<8 { data.storeBytes(of: 0, toByteOffset: place, as: UInt8.self) }
                var number = UInt32(dice.pick([16, 16, 8, 1])), size: UInt32 = 0, time = 0.0, flag = DarwinBoolean(false),
                    found: UnsafeRawPointer?
                made = nil
                let status: OSStatus
                let call = dice.next(150) < 148 ? dice.next(28) : 28 + dice.next(2)
                switch call {
                case 0: status = MusicSequenceNewTrack(sequence, &made)
                case 1: status = NewMusicEventIterator(track, &made)
                case 2: status = MusicTrackNewMIDINoteEvent(track, beat, data.assumingMemoryBound(to: MIDINoteMessage.self))
                case 3: status = MusicTrackNewMIDIChannelEvent(track, beat, data.assumingMemoryBound(to: MIDIChannelMessage.self))
                case 4: status = MusicTrackNewMIDIRawDataEvent(track, beat, data.assumingMemoryBound(to: MIDIRawData.self))
                case 5: status = MusicTrackNewMetaEvent(track, beat, data.assumingMemoryBound(to: MIDIMetaEvent.self))
                case 6: status = MusicTrackNewUserEvent(track, beat, data.assumingMemoryBound(to: MusicEventUserData.self))
                case 7: status = MusicTrackNewExtendedTempoEvent(track, beat, dice.pick([60, 0, -1, .nan]))
                case 8: status = MusicTrackClear(track, beat, beat + 1)
                case 9: status = MusicTrackCut(track, 0, beat)
                case 10: status = MusicTrackMoveEvents(track, 0, 2, beat)
                case 11: status = MusicTrackMerge(track, 0, 2, other, beat)
                case 12: status = MusicTrackCopyInsert(track, 0, beat, other, 1)
                case 13: status = MusicTrackSetProperty(track, UInt32(dice.next(9)), data, UInt32(dice.pick([8, 16, 16, 1])))
                case 14: status = MusicTrackGetProperty(track, UInt32(dice.next(9)), data, &number)
                case 15: status = MusicEventIteratorNextEvent(iterator)
                case 16: status = MusicEventIteratorPreviousEvent(iterator)
                case 17: status = MusicEventIteratorSeek(iterator, beat)
                case 18: status = MusicEventIteratorGetEventInfo(iterator, &time, &number, &found, &size)
                case 19: status = MusicEventIteratorSetEventInfo(iterator, UInt32(dice.next(12)), data)
                case 20: status = MusicEventIteratorSetEventTime(iterator, beat)
                case 21: status = MusicEventIteratorDeleteEvent(iterator)
                case 22: status = MusicEventIteratorHasNextEvent(iterator, &flag)
                case 23: status = MusicPlayerSetSequence(player, dice.next(3) == 0 ? nil : sequence)
                case 24: status = MusicPlayerSetTime(player, beat)
                case 25: status = MusicPlayerGetTime(player, &time)
                case 26: status = MusicSequenceGetTempoTrack(sequence, &made)
                case 27: status = MusicSequenceReverse(sequence)
                case 28: status = MusicSequenceDisposeTrack(sequence, track)
                default: status = DisposeMusicSequence(sequence)
                }
                if status == noErr { good += 1 } else { bad += 1 }
                if let made { if call == 1 { iterators.append(made) } else { tracks.append(made) } }
            }
            for handle in players { DisposeMusicPlayer(handle) }
            for handle in iterators { DisposeMusicEventIterator(handle) }
            for handle in sequences { DisposeMusicSequence(handle) }
        }
        #expect(good > 50_000 && bad > 20_000, "\(good) good, \(bad) bad")
    }

    @Test func threadsShareASequence() throws {
        let music = try Music(), number = Int(bitPattern: music.track)
        DispatchQueue.concurrentPerform(iterations: 4) { turn in
            guard let track = MusicTrack(bitPattern: number) else { return }
            for step in 0..<200 {
                var note = MIDINoteMessage(channel: 0, note: UInt8(step % 128), velocity: 90, releaseVelocity: 0, duration: 1)
                MusicTrackNewMIDINoteEvent(track, Double(turn), &note)
                if step % 10 == 9 { MusicTrackMoveEvents(track, Double(turn), Double(turn) + 0.5, 0) }
            }
        }
        #expect(music.keys.count == 800)
    }
}
