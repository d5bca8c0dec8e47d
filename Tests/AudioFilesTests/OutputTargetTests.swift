import Glibc
import Testing

@testable import AudioFiles

@Suite struct OutputTargetTests {
    @Test func `the file appears under its name only when it is finished`() throws {
        let folder = TemporaryFolder()
        let writer = try AudioFileWriter(
            path: folder.file("song.wav"), format: AudioFileFormat(.wav), channels: 2, sampleRate: 48_000)
        try withPlanes(music()) { try writer.write($0, frames: 10_000) }
        // Not every file system can have files without a name.
        #expect(folder.names.count == (writer.unfinishedPath == nil ? 0 : 1))
        #expect(folder.names.allSatisfy { $0.hasPrefix(".song.wav.partial-") })
        try writer.finish()
        #expect(folder.names == ["song.wav"])
        try writer.finish()
        writer.abandon()
        #expect(folder.names == ["song.wav"])
    }

    @Test func `a recording stands under its own name from the beginning, and replaces nothing`() throws {
        let folder = TemporaryFolder()
        let path = folder.file("take.wav")
        func record() throws -> AudioFileWriter {
            try AudioFileWriter(
                path: path, format: AudioFileFormat(.wav), channels: 2, sampleRate: 48_000, isRecording: true)
        }
        try record().abandon()
        #expect(folder.names.isEmpty)
        let writer = try record()
        #expect(folder.names == ["take.wav"])
        try withPlanes(music(frames: 10)) { try writer.write($0, frames: 10) }
        let error = #expect(throws: AudioFileError.self) { try record() }
        #expect(error == .exists(path: path))
        try writer.finish()
        #expect(folder.names == ["take.wav"])
        let recorded = bytes(path)
        #expect(try AudioFileReader(path: path).frames == 10)
        #expect(throws: AudioFileError.exists(path: path)) { try record() }
        symlink("nowhere.wav", folder.file("link.wav"))
        #expect(throws: AudioFileError.exists(path: folder.file("link.wav"))) {
            try AudioFileWriter(
                path: folder.file("link.wav"), format: AudioFileFormat(.wav), channels: 2, sampleRate: 48_000,
                isRecording: true)
        }
        #expect(bytes(path) == recorded)
    }

    @Test func `two that write to one name at once leave the last that finished`() throws {
        let folder = TemporaryFolder()
        let path = folder.file("song.wav")
        // The first name that either takes for its unfinished file is somebody else's.
        let taken = ".song.wav.partial-\(String(getpid(), radix: 36))-0"
        close(open(folder.file(taken), O_CREAT | O_WRONLY, 0o600))
        let writers = try [10, 20].map { frames in
            let writer = try AudioFileWriter(
                path: path, format: AudioFileFormat(.wav), channels: 2, sampleRate: 48_000,
                length: .exactly(Int64(frames)))
            try withPlanes(music(frames: frames)) { try writer.write($0, frames: frames) }
            return writer
        }
        try writers[1].finish()
        try writers[0].finish()
        #expect(folder.names.sorted() == [taken, "song.wav"])
        #expect(bytes(path).count == 84 && bytes(folder.file(taken)).isEmpty)
    }

    @Test func `an abandoned file leaves what was there before`() throws {
        let folder = TemporaryFolder()
        let path = folder.file("song.wav")
        try write(music(frames: 10), to: path, AudioFileFormat(.wav))
        chmod(path, 0o640)
        let before = bytes(path)
        for ending in 0..<2 {
            let writer = try AudioFileWriter(
                path: path, format: AudioFileFormat(.flac), channels: 2, sampleRate: 48_000)
            try withPlanes(music()) { try writer.write($0, frames: 10_000) }
            if ending == 0 { writer.abandon() }
        }
        #expect(folder.names == ["song.wav"])
        #expect(bytes(path) == before)
        try write(music(frames: 20), to: path, AudioFileFormat(.wav))
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(bytes(path).count == 124)
    }

    @Test func `a symbolic link keeps leading to the file`() throws {
        let folder = TemporaryFolder()
        try write(music(frames: 10), to: folder.file("real.wav"), AudioFileFormat(.wav))
        symlink("real.wav", folder.file("link.wav"))
        try write(music(frames: 20), to: folder.file("link.wav"), AudioFileFormat(.wav))
        #expect(bytes(folder.file("real.wav")).count == 124)
    }

    @Test func `a folder, a missing folder and a name that is too long are refused`() throws {
        let folder = TemporaryFolder()
        let format = try AudioFileFormat(.wav)
        let cases: [(String, AudioFileError)] = [
            (folder.path, .isDirectory(path: folder.path)),
            (folder.file("new/"), .isDirectory(path: folder.file("new/"))),
            (folder.file("no/a.wav"), .cannotCreate(path: folder.file("no/a.wav"), SystemFault(code: ENOENT))),
            ("", .cannotCreate(path: "", SystemFault(code: ENOENT))),
        ]
        for (path, expected) in cases {
            let error = #expect(throws: AudioFileError.self) {
                try AudioFileWriter(path: path, format: format, channels: 2, sampleRate: 48_000)
            }
            #expect(error == expected)
        }
        let long = folder.file(String(repeating: "x", count: 300))
        #expect(throws: AudioFileError.self) {
            let writer = try AudioFileWriter(path: long, format: format, channels: 2, sampleRate: 48_000)
            try writer.finish()
        }
        #expect(folder.names.isEmpty)
    }

    @Test func `a name of 255 bytes can be written`() throws {
        let folder = TemporaryFolder()
        let name = String(repeating: "ä", count: 125) + "x.wav"
        try write(music(frames: 10), to: folder.file(name), AudioFileFormat(.wav))
        #expect(folder.names == [name])
    }

    @Test func `a full device is an error with the system's text`() throws {
        for format in availableFormats where format.container.canStream {
            let error = #expect(throws: AudioFileError.self) {
                try write(music(frames: 50_000), to: "/dev/full", format)
            }
            #expect(error == .writeFailed(path: "/dev/full", SystemFault(code: ENOSPC)))
        }
    }

    /// A writer on a disk with room for so many bytes.
    private func writer(
        _ path: String, _ format: AudioFileFormat, isRecording: Bool, room: Int64
    ) throws -> AudioFileWriter {
        let target = try OutputTarget(path: path, isRecording: isRecording)
        return try AudioFileWriter(
            target: target, sink: FullDisk(descriptor: target.descriptor, room: room), format: format, channels: 8,
            sampleRate: 48_000, length: .unknown)
    }

    @Test func `a full disk ends the render and leaves nothing`() throws {
        let folder = TemporaryFolder()
        let planes = music(channels: 8, frames: 10_000)
        let writer = try writer(
            folder.file("a.wav"), AudioFileFormat(.wav, encoding: .float32), isRecording: false, room: 2_400_000)
        let error = #expect(throws: AudioFileError.self) {
            try withPlanes(planes) { for _ in 0..<20 { try writer.write($0, frames: 10_000) } }
        }
        #expect(error == .writeFailed(path: folder.file("a.wav"), SystemFault(code: ENOSPC)))
        #expect(folder.names.isEmpty)
        #expect(throws: AudioFileError.self) { try withPlanes(planes) { try writer.write($0, frames: 1) } }
    }

    @Test func `a recording on a full disk keeps all that found room, with a true header`() throws {
        let folder = TemporaryFolder()
        let planes = music(channels: 8, frames: 10_000)
        let keeper = try writer(
            folder.file("b.wav"), AudioFileFormat(.wav, encoding: .float32), isRecording: true, room: 2_400_000)
        let cut = #expect(throws: AudioFileError.self) {
            try withPlanes(planes) { pointers in
                for _ in 0..<20 {
                    try keeper.write(pointers, frames: 10_000)
                    try keeper.makeCheckpoint()
                }
            }
        }
        guard case .cutShort(_, let reason, let kept?)? = cut else {
            Issue.record("\(String(describing: cut))")
            return
        }
        // All that was handed over before the block that failed, and not only what the last checkpoint tells.
        #expect(reason == SystemFault(code: ENOSPC).description && kept > 70_000)
        let read = try AudioFileReader(path: folder.file("b.wav"))
        #expect(read.frames >= kept && read.frames <= 75_000)
        #expect(try read.readAll()[7][0] == planes[7][0])
    }

    /// One without a length in its header ends with the last whole block of its encoder.
    @Test(.enabled(if: availableFormats.contains { $0.container == .flac }))
    func `a compressed recording on a full disk can be read to where it ends`() throws {
        let folder = TemporaryFolder()
        func sample(_ i: Int, _ c: Int) -> Float { Float((i &* 7919 &+ c) & 0xFFFF) / 65_536 - 0.5 }
        let noise: [[Float]] = (0..<8).map { c in (0..<40_000).map { i in sample(i, c) } }
        let flac = try writer(
            folder.file("c.flac"), AudioFileFormat(.flac, encoding: .int24), isRecording: true, room: 2_400_000)
        let end = #expect(throws: AudioFileError.self) {
            try withPlanes(noise) { pointers in
                for _ in 0..<8 { try flac.write(pointers, frames: 40_000) }
                try flac.finish()
            }
        }
        guard case .cutShort(_, _, nil)? = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(folder.names == ["c.flac"])
        let sound = try AudioFileReader(path: folder.file("c.flac")).readAll()
        #expect(sound[0].count > 50_000 && abs(sound[7][40_000] - noise[7][0]) < 1e-4)
    }

    @Test func `a recording that is given up keeps what it has`() throws {
        let folder = TemporaryFolder()
        for way in 0..<2 {
            let writer = try AudioFileWriter(
                path: folder.file("\(way).wav"), format: AudioFileFormat(.wav), channels: 2, sampleRate: 48_000,
                isRecording: true)
            try withPlanes(music()) { try writer.write($0, frames: 10_000) }
            if way == 0 { writer.abandon() }
        }
        #expect(folder.names == ["0.wav", "1.wav"])
        #expect(try AudioFileReader(path: folder.file("0.wav")).frames == 10_000)
        #expect(bytes(folder.file("0.wav")) == bytes(folder.file("1.wav")))
    }

    @Test(arguments: [AudioFileFormat.Container.wav, .flac]) func `a checkpoint makes what is there a file and changes nothing`(
        _ container: AudioFileFormat.Container
    ) throws {
        let folder = TemporaryFolder()
        for makesCheckpoints in [false, true] {
            let writer = try AudioFileWriter(
                path: folder.file("\(makesCheckpoints)"), format: AudioFileFormat(container), channels: 2,
                sampleRate: 48_000, isRecording: true)
            for _ in 0..<3 {
                try withPlanes(music()) { try writer.write($0, frames: 10_000) }
                if makesCheckpoints { try writer.makeCheckpoint() }
            }
            if makesCheckpoints && container == .wav {
                #expect(try AudioFileReader(path: folder.file("true")).frames == 30_000)
            }
            try writer.finish()
        }
        #expect(bytes(folder.file("true")) == bytes(folder.file("false")))
    }
}

/// A disk that takes the beginning of what has no room, and says so.
private final class FullDisk: OutputSink {
    private let room: Int64

    init(descriptor: Int32, room: Int64) {
        self.room = room
        super.init(descriptor: descriptor)
    }

    override func put(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        let fitting = Int(max(0, min(room - offset, Int64(bytes.count))))
        guard super.put(UnsafeRawBufferPointer(rebasing: bytes[..<fitting]), at: offset) else { return false }
        if fitting == bytes.count { return true }
        fault = SystemFault(code: ENOSPC)
        return false
    }
}
