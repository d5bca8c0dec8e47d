import EngineCore
import MIDI
import Sequencer

/// A drawing of the notes that a render plays: time to the right, keys upwards, a colour for each channel.
package struct PianoRoll: Sendable {
    struct Note: Sendable, Equatable {
        let start: Int64
        package var end: Int64
        let part: Int
        let key: UInt8
        let velocity: UInt8
    }

    /// The most notes that are drawn.
    package static let mostNotes = 50_000
    let notes: [Note]
    private let sampleRate: Int

    /// The notes of the rendered part of a song, in each round of a repeated loop.
    package init(_ renderer: SongRenderer) {
        let plan = renderer.plan
        sampleRate = renderer.timeline.sampleRate
        notes = plan.stretches.indices.flatMap { index -> [Note] in
            let stretch = plan.stretches[index]
            let next = index + 1 < plan.stretches.count ? plan.stretches[index + 1].start.rawValue : plan.end
            return Self.notes(plan.events[stretch.events], in: stretch, from: plan.start, before: min(next, plan.end))
        }
    }

    /// Pairs beginnings with ends; a note without an end sounds until `limit`. Frames are counted from `start` on.
    private static func notes(
        _ events: ArraySlice<TimedMusicEvent>, in stretch: ScoreStretch, from start: Int64, before limit: Int64
    ) -> [Note] {
        let limit = limit - start
        var notes: [Note] = [], open: [Int: [Int]] = [:]
        for event in events {
            guard case .message(let message) = event.event, message.kind == .noteOn || message.kind == .noteOff else { continue }
            let time = stretch.time(of: event.time).rawValue - start
            if time < 0 { continue }
            if time >= limit { break }
            let part = Int(message.port) * 16 + Int(message.channel), place = part * 128 + Int(message.data1)
            if message.beginsNote {
                open[place, default: []].append(notes.count)
                notes.append(Note(start: time, end: limit, part: part, key: message.data1, velocity: message.data2))
            } else if let first = open[place]?.first {
                open[place]?.removeFirst()
                notes[first].end = time
            }
        }
        return notes
    }

    /// Returns the drawing of `frames` frames as SVG, under a title.
    package func svg(title: String, frames: Int64) -> String {
        let low = Int(notes.map(\.key).min() ?? 60), high = Int(notes.map(\.key).max() ?? 72)
        let row = 8, height = (high - low + 1) * row, scale = Double(PictureCanvas.width) / Double(max(frames, 1))
        var canvas = PictureCanvas(title: title, height: height)
        for key in low...high {
            let y = (high - key) * row
            let isBlack = [1, 3, 6, 8, 10].contains(key % 12)
            if isBlack { canvas.add("<rect y=\"\(y)\" width=\"\(PictureCanvas.width)\" height=\"\(row)\" fill=\"#eef1f5\"/>") }
            if key % 12 == 0 { canvas.word("C\(key / 12 - 1)", x: -8, y: Double(y + row), anchor: "end") }
        }
        for part in Set(notes.map(\.part)).sorted() {
            var path = ""
            for note in notes.prefix(Self.mostNotes) where note.part == part {
                let x = Double(note.start) * scale, long = max(Double(note.end - note.start) * scale, 0.5)
                let y = (high - Int(note.key)) * row + 1
                let number = PictureCanvas.number(long)
                path += "M\(PictureCanvas.number(x)) \(y)h\(number)v\(row - 2)h-\(number)z"
            }
            canvas.add("<path d=\"\(path)\" fill=\"\(Self.colours[part % 16])\"><title>channel \(part + 1)</title></path>")
        }
        canvas.timeAxis(seconds: Double(frames) / Double(sampleRate))
        return canvas.text
    }

    private static let colours = [
        "#2b5fa8", "#c8553d", "#3a8f5c", "#8a5aa8", "#b07a1e", "#2a8f9e", "#a83a68", "#6b7a2b", "#4a4fb8", "#5c5c5c", "#d08030",
        "#207050", "#7a3030", "#3070a0", "#905090", "#606020",
    ]
}
