/// A file whose frames come and go in the format of the program.
final class ExtFileObject: HandledObject, @unchecked Sendable {
    static let block = 4_096

    /// The file's packets; nil where an encoder writes them.
    let file: AudioFileObject?
    /// The handle of that file, and whether it is closed with this one.
    let handle: AudioFileID?
    let isOwner: Bool
    let fileFormat: AudioStreamBasicDescription
    let source: (any FrameSource)?
    let sink: (any FrameSink)?
    private(set) var client: PCMLayout?
    private var pipe: PCMPipe?
    private var isAtEnd = false
    /// Where the next frame lies, in the frames of the program from `origin` on, a frame of the file.
    private var origin: Int64 = 0
    private var passed: Int64 = 0

    init(
        _ file: AudioFileObject?, _ handle: AudioFileID?, isOwner: Bool, _ format: AudioStreamBasicDescription,
        source: (any FrameSource)?, sink: (any FrameSink)?
    ) {
        (self.file, self.handle, self.isOwner, fileFormat) = (file, handle, isOwner, format)
        (self.source, self.sink) = (source, sink)
        super.init(using: file)
        // Until the program names another, it speaks the file's format.
        if let layout = PCMLayout(format) { _ = setClient(layout) }
    }

    /// The file's frames on their way: only rate and channels matter.
    private var middle: PCMLayout? {
        let channels = source?.channels ?? sink?.channels ?? 0, rate = source?.rate ?? sink?.rate ?? 0
        return channels > 0 ? PCMLayout(rate: rate, channels: channels, bits: 64, isFloat: true) : nil
    }

    func setClient(_ layout: PCMLayout) -> OSStatus {
        guard let middle else { return kExtAudioFileError_InvalidDataFormat }
        var layout = layout
        if layout.rate == 0 { layout.rate = middle.rate }
        if sink != nil, passed > 0 { return kExtAudioFileError_InvalidOperationOrder }
        let place = tell
        guard let made = source != nil ? PCMPipe(middle, layout) : PCMPipe(layout, middle) else {
            return kExtAudioFileError_NonPCMClientFormat
        }
        (client, pipe) = (layout, made)
        return source == nil || place == 0 ? noErr : seek(to: place)
    }

    /// The next frame of the file.
    var tell: Int64 {
        guard let client, let middle, client.rate > 0 else { return origin }
        let frames = Double(passed) * middle.rate / client.rate
        return origin + Int64(frames.rounded())
    }

    func read(_ list: UnsafeMutablePointer<AudioBufferList>, frames: Int) -> (OSStatus, Int) {
        guard let source else { return (kExtAudioFileError_InvalidOperationOrder, 0) }
        guard let pipe, let client else { return (kExtAudioFileError_NonPCMClientFormat, 0) }
        guard let target = BufferPlaces.of(list, client) else { return (kAudio_ParamError, 0) }
        let wanted = min(frames, target.frames)
        while pipe.readyFrames < wanted, !isAtEnd {
            guard let planes = source.read(Self.block) else { return (kAudioFileInvalidFileError, 0) }
            isAtEnd = planes.first?.isEmpty ?? true
            guard isAtEnd ? pipe.flush() : pipe.push(planes) else { return (kAudioFileUnspecifiedError, 0) }
        }
        let made = pipe.pull(target.places, frames: wanted)
        BufferPlaces.setFrames(made, list, client)
        passed += Int64(made)
        return (noErr, made)
    }

    func seek(to frame: Int64) -> OSStatus {
        guard let source else { return kExtAudioFileError_InvalidOperationOrder }
        guard frame >= 0, frame <= source.frames, source.seek(to: frame) else { return kExtAudioFileError_InvalidSeek }
        pipe?.reset()
        (origin, passed, isAtEnd) = (frame, 0, false)
        return noErr
    }

    func write(_ list: UnsafePointer<AudioBufferList>, frames: Int) -> OSStatus {
        guard sink != nil else { return kAudioFilePermissionsError }
        guard let pipe, let client else { return kExtAudioFileError_NonPCMClientFormat }
        guard let from = BufferPlaces.of(UnsafeMutablePointer(mutating: list), client), from.frames >= frames else {
            return kAudio_ParamError
        }
        var done = 0
        while done < frames {
            let count = min(Self.block, frames - done)
            let places = from.places.map { UnsafeRawPointer($0 + done * client.bytesPerFrame) }
            guard pipe.push(places, frames: count) else { return kAudioFileUnspecifiedError }
            let status = drain(pipe)
            if status != noErr { return status }
            done += count
            passed += Int64(count)
        }
        return noErr
    }

    private func drain(_ pipe: PCMPipe) -> OSStatus {
        guard let sink, pipe.readyFrames > 0 else { return noErr }
        return sink.write(pipe.pullPlanes(frames: pipe.readyFrames))
    }

    /// Writes what is left and completes the file.
    func finish() -> OSStatus {
        guard let sink else { return noErr }
        var status = noErr
        if let pipe { status = pipe.flush() ? drain(pipe) : kAudioFileUnspecifiedError }
        let end = sink.finish()
        return status == noErr ? end : status
    }

    /// Frames in the file.
    var frames: Int64 { source?.frames ?? file?.head.packets ?? tell }
}
