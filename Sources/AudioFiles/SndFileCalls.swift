import CSndFile
import DSP
import Synchronization

/// The calls of libsndfile, all of them, with those on packets in the other file: nothing else in the package imports it.
enum SndFileCalls {
    typealias File = OpaquePointer
    typealias Opened = (file: File, channels: Int, sampleRate: Int, frames: Int64)

    static var library: String { String(cString: sf_version_string()) }

    /// Returns true if this libsndfile was built with the container and knows the combination.
    static func canWrite(_ format: AudioFileFormat, channels: Int, sampleRate: Int) -> Bool {
        var info = description(of: format, channels: channels, sampleRate: sampleRate)
        let major = info.format & Int32(SF_FORMAT_TYPEMASK)
        // sf_format_check also accepts what was left out of the build, so the list of containers is asked first.
        return containers.contains(major) && sf_format_check(&info) == 1
    }

    static let containers: [Int32] = {
        var count: Int32 = 0
        sf_command(nil, Int32(SFC_GET_FORMAT_MAJOR_COUNT), &count, Int32(MemoryLayout<Int32>.size))
        return (0..<max(count, 0)).map { index in
            var format = SF_FORMAT_INFO()
            format.format = index
            let size = Int32(MemoryLayout<SF_FORMAT_INFO>.size)
            return sf_command(nil, Int32(SFC_GET_FORMAT_MAJOR), &format, size) == 0 ? format.format : 0
        }
    }()

    private static func description(of format: AudioFileFormat, channels: Int, sampleRate: Int) -> SF_INFO {
        var info = SF_INFO()
        info.channels = Int32(clamping: channels)
        info.samplerate = Int32(clamping: sampleRate)
        info.format = container(format.container, channels) | encoding(format)
        return info
    }

    static func container(_ container: AudioFileFormat.Container, _ channels: Int) -> Int32 {
        switch container {
        // More than two channels need the extensible header, which names the speakers.
        case .wav: Int32(channels > 2 ? SF_FORMAT_WAVEX : SF_FORMAT_WAV)
        case .rf64: Int32(SF_FORMAT_RF64)
        case .w64: Int32(SF_FORMAT_W64)
        case .aiff: Int32(SF_FORMAT_AIFF)
        case .au: Int32(SF_FORMAT_AU)
        case .caf: Int32(SF_FORMAT_CAF)
        // Without a header the byte order is not recorded, so it must not depend on the machine.
        case .raw: Int32(SF_FORMAT_RAW | SF_ENDIAN_LITTLE)
        case .flac: Int32(SF_FORMAT_FLAC)
        case .vorbis, .opus: Int32(SF_FORMAT_OGG)
        case .mp3: Int32(SF_FORMAT_MPEG)
        }
    }

    private static func encoding(_ format: AudioFileFormat) -> Int32 {
        switch (format.container, format.encoding) {
        case (.vorbis, _): Int32(SF_FORMAT_VORBIS)
        case (.opus, _): Int32(SF_FORMAT_OPUS)
        case (.mp3, _): Int32(SF_FORMAT_MPEG_LAYER_III)
        case (_, .int16), (_, nil): Int32(SF_FORMAT_PCM_16)
        case (_, .int24): Int32(SF_FORMAT_PCM_24)
        case (_, .float32): Int32(SF_FORMAT_FLOAT)
        }
    }

    /// Opens an encoder that writes to `sink`, which the caller keeps alive until `close`.
    static func open(
        _ format: AudioFileFormat, channels: Int, sampleRate: Int, sink: OutputSink, path: String
    ) throws(AudioFileError) -> File {
        var info = description(of: format, channels: channels, sampleRate: sampleRate)
        var calls = SF_VIRTUAL_IO(
            get_filelen: { user in user.map { outputSink($0).length } ?? -1 },
            seek: { offset, whence, user in user.map { outputSink($0).seek(to: offset, whence: whence) } ?? -1 },
            read: { _, _, _ in 0 },
            write: { bytes, count, user in
                guard let bytes, let user else { return 0 }
                return Int64(outputSink(user).write(UnsafeRawBufferPointer(start: bytes, count: Int(count))))
            },
            tell: { user in user.map { outputSink($0).position } ?? -1 })
        let user = Unmanaged.passUnretained(sink).toOpaque()
        var message = ""
        let opened = turn.withLock { _ in
            let file = sf_open_virtual(&calls, Int32(SFM_WRITE), &info, user)
            if file == nil { message = String(cString: sf_strerror(nil)) }
            return UInt(bitPattern: file)
        }
        guard let file = File(bitPattern: opened) else { throw .encoderRefused(path: path, format, message: message) }
        // The PEAK chunk of floating-point files carries the time of day.
        sf_command(file, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
        if format.container == .mp3 {
            var mode = Int32(format.bitRate == nil ? SF_BITRATE_MODE_VARIABLE : SF_BITRATE_MODE_AVERAGE)
            sf_command(file, Int32(SFC_SET_BITRATE_MODE), &mode, Int32(MemoryLayout<Int32>.size))
        }
        if var quality = format.quality ?? share(of: format, channels: channels, sampleRate: sampleRate) {
            sf_command(file, Int32(SFC_SET_VBR_ENCODING_QUALITY), &quality, Int32(MemoryLayout<Double>.size))
        }
        return file
    }

    /// Encoders are opened one at a time: the library keeps the reason for a refusal in one place for all.
    static let turn = Mutex<Void>(())

    /// A bit rate as libsndfile wants it: its place between the lowest and the highest.
    private static func share(of format: AudioFileFormat, channels: Int, sampleRate: Int) -> Double? {
        guard let rate = format.bitRate,
            let range = format.container.bitRates(channels: channels, sampleRate: sampleRate)
        else { return nil }
        return Double(rate - range.lowerBound) / Double(range.upperBound - range.lowerBound)
    }

    /// Makes an RF64 file a WAV file if it ends below 4 GiB. Must be called before the first frame.
    static func allowDowngradeToWAV(_ file: File) {
        sf_command(file, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE))
    }

    /// Sets the speaker of each channel, before the first frame. - Returns: whether the file will contain them.
    static func setChannelMap(_ file: File, _ speakers: [Speaker]) -> Bool {
        var map = speakers.map { Int32(number($0)) }
        let size = Int32(map.count * MemoryLayout<Int32>.size)
        return sf_command(file, Int32(SFC_SET_CHANNEL_MAP_INFO), &map, size) == Int32(SF_TRUE)
    }

    private static func number(_ speaker: Speaker) -> Int {
        switch speaker {
        case .frontLeft: SF_CHANNEL_MAP_LEFT
        case .frontRight: SF_CHANNEL_MAP_RIGHT
        case .centre: SF_CHANNEL_MAP_CENTER
        case .lowFrequency: SF_CHANNEL_MAP_LFE
        case .rearLeft: SF_CHANNEL_MAP_REAR_LEFT
        case .rearRight: SF_CHANNEL_MAP_REAR_RIGHT
        case .sideLeft: SF_CHANNEL_MAP_SIDE_LEFT
        case .sideRight: SF_CHANNEL_MAP_SIDE_RIGHT
        }
    }

    /// Sets the tags beside the sound, before the first frame; texts are in the letters of the file's kind.
    static func setTags(_ file: File, texts: [(name: AudioTags.Name, bytes: [UInt8])], cues: [AudioTags.Cue], isWAV: Bool) {
        for text in texts {
            text.bytes.withUnsafeBufferPointer { bytes in
                _ = (Array(bytes) + [0]).withUnsafeBytes {
                    sf_set_string(file, number(text.name), $0.bindMemory(to: CChar.self).baseAddress)
                }
            }
        }
        if cues.isEmpty { return }
        var points = CuePoints.bytes(cues)
        sf_command(file, Int32(SFC_SET_CUE), &points, Int32(points.count))
        if !isWAV { return }
        add(chunk: "LIST", CuePoints.labels(cues), to: file)
    }

    private static func number(_ name: AudioTags.Name) -> Int32 {
        switch name {
        case .title: Int32(SF_STR_TITLE)
        case .artist: Int32(SF_STR_ARTIST)
        case .album: Int32(SF_STR_ALBUM)
        case .track: Int32(SF_STR_TRACKNUMBER)
        case .genre: Int32(SF_STR_GENRE)
        case .date: Int32(SF_STR_DATE)
        case .comment: Int32(SF_STR_COMMENT)
        case .copyright: Int32(SF_STR_COPYRIGHT)
        case .license: Int32(SF_STR_LICENSE)
        }
    }

    /// Sets the frames that are to be repeated without end, before the first frame; the last one is excluded.
    static func setLoop(_ file: File, _ loop: Range<UInt32>) {
        // The words that `loop` reads. The key of the unchanged sound is middle C, for all velocities and keys.
        var words = [UInt32](repeating: 0, count: 68)
        words.withUnsafeMutableBytes { $0.copyBytes(from: [1, 0, 0, 0, 60, 0, 0, 127, 0, 127]) }
        words[0] = 1
        words[3] = 1
        (words[4], words[5], words[6]) = (UInt32(SF_LOOP_FORWARD), loop.lowerBound, loop.upperBound)
        sf_command(file, Int32(SFC_SET_INSTRUMENT), &words, Int32(words.count * 4))
    }

    static func updateHeader(_ file: File) { sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0) }

    static func write(_ file: File, _ samples: UnsafePointer<Int16>, frames: Int) -> Bool {
        sf_writef_short(file, samples, Int64(frames)) == Int64(frames)
    }

    /// Writes interleaved frames of left-aligned 32-bit integers. - Returns: whether all were taken.
    static func write(_ file: File, _ samples: UnsafePointer<Int32>, frames: Int) -> Bool {
        sf_writef_int(file, samples, Int64(frames)) == Int64(frames)
    }

    static func write(_ file: File, _ samples: UnsafePointer<Float>, frames: Int) -> Bool {
        sf_writef_float(file, samples, Int64(frames)) == Int64(frames)
    }

    /// The order of a file's channels; nil if it does not name them, or names speakers that no layout has.
    static func channelOrder(_ file: File, channels: Int) -> ChannelOrder? {
        if let speakers = channelMap(file, channels: channels) { return ChannelOrder(speakers) }
        guard let layout = SpeakerLayout(channels: channels) else { return nil }
        if channels <= 2 { return ChannelOrder(layout, in: .wav) }
        guard let kind = orderedKind(file) else { return nil }
        return kind.layouts.contains(layout) ? ChannelOrder(layout, in: kind) : nil
    }

    /// The order of WAVE for channels whose speakers the file does not name; nil if it does, or such a number has no usual order.
    static func usualOrder(_ file: File, channels: Int) -> ChannelOrder? {
        guard channels > 3, let layout = SpeakerLayout(channels: channels), orderedKind(file) == nil else { return nil }
        var map = [Int32](repeating: 0, count: channels)
        let size = Int32(channels * MemoryLayout<Int32>.size)
        let isTold = sf_command(file, Int32(SFC_GET_CHANNEL_MAP_INFO), &map, size) == Int32(SF_TRUE)
        return isTold && map.contains { $0 != 0 } ? nil : ChannelOrder(layout, in: .wav)
    }

    /// The kind of a file whose channels have one order for all files of their kind.
    private static func orderedKind(_ file: File) -> AudioFileFormat.Container? {
        let info = info(file)
        switch kind(info) {
        case SF_FORMAT_FLAC: return .flac
        case SF_FORMAT_OGG:
            return [SF_FORMAT_VORBIS, SF_FORMAT_OPUS].contains(Int(info.format) & SF_FORMAT_SUBMASK) ? .vorbis : nil
        default: return nil
        }
    }

    private static func channelMap(_ file: File, channels: Int) -> [Speaker]? {
        var map = [Int32](repeating: 0, count: channels)
        let size = Int32(channels * MemoryLayout<Int32>.size)
        guard sf_command(file, Int32(SFC_GET_CHANNEL_MAP_INFO), &map, size) == Int32(SF_TRUE) else { return nil }
        var speakers: [Speaker] = []
        for number in map {
            switch Int(number) {
            case SF_CHANNEL_MAP_LEFT, SF_CHANNEL_MAP_FRONT_LEFT: speakers.append(.frontLeft)
            case SF_CHANNEL_MAP_RIGHT, SF_CHANNEL_MAP_FRONT_RIGHT: speakers.append(.frontRight)
            case SF_CHANNEL_MAP_CENTER, SF_CHANNEL_MAP_FRONT_CENTER, SF_CHANNEL_MAP_MONO: speakers.append(.centre)
            case SF_CHANNEL_MAP_LFE: speakers.append(.lowFrequency)
            case SF_CHANNEL_MAP_REAR_LEFT: speakers.append(.rearLeft)
            case SF_CHANNEL_MAP_REAR_RIGHT: speakers.append(.rearRight)
            case SF_CHANNEL_MAP_SIDE_LEFT: speakers.append(.sideLeft)
            case SF_CHANNEL_MAP_SIDE_RIGHT: speakers.append(.sideRight)
            default: return nil
            }
        }
        return speakers
    }

    static func open(path: String) throws(AudioFileError) -> Opened {
        var info = SF_INFO()
        guard let file = sf_open(path, Int32(SFM_READ), &info) else {
            throw .unreadable(path: path, message: String(cString: sf_strerror(nil)))
        }
        return (file, Int(info.channels), Int(info.samplerate), info.frames)
    }

    /// Reads up to `frames` interleaved frames as 16-bit samples. Returns the number of frames read; 0 at the end.
    static func read(_ file: File, _ samples: UnsafeMutablePointer<Int16>, frames: Int) -> Int {
        Int(sf_readf_short(file, samples, Int64(frames)))
    }

    static func read(_ file: File, _ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        Int(sf_readf_float(file, samples, Int64(frames)))
    }

    /// What libsndfile knows of an open file; zeros where it cannot say.
    private static func info(_ file: File) -> SF_INFO {
        var info = SF_INFO()
        let code = sf_command(file, Int32(SFC_GET_CURRENT_SF_INFO), &info, Int32(MemoryLayout<SF_INFO>.size))
        return code == 0 ? info : SF_INFO()
    }

    private static func kind(_ info: SF_INFO) -> Int { Int(info.format) & SF_FORMAT_TYPEMASK }

    static func isSeekable(_ file: File) -> Bool { info(file).seekable != 0 }

    static func isFLAC(_ file: File) -> Bool { kind(info(file)) == SF_FORMAT_FLAC }

    /// Returns true if the decoder's output also depends on earlier frames.
    static func needsRunUp(_ file: File) -> Bool { [SF_FORMAT_OGG, SF_FORMAT_MPEG].contains(kind(info(file))) }

    /// Makes `frame` the next that is read. - Returns: libsndfile's text if that failed.
    static func seek(_ file: File, to frame: Int64) -> String? {
        sf_seek(file, frame, Int32(SF_SEEK_SET)) == frame ? nil : message(file) ?? "frame \(frame) cannot be reached"
    }

    /// Start and end of the first loop of the file's instrument chunk; nil without one.
    static func loop(_ file: File) -> (start: UInt32, end: UInt32)? {
        // SF_INSTRUMENT as words, since its loops have a type without a name, which Swift does not see: gain, six bytes and
        // two of padding, how many loops, then mode, start, end and count of each of sixteen.
        var words = [UInt32](repeating: 0, count: 68)
        let count = Int32(words.count * 4)
        guard sf_command(file, Int32(SFC_GET_INSTRUMENT), &words, count) == Int32(SF_TRUE), words[3] > 0,
            words[4] != UInt32(SF_LOOP_NONE)
        else { return nil }
        return (words[5], words[6])
    }

    /// The texts and cue points of a file. The texts are as their kind of file has them, read as UTF-8.
    static func tags(_ file: File) -> AudioTags {
        var tags = AudioTags()
        for name in AudioTags.Name.allCases {
            // An ID3 tag has places without a text.
            if let text = sf_get_string(file, number(name)), text.pointee != 0 { tags.texts[name] = String(cString: text) }
        }
        var points = [UInt8](repeating: 0, count: CuePoints.size(AudioTags.mostCues))
        if sf_command(file, Int32(SFC_GET_CUE), &points, Int32(points.count)) == Int32(SF_TRUE) {
            tags.cues = CuePoints.cues(points)
        }
        return tags
    }

    /// libsndfile's text for the last error of `file`, nil if there was none.
    static func message(_ file: File) -> String? {
        sf_error(file) == 0 ? nil : String(cString: sf_strerror(file))
    }

    /// Ends the file; what its encoder still holds is written. - Returns: libsndfile's text if that failed.
    static func close(_ file: File) -> String? {
        let code = sf_close(file)
        return code == 0 ? nil : String(cString: sf_error_number(code))
    }
}

/// The sink of a callback's pointer; a free function, for a C callback cannot capture a type.
private func outputSink(_ user: UnsafeMutableRawPointer) -> OutputSink {
    Unmanaged<OutputSink>.fromOpaque(user).takeUnretainedValue()
}
