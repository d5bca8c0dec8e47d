import AudioFiles
import Foundation
import Testing

/// Frames that wait come back as they were, from memory and from the file behind it.
@Suite struct FrameSpoolTests {
    @Test(arguments: [1 << 30, 400_000, 0], [1, 3]) func framesComeBack(_ room: Int, _ channels: Int) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "carillon-spool-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let spool = FrameSpool(channels: channels, folder: folder, room: room)
        // It can be emptied and filled again.
        for _ in 0..<2 {
            var wanted = [[Float]](repeating: [], count: channels), number: Float = 0
            for count in [1, 5_000, 16_384, 40_000, 0, 9_999] {
                var planes = [[Float]](repeating: [], count: channels)
                for channel in 0..<channels {
                    planes[channel] = (0..<count).map { _ in
                        number += 1
                        return number
                    }
                    wanted[channel] += planes[channel]
                }
                let buffers = planes.map { plane in
                    let copy = UnsafeMutablePointer<Float>.allocate(capacity: max(count, 1))
                    for i in 0..<count { copy[i] = plane[i] }
                    return copy
                }
                try spool.add(buffers.map { UnsafePointer($0) }, frames: count)
                buffers.forEach { $0.deallocate() }
            }
            #expect(spool.frames == Int64(wanted[0].count))
            // As often as one likes; and nothing is seen of the file.
            for _ in 0..<2 {
                var found = [[Float]](repeating: [], count: channels)
                try spool.forEach { (planes, count) throws(AudioFileError) in
                    for channel in 0..<channels { found[channel] += UnsafeBufferPointer(start: planes[channel], count: count) }
                }
                #expect(found == wanted)
            }
            spool.removeAll()
            #expect(spool.frames == 0)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test func silentPlanesComeBackFromTheFile() throws {
        let channels = 3, chunk = FrameSpool.chunk, spool = FrameSpool(channels: channels, room: 0)
        // Of each chunk another plane sounds, of the fourth none; minus zero is not silence, it has its sign.
        let planes = (0..<channels).map { channel in
            (0..<4 * chunk + 5).map { frame -> Float in
                frame / chunk == channel ? Float(frame + 1) : frame / chunk == 2 && channel == 0 ? -0.0 : 0
            }
        }
        try withPlanes(planes) { try spool.add($0, frames: planes[0].count) }
        for _ in 0..<2 {
            var found = [[UInt32]](repeating: [], count: channels)
            try spool.forEach { (samples, count) throws(AudioFileError) in
                for channel in 0..<channels {
                    found[channel] += UnsafeBufferPointer(start: samples[channel], count: count).map(\.bitPattern)
                }
            }
            #expect(found == planes.map { $0.map(\.bitPattern) })
        }
    }

    @Test func aFolderThatIsNotThereIsToldByName() {
        let spool = FrameSpool(channels: 1, folder: "/proc/nowhere/at/all", room: 0)
        let sample = UnsafeMutablePointer<Float>.allocate(capacity: 1)
        defer { sample.deallocate() }
        sample.initialize(to: 1)
        let error = #expect(throws: AudioFileError.self) { try spool.add([UnsafePointer(sample)], frames: 1) }
        #expect("\(error as Any)".contains("/proc/nowhere/at/all"))
    }
}
