import AudioFiles
import DSP

/// A drawing of a sound that goes by: its waveform, or its spectrogram. It takes frames as they are written, however long the sound
/// will be, and draws at the end. Control side, one thread.
package final class SoundPicture {
    /// A kind of drawing.
    package enum Kind: String, CaseIterable, Sendable { case waveform, spectrogram }

    /// Bands of a spectrogram, from the lowest to the highest frequency, and the levels that have a colour, in decibels.
    private static let bands = 96, lowest = 30.0, highest = 20_000.0, softest = -90.0, loudest = -6.0, shades = 24
    private static let columns = 600

    private let kind: Kind
    private let channels: Int
    private let sampleRate: Int
    private var frames: Int64 = 0
    /// Measured as the sound goes by, where loops over all of it are optimised in every build.
    private let extremes: ExtremesScan?
    private let spectra: SpectrumScan?

    /// Creates a picture of `channels` channels at a rate in hertz.
    package init(_ kind: Kind, channels: Int, sampleRate: Int) {
        (self.kind, self.channels, self.sampleRate) = (kind, channels, sampleRate)
        extremes = kind == .waveform ? ExtremesScan(channels: channels) : nil
        spectra =
            kind == .spectrogram
            ? SpectrumScan(channels: channels, sampleRate: sampleRate, edges: (0...Self.bands).map(Self.frequency)) : nil
    }

    /// Takes the next frames, one pointer per channel.
    package func add(_ samples: [UnsafePointer<Float>], frames count: Int) {
        extremes?.add(samples, frames: count)
        spectra?.add(samples, frames: count)
        frames += Int64(count)
    }

    private static func frequency(edge: Int) -> Double {
        lowest * DeterministicMath.exp2(Double(edge) / Double(bands) * DeterministicMath.log2(highest / lowest))
    }

    /// The drawing as SVG, under a title.
    package func svg(title: String) -> String {
        var canvas: PictureCanvas
        switch kind {
        case .waveform:
            canvas = PictureCanvas(title: title, height: 160 * channels)
            for (channel, extremes) in (extremes?.channels ?? []).enumerated() { draw(extremes, channel, &canvas) }
        case .spectrogram:
            canvas = PictureCanvas(title: title, height: 4 * Self.bands)
            spectra?.finish()
            draw(spectra?.levels ?? [], &canvas)
        }
        canvas.timeAxis(seconds: Double(frames) / Double(sampleRate))
        return canvas.text
    }

    private func draw(_ all: [(low: Float, high: Float)], _ channel: Int, _ canvas: inout PictureCanvas) {
        let middle = 160 * channel + 80, width = PictureCanvas.width
        canvas.add("<path d=\"M0 \(middle)h\(width)\" stroke=\"#d5dbe3\"/>")
        canvas.word("0 dBFS", x: -8, y: Double(middle - 72), anchor: "end")
        var path = ""
        for column in 0..<min(Self.columns, all.count) {
            let count = min(Self.columns, all.count),
                part = all[(column * all.count / count)..<((column + 1) * all.count / count)]
            let low = part.map(\.low).min() ?? 0, high = part.map(\.high).max() ?? 0
            let x = (Double(column) + 0.5) * Double(width) / Double(count)
            let top = Double(middle) - 76 * Double(min(max(high, -1), 1)),
                bottom = Double(middle) - 76 * Double(min(max(low, -1), 1))
            path += "M\(PictureCanvas.number(x)) \(PictureCanvas.number(top))V\(PictureCanvas.number(max(bottom, top + 0.5)))"
        }
        let stroke = Double(width) / Double(max(min(Self.columns, all.count), 1))
        canvas.add("<path d=\"\(path)\" stroke=\"#2b5fa8\" stroke-width=\"\(PictureCanvas.number(stroke))\"/>")
    }

    /// Cells of one shade lie in one path, those beside each other in one stroke.
    private func draw(_ levels: [[Float]], _ canvas: inout PictureCanvas) {
        let count = min(Self.columns, levels.count), width = Double(PictureCanvas.width) / Double(count)
        var paths = [String](repeating: "", count: Self.shades)
        for band in 0..<Self.bands {
            var run = (shade: -1, start: 0)
            func close(_ end: Int) {
                if run.shade <= 0 { return }
                let x = PictureCanvas.number(Double(run.start) * width),
                    long = PictureCanvas.number(Double(end - run.start) * width)
                paths[run.shade] += "M\(x) \(4 * (Self.bands - 1 - band))h\(long)v4h-\(long)z"
            }
            for column in 0..<count {
                let part = levels[(column * levels.count / count)..<((column + 1) * levels.count / count)]
                let level = Double(part.map { $0[band] }.max() ?? -180)
                let share = (level - Self.softest) / (Self.loudest - Self.softest)
                let shade = min(max(Int(share * Double(Self.shades)), 0), Self.shades - 1)
                if shade != run.shade {
                    close(column)
                    run = (shade, column)
                }
            }
            close(count)
        }
        canvas.add("<rect width=\"\(PictureCanvas.width)\" height=\"\(4 * Self.bands)\" fill=\"#0b1020\"/>")
        for (shade, path) in paths.enumerated() where !path.isEmpty {
            canvas.add("<path d=\"\(path)\" fill=\"\(Self.colour(Double(shade) / Double(Self.shades - 1)))\"/>")
        }
        for mark in [50.0, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] where mark < Double(sampleRate) / 2 {
            let octaves = DeterministicMath.log2(mark / Self.lowest) / DeterministicMath.log2(Self.highest / Self.lowest)
            canvas.word(
                mark < 1_000 ? "\(Int(mark)) Hz" : "\(Int(mark / 1_000)) kHz", x: -8,
                y: Double(4 * Self.bands) * (1 - octaves) + 4, anchor: "end")
        }
    }

    private static func colour(_ share: Double) -> String {
        let stops: [(red: Double, green: Double, blue: Double)] = [
            (11, 16, 32), (88, 24, 110), (214, 60, 70), (252, 170, 60), (255, 250, 200),
        ]
        let place = share * Double(stops.count - 1), index = min(Int(place), stops.count - 2), rest = place - Double(index)
        let (a, b) = (stops[index], stops[index + 1])
        func part(_ from: Double, _ to: Double) -> String {
            let value = Int((from + (to - from) * rest).rounded()), digits = String(value, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }
        return "#" + part(a.red, b.red) + part(a.green, b.green) + part(a.blue, b.blue)
    }
}
