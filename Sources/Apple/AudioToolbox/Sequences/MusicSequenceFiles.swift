internal import MIDI
internal import Sequencer
internal import SongFiles

/// Adds the tracks of a MIDI file to a sequence.
@discardableResult public func MusicSequenceFileLoad(
    _ inSequence: MusicSequence, _ inFileRef: CFURL, _ inFileTypeHint: MusicSequenceFileTypeID, _ inFlags: MusicSequenceLoadFlags
) -> OSStatus {
    guard inFileTypeHint != .iMelodyType else { return kAudio_UnimplementedError }
    guard inFileRef.isFileURL, let path = inFileRef.path else { return kAudio_BadFilePathError }
    guard FileManager.default.fileExists(atPath: path) else { return kAudio_FileNotFoundError }
    return load(inSequence, inFlags) { try SongReader.read(path: path).song }
}

/// Adds the tracks of a MIDI file in memory to a sequence.
@discardableResult public func MusicSequenceFileLoadData(
    _ inSequence: MusicSequence, _ inData: CFData, _ inFileTypeHint: MusicSequenceFileTypeID, _ inFlags: MusicSequenceLoadFlags
) -> OSStatus {
    guard inFileTypeHint != .iMelodyType else { return kAudio_UnimplementedError }
    return load(inSequence, inFlags) { try SongReader.read(bytes: [UInt8](inData as Data), name: "the data").song }
}

private func load(_ handle: MusicSequence, _ flags: MusicSequenceLoadFlags, _ read: () throws -> Song) -> OSStatus {
    let song: Song
    do { song = try read() } catch { return kAudioToolboxErr_InvalidSequenceType }
    return Handles.run(handle, SequenceObject.self) { sequence in
        let loaded = Song.Arrangement(song)
        for event in loaded.tempoTrack.events { sequence.tempoTrack.music.add(event) }
        if sequence.tempoTrack.music.name.isEmpty { sequence.tempoTrack.music.name = loaded.tempoTrack.name }
        var resolution: Int16 = 480
        if case .ticksPerQuarter(let ticks) = song.division { resolution = Int16(clamping: ticks) }
        sequence.tempoTrack.resolution = resolution
        let tracks = flags.contains(.smf_ChannelsToTracks) ? loaded.channels : loaded.tracks
        for music in tracks {
            // Apple's events have a channel and no port.
            var music = music
            music.replace(music.events.map { EngineEvent($0.beat, $0.kind.sounding(on: 0)) })
            sequence.addTrack(music).resolution = resolution
        }
        sequence.changed()
    }
}

extension Song.Arrangement {
    /// A track for each channel that is used, and one for all that has no channel, if there is any.
    fileprivate var channels: [EngineTrack] {
        var channels: [UInt8: EngineTrack] = [:], rest = EngineTrack()
        for track in tracks {
            for event in track.events {
                switch event.kind {
                case .note(let note): channels[note.part & 15, default: EngineTrack()].add(event)
                case .message(let message): channels[message.channel, default: EngineTrack()].add(event)
                case .systemExclusive, .tempo, .meter, .cue, .silent: rest.add(event)
                }
            }
        }
        for channel in channels.keys { channels[channel]?.leastLength = tracks.reduce(0) { max($0, $1.length) } }
        return channels.sorted { $0.key < $1.key }.map(\.value) + (rest.events.isEmpty ? [] : [rest])
    }
}

/// Writes a sequence as a MIDI file of format 1; user events, loops and offsets are left out. Resolution 0 is 480.
@discardableResult public func MusicSequenceFileCreate(
    _ inSequence: MusicSequence, _ inFileRef: CFURL, _ inFileType: MusicSequenceFileTypeID, _ inFlags: MusicSequenceFileFlags,
    _ inResolution: Int16
) -> OSStatus {
    guard inFileRef.isFileURL, let path = inFileRef.path else { return kAudio_BadFilePathError }
    var written: [UInt8] = []
    let status = bytes(inSequence, inFileType, inResolution, &written)
    if status != noErr { return status }
    let options: Data.WritingOptions = inFlags.contains(.eraseFile) ? [] : .withoutOverwriting
    do { try Data(written).write(to: inFileRef as URL, options: options) } catch {
        return FileManager.default.fileExists(atPath: path) && !inFlags.contains(.eraseFile)
            ? dupFNErr : kAudio_FilePermissionError
    }
    return noErr
}

/// Writes a sequence as the data of a MIDI file, which the caller releases.
@discardableResult public func MusicSequenceFileCreateData(
    _ inSequence: MusicSequence, _ inFileType: MusicSequenceFileTypeID, _ inFlags: MusicSequenceFileFlags, _ inResolution: Int16,
    _ outData: UnsafeMutablePointer<Unmanaged<CFData>?>
) -> OSStatus {
    outData.pointee = nil
    var written: [UInt8] = []
    let status = bytes(inSequence, inFileType, inResolution, &written)
    if status == noErr { outData.pointee = Unmanaged.passRetained(Data(written) as NSData) }
    return status
}

private let dupFNErr: OSStatus = -48

private func bytes(
    _ handle: MusicSequence, _ type: MusicSequenceFileTypeID, _ resolution: Int16, _ written: inout [UInt8]
) -> OSStatus {
    guard type == .midiType || type == .anyType else { return kAudio_UnimplementedError }
    guard resolution >= 0 else { return kAudio_UnimplementedError }
    return Handles.run(handle, SequenceObject.self) { sequence in
        guard sequence.type == .beats else { throw Refusal(kAudioToolboxErr_InvalidSequenceType) }
        let music = Song.Arrangement(tracks: sequence.tracks.map(\.music), tempoTrack: sequence.tempoTrack.music)
        do { written = try SongWriter.bytes(of: music.song(ticksPerQuarter: resolution == 0 ? 480 : Int(resolution))) } catch {
            throw Refusal(kAudioToolboxErr_InvalidEventType)
        }
    }
}
