import Corpus
import Foundation
import TestFolders
import Testing

@testable import CarillonCommand

/// `carillon devices`, with devices and without.
@Suite struct DeviceListTests {
    private static let audio = DeviceList.Audio(
        name: "hw:USB,0", direction: "playback", card: "Scarlett 2i2 USB", device: "USB Audio", isFree: true, owner: nil,
        rates: [44_100, 48_000], rateRange: .init(44_100...48_000), channels: .init(2...2), period: .init(8...4096),
        formats: ["S32"])
    private static let busy = DeviceList.Audio(
        name: "hw:PCH,0", direction: "playback", card: "PCH", device: "PCH", isFree: false, owner: "pipewire (process 812)",
        rates: nil, rateRange: nil, channels: nil, period: nil, formats: nil)
    private static let keyboard = DeviceList.MIDI(
        name: "Keystation 61", identity: "usb:0a4d:0090,port:0", address: "20:0", canBePlayedFrom: true,
        canBePlayedTo: true, isChosen: true, reason: "would be connected because of the rule any",
        listeners: ["Carillon: in"])

    @Test func theTableTellsWhatEachCanDoAndWhy() {
        var list = DeviceList()
        list.audio = [Self.audio, Self.busy]
        list.midi = [Self.keyboard]
        #expect(
            list.lines() == [
                "Audio outputs, for --device (default and null are always there):",
                "  hw:USB,0  playback: Scarlett 2i2 USB, USB Audio",
                "            44100 48000 Hz, 2 channels, period 8-4096, S32",
                "  hw:PCH,0  playback: PCH",
                "            in use by pipewire (process 812)",
                "",
                "MIDI ports, for --connect by name or identity:",
                "  Keystation 61  would be connected because of the rule any",
                "                 usb:0a4d:0090,port:0",
                "                 heard by Carillon: in",
            ])
    }

    @Test(arguments: [40, 80, 140]) func inputsStandBesideOutputsAtEveryWidth(_ columns: Int) {
        var list = DeviceList()
        let microphone = DeviceList.Audio(
            name: "pipewire:alsa_input.usb-Blue_Yeti", direction: "capture", card: "PipeWire", device: "Yeti Stereo Microphone",
            isFree: true, owner: nil, rates: nil, rateRange: nil, channels: nil, period: nil, formats: nil)
        list.audio = [Self.audio, microphone, Self.busy]
        list.midi = [Self.keyboard]
        let lines = list.lines(columns: columns), text = lines.joined(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= columns }, "\(text)")
        #expect(text.contains("Audio inputs, for --input-device:"), "\(text)")
        let words = Set(text.split { $0 == " " || $0 == "\n" })
        let wanted: [Substring] = ["hw:USB,0", "hw:PCH,0", "pipewire:alsa_input.usb-Blue_Yeti", "Microphone", "S32"]
        #expect(words.isSuperset(of: wanted), "\(text)")
        // Each device stands under what it is for.
        let place = lines.firstIndex { $0.hasPrefix("Audio inputs") } ?? 0
        #expect(lines[..<place].contains { $0.contains("hw:PCH,0") } && lines[place...].contains { $0.contains("Yeti") })
    }

    @Test func aServerHasNoVolumeOfItsOwn() {
        let cases = [("jack", "a sound server has no"), ("pipewire:hall", "a sound server has no"), ("null", "no device plays")]
        for (device, words) in cases {
            let run = Program.run(["devices", "volume", device], in: TemporaryFolder())
            #expect(run.exitCode == 69 && run.errorLines.count == 1 && run.errors.contains(words), "\(run.errors)")
        }
    }

    @Test func theObjectHasTheDocumentedKeys() {
        var list = DeviceList()
        list.audio = [Self.audio]
        list.midi = [Self.keyboard]
        #expect(
            JSONOutput.text(list) == """
                {"audio":[{"card":"Scarlett 2i2 USB","channels":{"from":2,"to":2},"device":"USB Audio",\
                "direction":"playback","formats":["S32"],"isFree":true,"name":"hw:USB,0","period":{"from":8,"to":4096},\
                "rateRange":{"from":44100,"to":48000},"rates":[44100,48000]}],"faults":[],\
                "midi":[{"address":"20:0","canBePlayedFrom":true,"canBePlayedTo":true,"identity":"usb:0a4d:0090,port:0",\
                "isChosen":true,"listeners":["Carillon: in"],"name":"Keystation 61",\
                "reason":"would be connected because of the rule any"}],"reportVersion":3}
                """)
    }

    /// Whatever is there, what a program reads is an object.
    @Test func whatIsThereIsAnObjectAlsoWithoutACard() throws {
        let run = Program.run(["devices", "--json"], in: TemporaryFolder())
        let list = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        let (audio, midi) = (list["audio"] as? [Any], list["midi"] as? [Any])
        let isEmpty = audio?.isEmpty == true && midi?.isEmpty == true
        #expect(audio != nil && midi != nil && run.exitCode == (isEmpty ? 69 : 0))
        #expect(!isEmpty || (list["faults"] as? [String])?.isEmpty == false)
    }

    @Test func aRuleThatCannotBeReadIsRefused() {
        let run = Program.run(["devices", "--connect", "usb:zz"], in: TemporaryFolder())
        #expect(run.exitCode == 64 && run.errorLines.count == 1)
        #expect(run.errors.contains("usb:VENDOR:PRODUCT"))
    }
}
