import MIDI
import RemoteIO

@testable import ALSA

/// A program that plays: a sequencer client with an output port, as any other program may be one. On a real kernel only.
final class VirtualKeyboard {
    private let calls: ALSASequencerCalls
    let output: UInt8

    init(_ name: String) throws(MIDIInletError) {
        calls = try ALSASequencerCalls(name: name)
        output = try calls.createOutput(name: name)
    }

    var address: MIDIPortAddress { MIDIPortAddress(client: calls.client, port: output) }

    /// Its events reach whoever listens.
    func play(_ kind: MIDIMessage.Kind, _ data1: UInt8, _ data2: UInt8 = 0) -> ALSAFault? {
        calls.send(MIDIMessage(status: kind.rawValue, data1: data1, data2: data2), from: output)
    }

    /// An event straight to one port, whether it listens or not.
    func play(_ kind: MIDIMessage.Kind, _ data1: UInt8, _ data2: UInt8, to port: MIDIPortAddress) -> ALSAFault? {
        calls.send(MIDIMessage(status: kind.rawValue, data1: data1, data2: data2), from: output, to: port)
    }

    func send(_ bytes: [UInt8]) -> ALSAFault? { calls.send(bytes, from: output) }

    /// Takes somebody's connection away, or makes one, as `aconnect` would.
    func disconnect(_ from: MIDIPortAddress, _ to: MIDIPortAddress) -> ALSAFault? { calls.unsubscribe(from: from, to: to) }
    func connect(_ from: MIDIPortAddress, _ to: MIDIPortAddress) -> ALSAFault? { calls.subscribe(from: from, to: to) }

    /// The port of that name.
    func find(_ portName: String) -> MIDIPortAddress? { calls.ports().first { $0.portName == portName }?.address }
}
