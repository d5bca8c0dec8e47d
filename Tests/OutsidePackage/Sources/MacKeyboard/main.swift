import AudioToolbox
import CoreMIDI
import Hearing

// In the manner of a Mac's keyboards: what comes to a virtual destination plays the music device of a graph. It sends itself a
// note, and records into the file that CARILLON_OUTPUT names.
let path = CommandLine.arguments[1] + "/mac-keyboard.wav"
setenv("CARILLON_OUTPUT", path, 1)
setenv("CARILLON_MIDI", "none", 1)

func check(_ status: OSStatus, _ call: String) { expect(status == noErr, "\(call): \(status)") }

func add(_ type: OSType, _ subType: OSType) -> AUNode {
    var description = AudioComponentDescription(
        componentType: type, componentSubType: subType, componentManufacturer: kAudioUnitManufacturer_Apple,
        componentFlags: 0, componentFlagsMask: 0)
    var node = AUNode()
    check(AUGraphAddNode(graph!, &description, &node), "AUGraphAddNode")
    return node
}

var graph: AUGraph?
check(NewAUGraph(&graph), "NewAUGraph")
let synthNode = add(kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth)
let outputNode = add(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput)
var synth: AudioUnit?
check(AUGraphOpen(graph!), "AUGraphOpen")
check(AUGraphConnectNodeInput(graph!, synthNode, 0, outputNode, 0), "AUGraphConnectNodeInput")
check(AUGraphNodeInfo(graph!, synthNode, nil, &synth), "AUGraphNodeInfo")
check(AUGraphInitialize(graph!), "AUGraphInitialize")
check(AUGraphStart(graph!), "AUGraphStart")

let read: MIDIReadProc = { list, refCon, _ in
    let synth = refCon!.assumingMemoryBound(to: ComponentInstanceRecord.self)
    for packet in list.unsafeSequence() {
        let data = packet.pointee.data
        MusicDeviceMIDIEvent(synth, UInt32(data.0), UInt32(data.1), UInt32(data.2), 0)
    }
}
var client = MIDIClientRef(), port = MIDIPortRef(), keyboard = MIDIEndpointRef()
check(MIDIClientCreate("Keyboard" as CFString, nil, nil, &client), "MIDIClientCreate")
check(MIDIDestinationCreate(client, "Keyboard" as CFString, read, UnsafeMutableRawPointer(synth!), &keyboard), "destination")
check(MIDIOutputPortCreate(client, "Out" as CFString, &port), "MIDIOutputPortCreate")
for message in [[0xC0, 16], [0x90, 69, 100], [0x80, 69, 0]] as [[UInt8]] {
    var list = MIDIPacketList()
    let packet = MIDIPacketListInit(&list)
    _ = MIDIPacketListAdd(&list, MemoryLayout<MIDIPacketList>.size, packet, 0, message.count, message)
    check(MIDISend(port, keyboard, &list), "MIDISend")
    if message[0] == 0x90 { usleep(700_000) }
}
check(AUGraphStop(graph!), "AUGraphStop")
check(DisposeAUGraph(graph!), "DisposeAUGraph")
check(MIDIClientDispose(client), "MIDIClientDispose")

let sound = try recording(path), first = sound.firstIndex { abs($0) > 0.003 } ?? 0
expect(sound.count > first + 20_000, "\(sound.count) frames")
// A graph runs at 44 100 Hz unless it is asked for another rate.
let tone = pitch(sound[first..<first + 20_000], near: [415.3, 440, 466.2], rate: 44_100)
expect(tone == 440, "the note has \(tone) Hz")
print("mac keyboard: \(tone) Hz")
