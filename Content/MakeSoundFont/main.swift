import Glibc
import SoundFontSynthesis

// make-soundfont [FILE]: synthesises Carillon's own General MIDI SoundFont and writes it.

/// One line on standard error, and out with `code` of sysexits.h.
func fail(_ message: String, _ code: Int32) -> Never {
    let line = Array("make-soundfont: \(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(code)
}

let path = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "soundfonts/carillon.sf2"
let bytes = CarillonSoundFont.bytes()
guard let file = fopen(path, "wb") else { fail("cannot create \(path); name a file in a folder that exists", 73) }
let written = fwrite(bytes, 1, bytes.count, file)
guard fclose(file) == 0, written == bytes.count else {
    remove(path)
    fail("cannot write \(path); is the disk full?", 74)
}
print("\(path): \(bytes.count) bytes")
