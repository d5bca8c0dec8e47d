import Glibc
import Testing

@testable import AudioFiles

@Suite struct OggSerialNumberTests {
    @Test func `every page has the fixed number and other programs accept the checksum`() throws {
        let folder = TemporaryFolder()
        for container in [AudioFileFormat.Container.vorbis, .opus] {
            let path = folder.file("a")
            try write(music(frames: 100_000), to: path, AudioFileFormat(container))
            let file = bytes(path)
            var position = 0
            var pages = 0
            while position < file.count {
                #expect(file[position..<(position + 4)].elementsEqual("OggS".utf8))
                #expect(file[(position + 14)..<(position + 18)].elementsEqual("Cari".utf8))
                let segments = Int(file[position + 26])
                let lacing = file[(position + 27)..<(position + 27 + segments)]
                position += 27 + segments + lacing.reduce(0) { $0 + Int($1) }
                pages += 1
            }
            #expect(position == file.count && pages > 3)
            // libogg drops a page with a wrong checksum, so that the frames would be missing.
            #expect(try AudioFileReader(path: path).readAll()[0].count == 100_000)
        }
    }

    @Test func `a page that comes byte by byte is the same`() {
        let page: [UInt8] = Array("OggS".utf8) + [UInt8](repeating: 7, count: 22) + [2, 3, 1, 9, 8, 7, 6]
        var whole: [[UInt8]] = [], pieces: [[UInt8]] = []
        var number = OggSerialNumber()
        #expect(
            (page + page).withUnsafeBytes {
                number.take($0) {
                    whole.append(Array($0)); return true
                }
            })
        for (index, byte) in (page + page).enumerated() {
            #expect(
                withUnsafeBytes(of: byte) {
                    number.take($0) {
                        pieces.append(Array($0)); return true
                    }
                })
            #expect(pieces.count == (index + 1) / page.count)
        }
        #expect(whole == pieces && whole.map(\.count) == [page.count, page.count])
        #expect(!page.withUnsafeBytes { number.take($0) { _ in false } })
    }
}
