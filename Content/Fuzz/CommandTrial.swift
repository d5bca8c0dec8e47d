import Glibc

/// `carillon render` as a user meets it: its exit code, its time, its memory and the file that it leaves.
struct CommandTrial {
    let carillon: String
    let folder: String
    /// Bytes of a WAV file without sound.
    private static let headerLength = 44
    /// Exit codes a damaged file may end with: rendered, unreadable data.
    private static let expectedCodes: Set<Int32> = [0, 65]

    func run(song: String?, soundFont: String, _ fuzzCase: FuzzCase) -> FuzzTrial.Outcome {
        let output = "\(folder)/out.wav", log = "\(folder)/command.log", exercise = "\(folder)/exercise.mid"
        unlink(output)
        if song == nil, !FileBytes.write(Corpus.exercise, to: exercise) {
            return .finding("\(exercise) cannot be written")
        }
        let arguments = [
            carillon, "render", song ?? exercise, "-o", output, "--soundfont", soundFont, "--rate",
            "\(fuzzCase.sampleRate)", "--max-duration", "5", "--quiet",
        ]
        do throws(FuzzError) {
            let process = try ChildProcess(arguments, outputPath: "/dev/null", errorPath: log)
            let end = process.wait(cpuSeconds: FuzzLimits.cpuSeconds, wallSeconds: FuzzLimits.wallSeconds)
            let length = FileBytes.length(output)
            unlink(output)
            if let left = FileBytes.names(in: folder).first(where: { $0.contains("out.wav") }) {
                return .finding("left \(left) behind")
            }
            switch end.way {
            case .hung: return .finding("the command hung")
            case .signal(let signal): return .finding("the command died of signal \(signal)")
            case .exit(let code):
                guard end.peakMemory <= FuzzLimits.memory else {
                    return .finding("the command took \(end.peakMemory) bytes")
                }
                guard Self.expectedCodes.contains(code) else { return .finding("exit code \(code): \(Self.text(log))") }
                if code == 0 {
                    guard let length, length > Self.headerLength else {
                        return .finding("exit code 0 and an empty file")
                    }
                    return .rendered
                }
                return length == nil
                    ? .refused(Self.text(log)) : .finding("exit code \(code) and a file of \(length ?? 0) bytes")
            }
        } catch {
            return .finding("\(error)")
        }
    }

    private static func text(_ path: String) -> String {
        String(decoding: (FileBytes.read(path) ?? []).prefix(400), as: UTF8.self)
    }
}
