import Glibc
import MIDI
import TestFolders
import Testing

@testable import CarillonCommand

/// `carillon monitor`: its lines, and its refusals.
@Suite struct MonitorTests {
    private static func lines(_ bytes: [UInt8], by taker: String? = nil) -> [MonitorLine] {
        var monitor = MIDIMonitor(at: 1_000)
        var lines = monitor.take(bytes, from: "Keystation 61", at: 1_250_001_000, by: taker)
        lines += monitor.takeSums(at: 2_000_001_000)
        return lines.map { MonitorLine(line: $0) }
    }

    @Test func aLineIsReadByPeopleOrByPrograms() {
        #expect(
            Self.lines([0x90, 60, 100]).map(\.text)
                == ["    1.250  Keystation 61         90 3C 64  note on C4 (60) velocity 100 on channel 1"])
        #expect(
            Self.lines([0xB0, 64, 127], by: "zone left").map(\.json) == [
                #"{"time":1.250000,"port":"Keystation 61","bytes":[176,64,127],"#
                    + #""meaning":"controller 64 (sustain pedal) 127 on channel 1","takenBy":"zone left"}"#
            ])
        let long = Self.lines([0xF0, 0x3E] + [UInt8](repeating: 1, count: 300) + [0xF7], by: "patch organ")
        #expect(long.first?.text.hasSuffix("01 ... (303 bytes)  message of maker 3E: patch organ") == true, "\(long[0].text)")
        #expect(
            Self.lines([0xF8, 0xFE]).map(\.text)
                == ["    2.000  Keystation 61                   clock: 1 pulse; active sensing: 1"])
        #expect(
            Self.lines([0xF8]).map(\.json) == [
                #"{"time":2.000000,"port":"Keystation 61","clock":1,"tempo":null,"activeSensing":0,"timeCode":0,"#
                    + #""meaning":"clock: 1 pulse"}"#
            ])
    }

    @Test(arguments: [
        (["--count", "0"], "--count: 0: give a number from 1 on"), (["usb:zz"], "usb:VENDOR:PRODUCT"),
        (["Keystation@2"], "@ chooses a port of a session"), ([""], "it is empty"),
    ]) func whatCannotBeIs64(_ arguments: [String], _ reason: String) {
        let run = Program.run(["monitor"] + arguments, in: TemporaryFolder())
        #expect(run.exitCode == 64 && run.errorLines.count == 1 && run.errors.contains(reason), "\(run.errors)")
    }

    @Test(.enabled(if: access("/dev/snd/seq", F_OK) != 0, "this machine has a sequencer"))
    func withoutASequencerThereIsASentenceAnd69() {
        let run = Program.run(["monitor", "--json"], in: TemporaryFolder())
        #expect(run.exitCode == 69 && run.errorLines.count == 1 && run.text.isEmpty)
        #expect(run.errors.contains("/dev/snd/seq") && run.errors.contains("modprobe"), "\(run.errors)")
    }
}
