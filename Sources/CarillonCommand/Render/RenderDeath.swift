import Glibc

/// The way in which a process that renders has ended, and its text. The code here allocates nothing: it runs in a handler of
/// signals, or in the batch that started the process.
enum RenderDeath: String {
    /// A check of the program has failed: SIGILL or SIGTRAP.
    case trap
    /// Another signal.
    case signal
    /// An allocation has failed: the bound of the process's memory was reached.
    case memoryLimit = "memory-limit"
    /// SIGKILL, which the batch did not send.
    case killed

    typealias Output = (UnsafeRawBufferPointer) -> Void

    /// `lacksMemory`: the last call that failed was one for memory.
    init(_ number: Int32, lacksMemory: Bool) {
        self =
            switch number {
            case SIGKILL: .killed
            case _ where lacksMemory: .memoryLimit
            case SIGILL, SIGTRAP: .trap
            default: .signal
            }
    }

    /// Writes what has happened, and where: `crashed while rendering, at 1.250 s (SIGSEGV)`.
    func write(_ record: UnsafeMutablePointer<RenderPlace.Record>?, signal: Int32, to output: Output) {
        switch self {
        case .trap: Self.write("a check of the program failed", to: output)
        case .signal: Self.write("crashed", to: output)
        case .memoryLimit: Self.write("memory ran out", to: output)
        case .killed: Self.write("was killed", to: output)
        }
        if let record { Self.write(place: record, to: output) }
        Self.write(" (", to: output)
        Self.write(signal: signal, to: output)
        Self.write(")", to: output)
    }

    /// Writes stage and place: ` while rendering, at 1.250 s`; nothing if no render is on its way.
    static func write(place record: UnsafeMutablePointer<RenderPlace.Record>, to output: Output) {
        guard let (stage, milliseconds) = record.pointee.position else { return }
        switch stage {
        case .reading: write(" while reading the song", to: output)
        case .loading: write(" while loading its sounds", to: output)
        case .rendering: write(" while rendering", to: output)
        case .measuring: write(" while measuring", to: output)
        case .writing: write(" while writing", to: output)
        }
        guard let milliseconds else { return }
        write(", at ", to: output)
        write(number: milliseconds / 1_000, to: output)
        write(".", to: output)
        write(number: milliseconds / 100 % 10, to: output)
        write(number: milliseconds / 10 % 10, to: output)
        write(number: milliseconds % 10, to: output)
        write(" s", to: output)
    }

    private static func write(signal: Int32, to output: Output) {
        switch signal {
        case SIGABRT: write("SIGABRT", to: output)
        case SIGBUS: write("SIGBUS", to: output)
        case SIGFPE: write("SIGFPE", to: output)
        case SIGILL: write("SIGILL", to: output)
        case SIGKILL: write("SIGKILL", to: output)
        case SIGSEGV: write("SIGSEGV", to: output)
        case SIGSYS: write("SIGSYS", to: output)
        case SIGTERM: write("SIGTERM", to: output)
        case SIGTRAP: write("SIGTRAP", to: output)
        case SIGXCPU: write("SIGXCPU", to: output)
        default:
            write("signal ", to: output)
            write(number: Int64(signal), to: output)
        }
    }

    static func write(_ text: StaticString, to output: Output) {
        output(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private static func write(number: Int64, to output: Output) {
        if number >= 10 { write(number: number / 10, to: output) }
        var digit = UInt8(48 + number % 10)
        withUnsafeBytes(of: &digit) { output($0) }
    }
}
