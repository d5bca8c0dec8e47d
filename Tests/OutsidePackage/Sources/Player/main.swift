import Carillon
import Glibc

// A song through the loudspeaker, and a keyboard along with it where ports is 1.
let arguments = CommandLine.arguments       // Player SONG.mid DEVICE SECONDS
var options = LiveOptions()
options.device.names = [arguments[2]]       // several: the first that can be had, and back to it when it returns
options.ports = 0                           // MIDI inputs of sixteen channels each
options.settings = ["reverb.decay=3s"]
let song = SessionSong(name: "song", path: arguments[1])
let session = try Session(options, songs: [song])
try session.start()
var shown = 0
while !session.isOver {
    try session.maintain()                  // ten to a hundred times a second; the sound does not wait for it
    usleep(20_000)
    let snapshot = session.snapshot
    guard let transport = snapshot.transport, transport.bar != shown else { continue }
    shown = transport.bar
    print("bar \(shown), \(snapshot.voices) voices, load \(Int(100 * snapshot.load)) %")
    if shown == 2 { try session.perform(.transpose(-12)) }
    if transport.seconds > Double(arguments[3])! { try session.perform(.quit) }
}
try session.finish()
