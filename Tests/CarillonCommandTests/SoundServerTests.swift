import Glibc
import Testing

@testable import CarillonCommand

/// Devices of sound servers on the command line, where none answers.
@Suite struct SoundServerTests {
    /// Words for a shell: no server has that name.
    private static let nobody = "JACK_DEFAULT_SERVER=carillon-nobody-\(getpid()) PIPEWIRE_REMOTE=carillon-nobody-\(getpid())"

    @Test(arguments: [
        "live --device jack", "live --device jack:hall", "latency --device jack", "live --device pipewire",
        "live --device pipewire:hall",
    ])
    func withoutAServerItIsOneLineAndUnavailable(_ words: String) {
        let run = Program.shell("\(Self.nobody) \"$CARILLON\" \(words)", in: TemporaryFolder())
        #expect(run.exitCode == 69, "\(run.exitCode ?? -1): \(run.errors)")
        let says = run.errorLines.filter {
            $0.contains("no JACK server answers") || $0.contains("apt-get install libjack-jackd2-0")
                || $0.contains("no PipeWire daemon answers") || $0.contains("apt-get install libpipewire-0.3-0")
        }
        #expect(says.count == 1, "\(run.errors)")
    }

    @Test func aListGoesOnBehindAServerThatIsNotThere() {
        let folder = TemporaryFolder()
        folder.add("song.mid", SongBytes.oneNote)
        let run = Program.shell("\(Self.nobody) \"$CARILLON\" play song.mid --device jack --device pipewire --device null", in: folder)
        #expect(run.exitCode == 0, "\(run.errors)")
    }
}
