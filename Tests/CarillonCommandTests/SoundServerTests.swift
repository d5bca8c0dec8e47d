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
        #expect(run.exitCode == 0 && run.signal == nil, "\(run.signal ?? 0): \(run.errors)")
    }
}

/// A JACK server that a shell starts, with a dummy driver.
enum JACKShell {
    /// Words for a shell that has started a server, which ends with it, and has waited until it answers.
    static func withServer(_ words: String) -> String {
        """
        export JACK_DEFAULT_SERVER=carillon-command-\(getpid())-$$
        jackd --name $JACK_DEFAULT_SERVER --no-realtime --silent -d dummy > jackd.log 2>&1 & server=$!
        trap 'kill $server 2>/dev/null; wait $server 2>/dev/null' EXIT
        for look in {1..200}; do
            kill -0 $server 2>/dev/null || exit 77
            "$CARILLON" devices 2>/dev/null | grep -q jack:system && break
        done
        \(words)
        """
    }

    static let isThere = Program.shell("command -v jackd > jackd || exit 77\n" + withServer("true"), in: TemporaryFolder())
        .exitCode == 0
}

/// The same with a server that answers.
@Suite(.enabled(if: JACKShell.isThere, "jackd2 is not installed, or starts no server here")) struct JACKServerTests {
    @Test func devicesListsWhatTheServerHas() {
        let run = Program.shell(JACKShell.withServer("\"$CARILLON\" devices"), in: TemporaryFolder())
        #expect(run.exitCode == 0)
        let lines = run.text.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.contains("jack         playback: JACK, the machine's outputs"), "\(run.text)")
        #expect(lines.contains("jack:system  playback: JACK, the client system"), "\(run.text)")
        #expect(lines.contains("48000 Hz, 2 channels, period 1024, FLOAT"), "\(run.text)")
    }

    @Test func aSongPlaysThroughTheServerToItsEnd() {
        let folder = TemporaryFolder()
        folder.add("song.mid", SongBytes.oneNote)
        let run = Program.shell(JACKShell.withServer("\"$CARILLON\" play song.mid --device jack:system"), in: folder)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.errors.contains("jack:system"), "\(run.errors)")
    }

    @Test func aClientThatIsNotThereIsAskedBackAbout() {
        let run = Program.shell(JACKShell.withServer("\"$CARILLON\" live --device jack:sytem"), in: TemporaryFolder())
        #expect(run.exitCode == 69 && run.errors.contains("jack:system"), "\(run.errors)")
    }
}
