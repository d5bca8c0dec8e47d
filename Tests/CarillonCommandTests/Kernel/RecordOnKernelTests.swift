import Carillon
import Glibc
import TestFolders
import Testing

/// `carillon record` on a real ALSA kernel that nobody needs (tools/alsa-vm): what one end of the loopback card plays, the other
/// captures.
@Suite(.enabled(if: LoopbackCard.isDisposable, "wants the loopback card of tools/alsa-vm"), .serialized)
struct RecordOnKernelTests {
    @Test(.timeLimit(.minutes(5))) func whatACardCapturesStandsInTheFile() throws {
        let folder = TemporaryFolder()
        let player = Program.start(
            [Program.path, "live", "--device", LoopbackCard.name, "--metronome", "240", "--period", "512"], in: folder)
        defer {
            kill(player.id, SIGTERM)
            _ = player.end()
        }
        #expect(eventually(within: 20) { LoopbackCard.state == "RUNNING" }, "\(player.errorsSoFar)")
        let run = Program.run(
            ["record", "--device", "hw:Loopback,1,0", "--period", "512", "--duration", "3s", "-o", "take.wav"], in: folder)
        #expect(run.exitCode == 0 && run.text.hasPrefix("take.wav: 0:03.0 recorded"), "\(run.text)\(run.errors)")
        let take = try AudioFileReader(path: folder.file("take.wav"))
        #expect(take.channels == 2 && take.sampleRate == 48_000)
        let sound = try take.readAll()[0]
        try #require(sound.count == 144_000)
        // Four clicks a second.
        let loud = (0..<30).count { tenth in
            (0..<4_800).contains { abs(sound[tenth * 4_800 + $0]) > 0.02 }
        }
        #expect((8...26).contains(loud), "\(loud) tenths of a second sound")
        print("record: \(loud) of 30 tenths of a second sound; \(run.text)")
    }
}
