import Glibc
import SongBook
import SongFiles

/// `make-songs DIRECTORY` writes the songs of the book and the table of them into a directory.
///
/// Exit codes: 0, 64 usage, 70 a mistake in a score, 73 a file that cannot be written.
@main
struct MakeSongs {
    static func main() {
        guard CommandLine.arguments.count == 2, !CommandLine.arguments[1].hasPrefix("-") else {
            fail("usage: make-songs DIRECTORY", code: EX_USAGE)
        }
        let directory = CommandLine.arguments[1]
        for entry in SongBook.entries {
            do throws(NoteTextError) {
                let score = try entry.score()
                do throws(SongError) {
                    try SongWriter.write(score.song(), path: "\(directory)/\(entry.file)")
                } catch {
                    fail("\(entry.file): \(error)", code: EX_CANTCREAT)
                }
                let notes = score.parts.reduce(0) { $0 + $1.notes.count }
                print("\(entry.file): \(notes) notes, \(Int(score.duration.rounded())) s")
            } catch {
                fail("\(entry.file): \(error)", code: EX_SOFTWARE)
            }
        }
        do throws(NoteTextError) {
            write(try SongBook.table(), to: "\(directory)/README.md")
        } catch {
            fail("README.md: \(error)", code: EX_SOFTWARE)
        }
    }

    private static func write(_ text: String, to path: String) {
        guard let file = fopen(path, "w") else {
            fail("\(path): \(String(cString: strerror(errno)))", code: EX_CANTCREAT)
        }
        let isWritten = fputs(text, file) >= 0
        guard fclose(file) == 0, isWritten else {
            fail("\(path): \(String(cString: strerror(errno)))", code: EX_CANTCREAT)
        }
    }

    private static func fail(_ message: String, code: Int32) -> Never {
        let line = Array("make-songs: \(message)\n".utf8)
        _ = Glibc.write(STDERR_FILENO, line, line.count)
        exit(code)
    }
}
