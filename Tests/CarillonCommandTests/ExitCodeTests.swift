import AudioFiles
import Carillon
import RemoteIO
import SongFiles
import Testing

@testable import ALSA
@testable import CarillonCommand
@testable import Sessions

/// Which error ends with which code, and how its sentence calls options.
@Suite struct ExitCodeTests {
    @Test func filesHaveTheCodesOfSysexits() {
        #expect(AudioFileError.unknownFormat(name: "mp5", path: "x").exitCode == 64)
        #expect(AudioFileError.unreadable(path: "x", message: "m").exitCode == 65)
        #expect(AudioFileError.cannotOpen(path: "x", SystemFault(code: 2)).exitCode == 66)
        #expect(AudioFileError.exists(path: "x").exitCode == 73)
        #expect(AudioFileError.isDirectory(path: "x").exitCode == 73)
        #expect(AudioFileError.lengthMismatch(path: "-", promised: 1, written: 2).exitCode == 74)
        #expect(AudioFileError.writeFailed(path: "x", SystemFault(code: 28)).exitCode == 74)
        #expect(SoundFontError.cannotOpen(path: "x", code: 2).exitCode == 66)
        #expect(SoundFontError.notASoundFont(path: "x", firstBytes: []).exitCode == 65)
        #expect(SoundFontError.unreadable(path: "x", offset: 0, code: 5).exitCode == 74)
        #expect(SoundFontError.library(function: "f", message: "m").exitCode == 70)
        #expect(Fault.cannotRead(path: "x", code: 2).exitCode == 66)
        #expect(Fault(SongError.empty(name: "x")).exitCode == 65)
    }

    @Test func whatAPatchCannotBeIsTheCodeOfPatches() {
        #expect(Fault(UnitError.resource(unit: "echo", reason: "r", fault: .plugIn)).exitCode == 78)
        #expect(Fault.hearsNoSound(source: "a", destination: "b").exitCode == 78)
        #expect(Fault.cycle(["a", "b", "a"]).exitCode == 78)
        #expect(Fault.noOutput.exitCode == 70 && Fault.rendered.exitCode == 70)
    }

    @Test func devicesAndKeyboardsHaveTheirs() {
        #expect(DeviceError.noSoundCard(device: "default").exitCode == 69)
        #expect(DeviceError.request(reason: "r").exitCode == 64)
        let errors: [MIDIInletError] = [
            .noSequencer, .notPermitted, .noRoom, .failed("snd_seq_open failed"), .system("eventfd", code: 24),
            .portCount(17), .rule("usb:1", .usb),
        ]
        #expect(errors.map(\.exitCode) == [69, 69, 69, 69, 71, 64, 64])
        #expect(Fault.unavailable(device: .noSoundCard(device: "x"), sequencer: .noSequencer).exitCode == 69)
    }

    @Test func aDeviceThatIsNotThereGetsTheNameThatWasMeant() {
        let error = DeviceError.notFound(device: "defualt", cards: ["USB"])
        #expect(Fault(error).commandSentence.hasSuffix("; did you mean default?"))
        #expect(!Fault(DeviceError.notFound(device: "hw:Piano", cards: ["USB"])).commandSentence.contains("did you mean"))
        #expect(Fault(DeviceError.noSoundCard(device: "default")).commandSentence.contains("--device null"))
    }

    @Test func aSettingIsCalledByItsOption() {
        let error = ParameterError.outOfRange(parameter: "rate", text: "1", low: "8 kHz", high: "384 kHz")
        #expect(!Fault.setting(error).description.contains("--"))
        #expect(Fault.setting(error).commandSentence.hasPrefix("--rate: 1 is out of range"))
        #expect(Fault.setting(error).commandSentences().first?.hasPrefix("--rate: ") == true)
        #expect(Fault(ParameterError.malformed(text: "x")).commandSentences().first?.hasPrefix("--set: ") == true)
        #expect(Fault.tooLong(seconds: 864_000, limit: 43_200).commandSentence.contains("--max-duration"))
        #expect(Fault.empty.commandSentence.contains("--tail"))
        #expect(Fault.option(name: "device", value: "none", remedy: "r").commandSentences() == ["--device: none: r"])
    }
}
