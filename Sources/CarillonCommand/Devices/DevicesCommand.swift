import ALSA
import ArgumentParser
import Carillon
import Corpus
import Glibc
import JACK
import PipeWire
import Reports

/// `carillon devices`: what could be played on and from, and what would happen to it.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List audio devices and MIDI ports with their abilities and connections.",
        subcommands: [VolumeCommand.self])

    @Option(
        help: ArgumentHelp(
            "Show what carillon live would connect by these rules. Can be given more than once. (default: any)",
            valueName: "any|pattern"))
    var connect: [String] = []

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws { _ = try LiveCommand.rules(connect) }

    func run() throws {
        let list = DeviceList.now(rules: try LiveCommand.rules(connect))
        // With `--json` the faults are in the object, otherwise they are printed here.
        if json { try StandardOutput.print(JSONOutput.text(list)) }
        if !list.faults.isEmpty && list.audio.isEmpty && list.midi.isEmpty {
            for fault in list.faults.dropLast() { StandardError.print("carillon: \(OneLine.text(fault))") }
            throw Failure.report(list.faults.last ?? "", exitCode: 69)
        }
        if json { return }
        for fault in list.faults { StandardError.print("carillon: \(OneLine.text(fault))") }
        // What a program reads keeps its lines whole.
        let lines = list.lines(columns: isatty(1) == 1 ? TerminalSize.now.columns : .max)
        try StandardOutput.print(lines.map(OneLine.text).joined(separator: "\n"))
    }
}

extension DeviceList {
    static func now(rules: [ConnectionRule]) -> DeviceList {
        var list = DeviceList()
        list.audio = PCMDirectory.devices().map(Audio.init) + servers
        if list.audio.isEmpty {
            list.faults.append("no sound card: connect one, or run without sound with --device null")
        }
        do {
            list.midi = try MIDIDirectory(rules: rules).entries.map(MIDI.init)
        } catch { list.faults.append(error.description) }
        return list
    }
}

extension DeviceList {
    /// Devices that sound servers offer, as far as they answer now; one that does not is no fault.
    private static var servers: [Audio] {
        func ask<Entry>(_ entries: () throws(DeviceError) -> [Entry]) -> [Entry] {
            do throws(DeviceError) { return try entries() } catch { return [] }
        }
        func all(capturing: Bool) -> [Audio] {
            ask { () throws(DeviceError) in try JACKSystem().entries(capturing: capturing) }.map { Audio($0, capturing) }
                + ask { () throws(DeviceError) in try PipeWireSystem().entries(capturing: capturing) }.map {
                    Audio($0, capturing)
                }
        }
        return all(capturing: false) + all(capturing: true)
    }
}

extension DeviceList.Audio {
    fileprivate init(_ entry: PipeWireSystem.Entry, _ captures: Bool) {
        self.init(
            name: entry.name, direction: captures ? "capture" : "playback", card: "PipeWire", device: entry.description,
            isFree: true, owner: nil, rates: nil, rateRange: nil, channels: nil, period: nil, formats: nil)
    }

    fileprivate init(_ entry: JACKSystem.Entry, _ captures: Bool) {
        let what =
            entry.name == "jack"
            ? "the machine's \(captures ? "inputs" : "outputs")" : "the client \(entry.name.dropFirst("jack:".count))"
        let ports = captures ? entry.outputs : entry.inputs
        self.init(
            name: entry.name, direction: captures ? "capture" : "playback", card: "JACK", device: what, isFree: true,
            owner: nil, rates: [entry.sampleRate], rateRange: nil, channels: .init(ports...ports),
            period: .init(entry.periodFrames...entry.periodFrames), formats: [SampleFormat.float32.description])
    }

    fileprivate init(_ device: PCMDescription) {
        let abilities = device.capabilities
        self.init(
            name: device.name, direction: device.isCapture ? "capture" : "playback", card: device.cardLongName,
            device: device.deviceName, isFree: device.freeStreams > 0, owner: device.owner,
            rates: abilities?.commonRates, rateRange: abilities.map { .init($0.rates) },
            channels: abilities.map { .init($0.channels) }, period: abilities.map { .init($0.periodFrames) },
            formats: abilities?.formats.map(\.description), volume: device.isCapture ? nil : DeviceList.Volume(of: device.name))
    }
}

extension DeviceList.MIDI {
    fileprivate init(_ entry: MIDIDirectory.Entry) {
        let port = entry.port
        var isChosen = false
        if case .wanted = entry.reason { isChosen = true }
        self.init(
            name: port.name, identity: port.identity.description, address: "\(port.address)",
            canBePlayedFrom: port.isReadable, canBePlayedTo: port.isWritable,
            isChosen: isChosen || entry.reason.isConnected, reason: entry.reason.description, listeners: entry.listeners)
    }
}
