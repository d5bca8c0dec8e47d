import CSndFile

/// Files in any bytes, with what stands around their packets.
extension SndFileCalls {
    /// Opens bytes to be read, or changed; the caller keeps `cursor` alive until `close`.
    static func open(_ cursor: ByteCursor, writes: Bool = false) throws(PacketFile.Refusal) -> Opened {
        var info = SF_INFO()
        let file = try open(cursor, writes ? SFM_RDWR : SFM_READ, &info)
        return (file, Int(info.channels), Int(info.samplerate), info.frames)
    }

    /// Begins a file in bytes, as `open` takes them.
    static func create(
        _ form: SoundForm, _ cursor: ByteCursor, channels: Int, sampleRate: Int
    ) throws(PacketFile.Refusal) -> File {
        var info = description(of: form, channels: channels, sampleRate: sampleRate)
        let file = try open(cursor, SFM_WRITE, &info)
        sf_command(file, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
        sf_command(file, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
        if var quality = form.container.defaultQuality {
            var mode = Int32(SF_BITRATE_MODE_VARIABLE)
            sf_command(file, Int32(SFC_SET_BITRATE_MODE), &mode, Int32(MemoryLayout<Int32>.size))
            sf_command(file, Int32(SFC_SET_VBR_ENCODING_QUALITY), &quality, Int32(MemoryLayout<Double>.size))
        }
        return file
    }

    private static func open(_ cursor: ByteCursor, _ mode: Int, _ info: inout SF_INFO) throws(PacketFile.Refusal) -> File {
        var calls = SF_VIRTUAL_IO(
            get_filelen: { user in user.map { byteCursor($0).bytes.size } ?? -1 },
            seek: { offset, whence, user in user.map { byteCursor($0).seek(to: offset, whence: whence) } ?? -1 },
            read: { buffer, count, user in
                guard let buffer, let user else { return 0 }
                return byteCursor(user).read(buffer, count)
            },
            write: { buffer, count, user in
                guard let buffer, let user else { return 0 }
                return Int64(byteCursor(user).write(UnsafeRawBufferPointer(start: buffer, count: Int(count))))
            },
            tell: { user in user.map { byteCursor($0).position } ?? -1 })
        let user = Unmanaged.passUnretained(cursor).toOpaque()
        var wanted = info, code: Int32 = 0
        let opened = turn.withLock { _ in
            let file = sf_open_virtual(&calls, Int32(mode), &wanted, user)
            if file == nil { code = sf_error(nil) }
            return UInt(bitPattern: file)
        }
        info = wanted
        if let file = File(bitPattern: opened) { return file }
        switch code {
        case Int32(SF_ERR_UNRECOGNISED_FORMAT): throw .isNoAudio
        case Int32(SF_ERR_UNSUPPORTED_ENCODING): throw .isNotOffered
        default: throw .isDamaged
        }
    }

    /// How an open file holds its sound; nil for a container that `AudioFileFormat` does not know.
    static func form(_ file: File) -> SoundForm? {
        var info = SF_INFO()
        let size = Int32(MemoryLayout<SF_INFO>.size)
        guard sf_command(file, Int32(SFC_GET_CURRENT_SF_INFO), &info, size) == 0 else { return nil }
        let coding = codings.first { $0.number == info.format & Int32(SF_FORMAT_SUBMASK) }?.coding ?? .other
        var major = info.format & Int32(SF_FORMAT_TYPEMASK)
        if major == Int32(SF_FORMAT_WAVEX) { major = Int32(SF_FORMAT_WAV) }
        let found = AudioFileFormat.Container.allCases.first { container($0, 1) & Int32(SF_FORMAT_TYPEMASK) == major }
        guard let found else { return nil }
        let isSwapped = sf_command(file, Int32(SFC_RAW_DATA_NEEDS_ENDSWAP), nil, 0) == Int32(SF_TRUE)
        return SoundForm(coding == .opus ? .opus : found, coding, isBigEndian: isSwapped)
    }

    private static let codings: [(coding: SoundForm.Coding, number: Int32)] = [
        (.int8, SF_FORMAT_PCM_S8), (.uint8, SF_FORMAT_PCM_U8), (.int16, SF_FORMAT_PCM_16), (.int24, SF_FORMAT_PCM_24),
        (.int32, SF_FORMAT_PCM_32), (.float32, SF_FORMAT_FLOAT), (.float64, SF_FORMAT_DOUBLE), (.muLaw, SF_FORMAT_ULAW),
        (.aLaw, SF_FORMAT_ALAW), (.ima4, SF_FORMAT_IMA_ADPCM), (.alac16, SF_FORMAT_ALAC_16), (.alac20, SF_FORMAT_ALAC_20),
        (.alac24, SF_FORMAT_ALAC_24), (.alac32, SF_FORMAT_ALAC_32), (.vorbis, SF_FORMAT_VORBIS), (.opus, SF_FORMAT_OPUS),
        (.mp3, SF_FORMAT_MPEG_LAYER_III),
    ].map { ($0, Int32($1)) }

    private static func description(of form: SoundForm, channels: Int, sampleRate: Int) -> SF_INFO {
        var info = SF_INFO()
        info.channels = Int32(clamping: channels)
        info.samplerate = Int32(clamping: sampleRate)
        info.format = container(form.container, channels) | (codings.first { $0.coding == form.coding }?.number ?? 0)
        // Each kind of file has an order of its own, and some have both.
        let isBig = [.aiff, .au, .caf].contains(form.container)
        if [.int16, .int24, .int32, .float32, .float64].contains(form.coding), form.isBigEndian != isBig {
            info.format |= Int32(isBig ? SF_ENDIAN_LITTLE : SF_ENDIAN_BIG)
        }
        return info
    }

    static func canWrite(_ form: SoundForm, channels: Int, sampleRate: Int) -> Bool {
        var info = description(of: form, channels: channels, sampleRate: sampleRate)
        return containers.contains(info.format & Int32(SF_FORMAT_TYPEMASK)) && sf_format_check(&info) == 1
    }

    static func chunk(_ file: File, _ name: String) -> [UInt8] {
        var wanted = SF_CHUNK_INFO()
        withUnsafeMutableBytes(of: &wanted.id) { $0.copyBytes(from: name.utf8.prefix(4)) }
        wanted.id_size = 4
        let found = sf_get_chunk_iterator(file, &wanted)
        guard let found, sf_get_chunk_size(found, &wanted) == 0, (1..<1 << 20).contains(wanted.datalen) else { return [] }
        var contents = [UInt8](repeating: 0, count: Int(wanted.datalen))
        let code = contents.withUnsafeMutableBytes { bytes in
            wanted.data = bytes.baseAddress
            return sf_get_chunk_data(found, &wanted)
        }
        return code == 0 ? contents : []
    }

    /// Adds a chunk, before the first frame; its contents are copied.
    static func add(chunk name: String, _ contents: [UInt8], to file: File) {
        var chunk = SF_CHUNK_INFO(), contents = contents
        withUnsafeMutableBytes(of: &chunk.id) { $0.copyBytes(from: name.utf8.prefix(4)) }
        (chunk.id_size, chunk.datalen) = (4, UInt32(contents.count))
        contents.withUnsafeMutableBytes {
            chunk.data = $0.baseAddress
            _ = sf_set_chunk(file, &chunk)
        }
    }

    /// Sets the speakers by the bits of WAVE, before the first frame. - Returns: whether the file will contain them.
    static func setSpeakers(_ file: File, _ mask: UInt32) -> Bool {
        let speakers = [
            SF_CHANNEL_MAP_LEFT, SF_CHANNEL_MAP_RIGHT, SF_CHANNEL_MAP_CENTER, SF_CHANNEL_MAP_LFE, SF_CHANNEL_MAP_REAR_LEFT,
            SF_CHANNEL_MAP_REAR_RIGHT, SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER, SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER,
            SF_CHANNEL_MAP_REAR_CENTER, SF_CHANNEL_MAP_SIDE_LEFT, SF_CHANNEL_MAP_SIDE_RIGHT, SF_CHANNEL_MAP_TOP_CENTER,
            SF_CHANNEL_MAP_TOP_FRONT_LEFT, SF_CHANNEL_MAP_TOP_FRONT_CENTER, SF_CHANNEL_MAP_TOP_FRONT_RIGHT,
            SF_CHANNEL_MAP_TOP_REAR_LEFT, SF_CHANNEL_MAP_TOP_REAR_CENTER, SF_CHANNEL_MAP_TOP_REAR_RIGHT,
        ]
        var map = speakers.indices.filter { mask >> $0 & 1 != 0 }.map { Int32(speakers[$0]) }
        return sf_command(file, Int32(SFC_SET_CHANNEL_MAP_INFO), &map, Int32(4 * map.count)) == Int32(SF_TRUE)
    }

    /// Writes the bytes of one frame that are in the file already: the file then has all frames up to it.
    static func rewrite(_ file: File, _ bytes: [UInt8], frame: Int64) -> Bool {
        sf_seek(file, frame, Int32(SF_SEEK_SET | SFM_WRITE)) == frame
            && sf_write_raw(file, bytes, Int64(bytes.count)) == Int64(bytes.count)
    }

    static func write(_ file: File, _ samples: UnsafePointer<Double>, frames: Int) -> Bool {
        sf_writef_double(file, samples, Int64(frames)) == Int64(frames)
    }

    static func read(_ file: File, _ samples: UnsafeMutablePointer<Double>, frames: Int) -> Int {
        Int(sf_readf_double(file, samples, Int64(frames)))
    }

    /// Lets integers that are read stay at the greatest where a sample is beyond full scale.
    static func clip(_ file: File) { sf_command(file, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE)) }
}

private func byteCursor(_ user: UnsafeMutableRawPointer) -> ByteCursor {
    Unmanaged<ByteCursor>.fromOpaque(user).takeUnretainedValue()
}
