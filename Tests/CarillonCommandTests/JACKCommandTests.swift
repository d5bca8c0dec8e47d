import Glibc
import Testing

@testable import CarillonCommand

/// Devices of JACK on the command line, where no server answers.
@Suite struct JACKCommandTests {
    /// Words for a shell: no server has that name.
    private static let nobody = "JACK_DEFAULT_SERVER=carillon-nobody-\(getpid())"

    @Test(arguments: ["live --device jack", "live --device jack:hall", "latency --device jack"])
    func withoutAServerItIsOneLineAndUnavailable(_ words: String) {
        let run = Program.shell("\(Self.nobody) \"$CARILLON\" \(words)", in: TemporaryFolder())
        #expect(run.exitCode == 69, "\(run.exitCode ?? -1): \(run.errors)")
        let says = run.errorLines.filter {
            $0.contains("jack") && ($0.contains("no JACK server answers") || $0.contains("libjack-jackd2-0"))
        }
        #expect(says.count == 1, "\(run.errors)")
    }

    @Test func aListGoesOnBehindAServerThatIsNotThere() {
        let folder = TemporaryFolder()
        folder.add("song.mid", SongBytes.oneNote)
        let run = Program.shell("\(Self.nobody) \"$CARILLON\" play song.mid --device jack --device null", in: folder)
        #expect(run.exitCode == 0, "\(run.errors)")
    }
}
