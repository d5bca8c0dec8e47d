internal import AudioFiles

/// A file whose frames come and go in the format of the program.
final class ExtFileObject: HandledObject, @unchecked Sendable {
    static let block = 4_096

    let file: AudioFileObject
    /// The handle of that file, which is closed with this where it is its own.
    let handle: AudioFileID
    let isOwner: Bool
    /// The file's frames; nil where they are written.
    private let source: AudioFileReader?
    private(set) var client: PCMLayout?
    private var pipe: PCMPipe?
    private var isAtEnd = false
    /// Where the next frame lies, in the frames of the program from `origin` on, a frame of the file.
    private var origin: Int64 = 0
    private var passed: Int64 = 0

    /// Nil for a file without a decoder, or one that must not be written.
    init?(_ file: AudioFileObject, _ handle: AudioFileID, isOwner: Bool, writes: Bool, _ status: inout OSStatus) {
        (self.file, self.handle, self.isOwner) = (file, handle, isOwner)
        if writes {
            source = nil
            status = file.takesFrames ? noErr : kAudioFilePermissionsError
        } else {
            status = file.update()
            do { source = try AudioFileReader(file.store) } catch {
                source = nil
                status = error.status
            }
        }
        super.init(using: file)
        if status != noErr { return nil }
        // Until the program names another, it speaks the file's format.
        if let layout = PCMLayout(file.head.format) { _ = setClient(layout) }
    }

    /// The file's frames on their way: only rate and channels matter.
    private var middle: PCMLayout {
        let format = file.head.format
        return PCMLayout(rate: format.mSampleRate, channels: Int(format.mChannelsPerFrame), bits: 64, isFloat: true)
    }

    func setClient(_ layout: PCMLayout) -> OSStatus {
        let middle = middle
        var layout = layout
        if layout.rate == 0 { layout.rate = middle.rate }
        if source == nil, passed > 0 { return kExtAudioFileError_InvalidOperationOrder }
        let place = tell
        guard let made = source != nil ? PCMPipe(middle, layout) : PCMPipe(layout, middle) else {
            return kExtAudioFileError_NonPCMClientFormat
        }
        (client, pipe) = (layout, made)
        return source == nil || place == 0 ? noErr : seek(to: place)
    }

    var tell: Int64 {
        guard let client, client.rate > 0 else { return origin }
        let frames = Double(passed) * middle.rate / client.rate
        return origin + Int64(frames.rounded())
    }

    func read(_ list: UnsafeMutablePointer<AudioBufferList>, frames: Int) -> (OSStatus, Int) {
        guard let source else { return (kExtAudioFileError_InvalidOperationOrder, 0) }
        guard let pipe, let client else { return (kExtAudioFileError_NonPCMClientFormat, 0) }
        guard let target = BufferPlaces.of(list, client) else { return (kAudio_ParamError, 0) }
        let wanted = min(frames, target.frames)
        while pipe.readyFrames < wanted, !isAtEnd {
            let planes: [[Double]]
            do { planes = try source.readDoubles(Self.block) } catch { return (kAudioFileInvalidFileError, 0) }
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
        do { try source.seek(to: frame) } catch { return kExtAudioFileError_InvalidSeek }
        pipe?.reset()
        (origin, passed, isAtEnd) = (frame, 0, false)
        return noErr
    }

    func write(_ list: UnsafePointer<AudioBufferList>, frames: Int) -> OSStatus {
        guard source == nil else { return kAudioFilePermissionsError }
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
        pipe.readyFrames > 0 ? file.append(pipe.pullPlanes(frames: pipe.readyFrames)) : noErr
    }

    func finish() -> OSStatus {
        if source != nil { return noErr }
        var status = noErr
        if let pipe { status = pipe.flush() ? drain(pipe) : kAudioFileUnspecifiedError }
        return status == noErr ? file.update() : status
    }

    var frames: Int64 { source?.frames ?? file.head.frames }
}
