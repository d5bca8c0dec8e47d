import AudioToolbox
import Synchronization
import Testing

/// Sequences and their tracks: events of every kind there and back, edits, files, times.
@Suite struct MusicSequenceTests {
    @Test func constantsHaveTheValuesOfTwoBindings() {
        var count = 0
        MusicTable.forEach { name, value, fact in
            count += 1
            #expect(value == fact, "\(name)")
        }
        #expect(count > 30 && kMusicTimeStamp_EndOfTrack == 1e9)
        #expect(MemoryLayout<MIDINoteMessage>.size == 8 && MemoryLayout<MusicTrackLoopInfo>.size == 16)
    }

    @Test func eventsComeBackAsTheyWereAdded() throws {
        let music = try Music()
        var note = MIDINoteMessage(channel: 3, note: 60, velocity: 90, releaseVelocity: 20, duration: 0.75)
        #expect(MusicTrackNewMIDINoteEvent(music.track, 1.0 / 3, &note) == noErr)
        var program = MIDIChannelMessage(status: 0xC3, data1: 12, data2: 0, reserved: 0)
        #expect(MusicTrackNewMIDIChannelEvent(music.track, 0, &program) == noErr)
        let exclusive = Music.counted([0xF0, 0x7E, 0x7F, 9, 1, 0xF7])
        exclusive.withUnsafeBytes { bytes in
            let data = bytes.baseAddress!.assumingMemoryBound(to: MIDIRawData.self)
            #expect(MusicTrackNewMIDIRawDataEvent(music.track, 0.25, data) == noErr)
        }
        let user = Music.counted([1, 2, 3, 4, 5])
        user.withUnsafeBytes { bytes in
            let data = bytes.baseAddress!.assumingMemoryBound(to: MusicEventUserData.self)
            #expect(MusicTrackNewUserEvent(music.track, 2, data) == noErr)
        }
        let text = [6, 0, 0, 0] + Music.counted(Array("Coda".utf8))
        text.withUnsafeBytes { bytes in
            let data = bytes.baseAddress!.assumingMemoryBound(to: MIDIMetaEvent.self)
            #expect(MusicTrackNewMetaEvent(music.track, 3, data) == noErr)
        }
        #expect(MusicTrackNewExtendedTempoEvent(music.track, 0, 90) == kAudioToolboxErr_InvalidEventType)
        #expect(MusicTrackNewMIDINoteEvent(music.tempoTrack, 0, &note) == kAudioToolboxErr_InvalidEventType)
        #expect(MusicTrackNewExtendedTempoEvent(music.tempoTrack, 0, 90.5) == noErr)

        let events = music.events(of: music.track)
        #expect(events.map(\.beat) == [0, 0.25, 1.0 / 3, 2, 3])
        #expect(
            events.map(\.type) == [
                kMusicEventType_MIDIChannelMessage, kMusicEventType_MIDIRawData, kMusicEventType_MIDINoteMessage,
                kMusicEventType_User, kMusicEventType_Meta,
            ])
        #expect(events[0].data == [0xC3, 12, 0, 0] && events[1].data == exclusive)
        #expect(events[2].data == withUnsafeBytes(of: note) { [UInt8]($0) })
        #expect(events[3].data == user && events[4].data == text)
        #expect(music.events(of: music.tempoTrack)[0].data == withUnsafeBytes(of: 90.5) { [UInt8]($0) })
    }

    @Test func iteratorsMoveAndChange() throws {
        let music = try Music(notes: [(0, 60), (1, 62), (2, 64)])
        var iterator: MusicEventIterator?
        NewMusicEventIterator(music.track, &iterator)
        let it = try #require(iterator)
        var flag = DarwinBoolean(false)
        #expect(MusicEventIteratorPreviousEvent(it) == kAudioToolboxErr_StartOfTrack)
        MusicEventIteratorHasPreviousEvent(it, &flag)
        #expect(!flag.boolValue)
        MusicEventIteratorHasNextEvent(it, &flag)
        #expect(flag.boolValue)
        #expect(MusicEventIteratorSetEventTime(it, 5) == noErr)
        #expect(music.keys == [62, 64, 60])
        MusicEventIteratorHasNextEvent(it, &flag)
        #expect(!flag.boolValue)
        MusicEventIteratorSeek(it, 1.5)
        var note = MIDINoteMessage(channel: 0, note: 70, velocity: 90, releaseVelocity: 20, duration: 1)
        #expect(MusicEventIteratorSetEventInfo(it, kMusicEventType_MIDINoteMessage, &note) == noErr)
        #expect(music.keys == [62, 70, 60])
        #expect(MusicEventIteratorDeleteEvent(it) == noErr)
        #expect(music.keys == [62, 60])
        MusicEventIteratorSeek(it, kMusicTimeStamp_EndOfTrack)
        MusicEventIteratorHasCurrentEvent(it, &flag)
        #expect(!flag.boolValue && MusicEventIteratorNextEvent(it) == kAudioToolboxErr_EndOfTrack)
        #expect(MusicEventIteratorDeleteEvent(it) == kAudioToolboxErr_EndOfTrack)
        #expect(MusicEventIteratorPreviousEvent(it) == noErr)
        #expect(MusicSequenceDisposeTrack(music.sequence, music.track) == noErr)
        #expect(MusicEventIteratorNextEvent(it) == kAudioToolboxErr_TrackNotFound)
        #expect(DisposeMusicEventIterator(it) == noErr && DisposeMusicEventIterator(it) == kAudio_ParamError)
    }

    @Test func tracksAreCutCopiedAndMerged() throws {
        let music = try Music(notes: [(0, 60), (1, 62), (2, 64), (3, 65)])
        var other: MusicTrack?
        MusicSequenceNewTrack(music.sequence, &other)
        let second = try #require(other)
        #expect(MusicTrackMerge(music.track, 1, 3, second, 4) == noErr)
        #expect(music.events(of: second).map(\.beat) == [4, 5])
        #expect(MusicTrackCopyInsert(music.track, 0, 1, second, 4.5) == noErr)
        #expect(music.events(of: second).map(\.beat) == [4, 4.5, 6])
        #expect(MusicTrackMoveEvents(music.track, 0, 1, 2.5) == noErr && music.keys == [62, 64, 60, 65])
        #expect(MusicTrackCut(music.track, 2, 3) == noErr)
        #expect(music.events(of: music.track).map(\.beat) == [1, 2])
        #expect(MusicTrackClear(music.track, 0, 1.5) == noErr && music.events(of: music.track).map(\.beat) == [2])
        #expect(
            MusicTrackClear(music.track, 2, 1) == kAudio_ParamError && MusicTrackCut(music.track, .nan, 1) == kAudio_ParamError)
        var place: UInt32 = 9, found: MusicTrack?, owner: MusicSequence?
        MusicSequenceGetTrackIndex(music.sequence, second, &place)
        MusicTrackGetSequence(second, &owner)
        #expect(place == 1 && owner == music.sequence)
        #expect(MusicSequenceGetIndTrack(music.sequence, 2, &found) == kAudioToolboxErr_TrackIndexError)
    }

    @Test func propertiesAreKept() throws {
        let music = try Music(notes: [(0, 60), (3, 62)])
        func get<Value>(_ property: UInt32, _ value: Value) -> Value {
            var value = value, size = UInt32(MemoryLayout<Value>.size)
            let status = withUnsafeMutableBytes(of: &value) {
                MusicTrackGetProperty(music.track, property, $0.baseAddress!, &size)
            }
            #expect(status == noErr)
            return value
        }
        #expect(get(kSequenceTrackProperty_TrackLength, MusicTimeStamp(0)) == 3.5)
        var length: MusicTimeStamp = 8, loop = MusicTrackLoopInfo(loopDuration: 4, numberOfLoops: 3), mute = DarwinBoolean(true)
        var offset: MusicTimeStamp = 0.5
        MusicTrackSetProperty(music.track, kSequenceTrackProperty_TrackLength, &length, 8)
        MusicTrackSetProperty(music.track, kSequenceTrackProperty_LoopInfo, &loop, UInt32(MemoryLayout<MusicTrackLoopInfo>.size))
        MusicTrackSetProperty(music.track, kSequenceTrackProperty_MuteStatus, &mute, 1)
        MusicTrackSetProperty(music.track, kSequenceTrackProperty_OffsetTime, &offset, 8)
        #expect(get(kSequenceTrackProperty_TrackLength, MusicTimeStamp(0)) == 8)
        #expect(get(kSequenceTrackProperty_LoopInfo, MusicTrackLoopInfo()).numberOfLoops == 3)
        #expect(get(kSequenceTrackProperty_MuteStatus, DarwinBoolean(false)).boolValue)
        #expect(get(kSequenceTrackProperty_OffsetTime, MusicTimeStamp(0)) == 0.5)
        #expect(get(kSequenceTrackProperty_TimeResolution, Int16(0)) == 480)
        #expect(MusicTrackSetProperty(music.track, kSequenceTrackProperty_TrackLength, &length, 4) == kAudio_ParamError)
        // Size 0 is the value's own, as public programs have it.
        var size: UInt32 = 0
        length = 9
        #expect(MusicTrackSetProperty(music.track, kSequenceTrackProperty_TrackLength, &length, 0) == noErr)
        length = 0
        #expect(MusicTrackGetProperty(music.track, kSequenceTrackProperty_TrackLength, &length, &size) == noErr)
        #expect(length == 9 && size == 8)
        #expect(MusicTrackSetProperty(music.track, 77, &length, 8) == kAudio_ParamError)
        var node: AUNode = 0
        #expect(MusicTrackSetDestNode(music.track, 1) == kAudioToolboxErr_IllegalTrackDestination)
        #expect(MusicTrackGetDestNode(music.track, &node) == kAudioToolboxError_NoTrackDestination)
    }

    @Test func aFileHoldsTheSequence() throws {
        let music = try Music(notes: [(0, 60), (1.5, 62)]), folder = try SoundFolder()
        MusicTrackNewExtendedTempoEvent(music.tempoTrack, 0, 100)
        let url = folder.url("song.mid") as CFURL
        #expect(MusicSequenceFileCreate(music.sequence, url, .midiType, .eraseFile, 960) == noErr)
        #expect(MusicSequenceFileCreate(music.sequence, url, .midiType, [], 960) == -48)
        let copy = try Music(isEmpty: true)
        #expect(MusicSequenceFileLoad(copy.sequence, url, .midiType, []) == noErr)
        var count: UInt32 = 0, track: MusicTrack?
        MusicSequenceGetTrackCount(copy.sequence, &count)
        MusicSequenceGetIndTrack(copy.sequence, 0, &track)
        #expect(count == 1)
        let events = copy.events(of: try #require(track))
        #expect(events.map(\.beat) == [0, 1.5] && events.map(\.data) == music.events(of: music.track).map(\.data))
        let tempo = try #require(copy.events(of: copy.tempoTrack).first?.data)
        #expect(abs(tempo.withUnsafeBytes { $0.loadUnaligned(as: Float64.self) } - 100) < 1e-9)

        var data: Unmanaged<CFData>?
        #expect(MusicSequenceFileCreateData(music.sequence, .midiType, .eraseFile, 480, &data) == noErr)
        let bytes = try #require(data).takeRetainedValue()
        #expect([UInt8](bytes as Data).prefix(4) == [0x4D, 0x54, 0x68, 0x64])
        #expect(MusicSequenceFileLoadData(copy.sequence, bytes, .anyType, .smf_ChannelsToTracks) == noErr)
        MusicSequenceGetTrackCount(copy.sequence, &count)
        #expect(count == 2)
        let wrong = MusicSequenceFileLoadData(copy.sequence, Data([1, 2, 3]) as CFData, .midiType, [])
        #expect(wrong == kAudioToolboxErr_InvalidSequenceType)
        #expect(MusicSequenceFileLoad(copy.sequence, folder.url("none.mid") as CFURL, .midiType, []) == kAudio_FileNotFoundError)
        #expect(MusicSequenceFileCreate(music.sequence, url, .iMelodyType, .eraseFile, 0) == kAudio_UnimplementedError)
    }

    @Test func timesAndBarsConvert() throws {
        let music = try Music(isEmpty: true)
        MusicTrackNewExtendedTempoEvent(music.tempoTrack, 0, 60)
        MusicTrackNewExtendedTempoEvent(music.tempoTrack, 4, 120)
        let meter: [UInt8] = [0x58, 0, 0, 0] + Music.counted([6, 3, 24, 8])
        meter.withUnsafeBytes { bytes in
            let data = bytes.baseAddress!.assumingMemoryBound(to: MIDIMetaEvent.self)
            #expect(MusicTrackNewMetaEvent(music.tempoTrack, 8, data) == noErr)
        }
        var seconds = 0.0, beats = 0.0
        MusicSequenceGetSecondsForBeats(music.sequence, 6, &seconds)
        MusicSequenceGetBeatsForSeconds(music.sequence, 5, &beats)
        #expect(seconds == 5 && beats == 6)
        var place = CABarBeatTime()
        MusicSequenceBeatsToBarBeatTime(music.sequence, 5.5, 480, &place)
        #expect(place.bar == 2 && place.beat == 2 && place.subbeat == 240)
        MusicSequenceBeatsToBarBeatTime(music.sequence, 11.5, 480, &place)
        #expect(place.bar == 4 && place.beat == 2 && place.subbeat == 0)
        MusicSequenceBarBeatTimeToBeats(music.sequence, &place, &beats)
        #expect(beats == 11.5)
        #expect(MusicSequenceSetSMPTEResolution(25, 96) == -6304)
        let turned = try Music(notes: [(0, 60), (1, 62)])
        MusicSequenceReverse(turned.sequence)
        #expect(turned.keys == [62, 60] && turned.events(of: turned.track).map(\.beat) == [0, 1])
    }
}

/// A sequence with one track, and what is read of it.
final class Music {
    let sequence: MusicSequence
    let tempoTrack: MusicTrack
    private let first: MusicTrack?

    init(notes: [(beat: Double, key: UInt8)] = [], length: Float = 0.5, isEmpty: Bool = false) throws {
        var sequence: MusicSequence?, tempo: MusicTrack?, track: MusicTrack?
        NewMusicSequence(&sequence)
        self.sequence = try #require(sequence)
        MusicSequenceGetTempoTrack(self.sequence, &tempo)
        tempoTrack = try #require(tempo)
        if !isEmpty { MusicSequenceNewTrack(self.sequence, &track) }
        first = track
        for (beat, key) in notes { add(key, at: beat, length: length) }
    }

    deinit { DisposeMusicSequence(sequence) }

    var track: MusicTrack { first! }

    func add(_ key: UInt8, at beat: Double, length: Float = 0.5, channel: UInt8 = 0) {
        var note = MIDINoteMessage(channel: channel, note: key, velocity: 100, releaseVelocity: 64, duration: length)
        MusicTrackNewMIDINoteEvent(track, beat, &note)
    }

    /// Data with its length before it.
    static func counted(_ bytes: [UInt8]) -> [UInt8] { withUnsafeBytes(of: UInt32(bytes.count)) { [UInt8]($0) } + bytes }

    var keys: [UInt8] { events(of: track).map { $0.data[1] } }

    func events(of track: MusicTrack) -> [(beat: Double, type: MusicEventType, data: [UInt8])] {
        var iterator: MusicEventIterator?, found: [(Double, MusicEventType, [UInt8])] = [], has = DarwinBoolean(false)
        NewMusicEventIterator(track, &iterator)
        guard let iterator else { return [] }
        defer { DisposeMusicEventIterator(iterator) }
        MusicEventIteratorHasCurrentEvent(iterator, &has)
        while has.boolValue {
            var beat = 0.0, type: MusicEventType = 0, data: UnsafeRawPointer?, size: UInt32 = 0
            MusicEventIteratorGetEventInfo(iterator, &beat, &type, &data, &size)
            found.append((beat, type, [UInt8](UnsafeRawBufferPointer(start: data, count: Int(size)))))
            MusicEventIteratorNextEvent(iterator)
            MusicEventIteratorHasCurrentEvent(iterator, &has)
        }
        return found
    }
}
