import Glibc
import TestFolders
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
        let run = Program.shell(
            "\(Self.nobody) \"$CARILLON\" play song.mid --device jack --device pipewire --device null", in: folder)
        #expect(run.exitCode == 0 && run.signal == nil, "\(run.signal ?? 0): \(run.errors)")
    }
}

/// The end of a server that a shell has started.
enum ServerShell {
    /// A function of a shell: asks a process to end; one that has not within some seconds is killed.
    static let end = """
        end() {
            kill $1 2>/dev/null
            for look in {1..100}; do kill -0 $1 2>/dev/null || return 0; sleep 0.1; done
            kill -KILL $1
            wait $1 2>/dev/null
        }
        """
}

/// A PipeWire daemon that a shell starts, with a sink that nobody hears and nobody who links.
enum PipeWireShell {
    /// Words for a shell that has started a daemon, which ends with it, and has waited until it answers.
    static func withDaemon(_ words: String) -> String {
        """
        export PIPEWIRE_RUNTIME_DIR=$(mktemp -d)
        cat > pipewire.conf <<'END'
        context.properties = { core.daemon = true core.name = pipewire-0 support.dbus = false mem.allow-mlock = false }
        context.spa-libs = { audio.convert.* = audioconvert/libspa-audioconvert support.* = support/libspa-support }
        context.modules = [
            { name = libpipewire-module-protocol-native } { name = libpipewire-module-metadata }
            { name = libpipewire-module-spa-node-factory } { name = libpipewire-module-client-node }
            { name = libpipewire-module-access } { name = libpipewire-module-adapter }
            { name = libpipewire-module-link-factory }
        ]
        context.objects = [ { factory = adapter args = {
            factory.name = support.null-audio-sink node.name = hall media.class = Audio/Sink audio.position = "FL,FR"
        } } ]
        END
        PIPEWIRE_CONFIG_DIR=$PWD pipewire > pipewire.log 2>&1 & daemon=$!
        \(ServerShell.end)
        trap 'end $daemon; rm -rf $PIPEWIRE_RUNTIME_DIR' EXIT
        for look in {1..200}; do
            kill -0 $daemon 2>/dev/null || { cat pipewire.log >&2; exit 77; }
            "$CARILLON" devices 2>/dev/null | grep -q pipewire:hall && break
        done
        \(words)
        """
    }

    /// Where one is installed, one must start.
    static let isThere = Program.shell("command -v pipewire", in: TemporaryFolder()).exitCode == 0
}

@Suite(.enabled(if: PipeWireShell.isThere, "pipewire-bin is not installed")) struct PipeWireDaemonTests {
    @Test func aNodeThatIsNotThereIsAskedBackAbout() {
        let run = Program.shell(PipeWireShell.withDaemon("\"$CARILLON\" live --device pipewire:hal"), in: TemporaryFolder())
        #expect(run.exitCode == 69, "\(run.errors)")
        #expect(run.errors.contains("pipewire:hal: no such audio device; there is pipewire:hall"), "\(run.errors)")
    }

    /// Linked to nothing, it sleeps: a file comes of it all the same, and nobody takes it for a quiet room.
    @Test func aRecordingThatHearsNothingSaysSo() {
        let folder = TemporaryFolder()
        let run = Program.shell(
            PipeWireShell.withDaemon("\"$CARILLON\" record --device pipewire --duration 2s -o take.wav"), in: folder)
        #expect(run.exitCode == 0 && run.text.contains("nothing captured: it is silent"), "\(run.text)\(run.errors)")
        let lines = run.errorLines.filter { $0.contains("fault=\"nothing is captured: the device sleeps") }
        #expect(!lines.isEmpty, "\(run.errors)")
    }
}

/// A JACK server that a shell starts, with a dummy driver.
enum JACKShell {
    /// A file to lock, the same in JACKTests: JACK 2 refuses clients while several servers of a machine take some.
    private static let serversTakeTurns = "/tmp/carillon-jack-servers.lock"

    /// Words for a shell that has started a server, which ends with it, and has waited until it answers.
    static func withServer(_ words: String) -> String {
        """
        exec 9> \(serversTakeTurns); flock 9
        export JACK_DEFAULT_SERVER=carillon-command-\(getpid())-$$
        jackd --name $JACK_DEFAULT_SERVER --no-realtime --silent -d dummy > jackd.log 2>&1 9>&- & server=$!
        \(ServerShell.end)
        trap 'end $server' EXIT
        for look in {1..200}; do
            kill -0 $server 2>/dev/null || { cat jackd.log >&2; exit 77; }
            "$CARILLON" devices 2>/dev/null | grep -q jack:system && break
        done
        \(words)
        """
    }

    /// Where one is installed, one must start.
    static let isThere = Program.shell("command -v jackd", in: TemporaryFolder()).exitCode == 0
}

/// The same with a server that answers.
@Suite(.enabled(if: JACKShell.isThere, "jackd2 is not installed")) struct JACKServerTests {
    @Test func devicesListsWhatTheServerHas() {
        let run = Program.shell(JACKShell.withServer("\"$CARILLON\" devices"), in: TemporaryFolder())
        #expect(run.exitCode == 0)
        let lines = run.text.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.contains("jack         playback: JACK, the machine's outputs"), "\(run.text)")
        #expect(lines.contains("jack:system  playback: JACK, the client system"), "\(run.text)")
        #expect(lines.contains("48000 Hz, 2 channels, period 1024, FLOAT"), "\(run.text)")
        #expect(lines.contains("jack         capture: JACK, the machine's inputs"), "\(run.text)")
        #expect(lines.contains("jack:system  capture: JACK, the client system"), "\(run.text)")
    }

    @Test func aSongPlaysThroughTheServerToItsEnd() {
        let folder = TemporaryFolder()
        folder.add("song.mid", SongBytes.oneNote)
        let run = Program.shell(JACKShell.withServer("\"$CARILLON\" play song.mid --device jack:system"), in: folder)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.errors.contains("jack:system"), "\(run.errors)")
    }

    @Test func aRecordingOfWhatIsLinkedToNothingSaysSo() {
        let folder = TemporaryFolder()
        let run = Program.shell(
            JACKShell.withServer(
                """
                "$CARILLON" record --device jack:none --duration 2s -o none.wav
                "$CARILLON" record --device jack --channels 6 --duration 1s -o six.wav
                """), in: folder)
        #expect(run.exitCode == 0 && run.text.contains("nothing captured: it is silent"), "\(run.text)\(run.errors)")
        #expect(run.errors.contains("fault=\"nothing is captured: no source is linked"), "\(run.errors)")
        #expect(run.errors.contains("fault=\"jack: channels 3, 4, 5, 6 of 6 are linked to nothing and silent"), "\(run.errors)")
        #expect(run.text.split(separator: "\n").last?.contains("silent") == false, "\(run.text)")
    }

    /// As on no device: this machine's kernel need not know of MIDI.
    @Test func aSessionRunsWithoutASequencer() {
        let run = Program.shell(
            JACKShell.withServer(
                """
                "$CARILLON" live --device jack --instrument square-wave > out 2> err & live=$!
                until grep -q 'event=keyboard\\|event=device.*state=running' err || ! kill -0 $live 2>/dev/null; do :; done
                kill -TERM $live; wait $live; code=$?
                cat err >&2
                exit $code
                """), in: TemporaryFolder())
        #expect(run.exitCode == 143, "\(run.errors)")
        let told = run.errorLines.filter { $0.contains("/dev/snd/seq") }
        #expect(told.count == (access("/dev/snd/seq", R_OK | W_OK) == 0 ? 0 : 1), "\(run.errors)")
    }

    @Test func aClientThatIsNotThereIsAskedBackAbout() {
        let run = Program.shell(JACKShell.withServer("\"$CARILLON\" live --device jack:sytem"), in: TemporaryFolder())
        #expect(run.exitCode == 69 && run.errors.contains("jack:system"), "\(run.errors)")
    }
}
