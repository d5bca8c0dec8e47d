import DSP
import Testing

@testable import AudioFiles

/// Sound and memory that do not fit a file are refused, and nothing of the file changes.
@Suite struct PassedSoundTests {
    @Test func whatDoesNotFitIsRefused() throws {
        let folder = TemporaryFolder(), path = folder.file("song"), format = try AudioFileFormat(.wav)
        let writer = try AudioFileWriter(path: path, format: format, channels: 2, sampleRate: 48_000)
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 10)
        memory.initialize(repeating: 0.5, count: 10)
        defer { memory.deallocate() }
        let plane = UnsafePointer(memory)
        #expect(throws: AudioFileError.channels(path: path, given: 1, wanted: 2)) { try writer.write([plane], frames: 1) }
        let error = #expect(throws: AudioFileError.frames(path: path, -1)) { try writer.write([plane, plane], frames: -1) }
        #expect(error?.description == "\(path): -1 frames cannot be passed; pass 0 or more")
        try writer.write([plane, plane], frames: 3)
        try writer.finish()
        let reader = try AudioFileReader(path: path)
        #expect(throws: AudioFileError.channels(path: path, given: 3, wanted: 2)) {
            try reader.read([memory, memory, memory], capacity: 1)
        }
        #expect(throws: AudioFileError.frames(path: path, -1)) { try reader.read([memory, memory + 5], capacity: -1) }
        #expect(try reader.read([memory, memory + 5], capacity: 5) == 3)
        let spool = FrameSpool(channels: 2)
        #expect(throws: AudioFileError.self) { try spool.add([plane], frames: 1) }
        #expect(throws: AudioFileError.self) { try spool.add([plane, plane], frames: -1) }
    }

    @Test func aFileHasTheChannelsOfItsLayout() throws {
        let folder = TemporaryFolder(), path = folder.file("song"), format = try AudioFileFormat(.wav)
        #expect(throws: AudioFileError.channels(path: path, given: 2, wanted: 6)) {
            try AudioFileWriter(path: path, format: format, channels: 2, layout: .surround51, sampleRate: 48_000)
        }
        #expect(folder.names.isEmpty)
    }
}
