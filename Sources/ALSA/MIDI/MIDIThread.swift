import CRealtime
import Glibc
import RemoteIO

/// The MIDI thread: waits for the sequencer, for the control side and for deadlines, and runs the session's work.
enum MIDIThread {
    /// Below the audio thread's 70: a stamp makes up for a short wait, nothing makes up for a late slice.
    private static let priority = 60

    private final class Load {
        let session: MIDIClientSession
        let board: MIDIBoard
        let descriptors: [pollfd]

        init(_ session: MIDIClientSession, _ board: MIDIBoard, _ descriptors: [pollfd]) {
            (self.session, self.board, self.descriptors) = (session, board, descriptors)
        }
    }

    /// From here on the session is the thread's alone. `wake` is readable when the board has commands.
    static func start(
        _ session: MIDIClientSession, board: MIDIBoard, wake: Int32
    ) throws(MIDIInletError) -> pthread_t {
        let descriptors = [
            pollfd(fd: try session.inputDescriptor(), events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
        ]
        let load = Unmanaged.passRetained(Load(session, board, descriptors))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                if let argument { MIDIThread.run(Unmanaged<Load>.fromOpaque(argument).takeRetainedValue()) }
                return nil
            }, load.toOpaque())
        if result != 0 {
            load.release()
            throw .system("pthread_create", code: result)
        }
        return thread
    }

    private static func run(_ load: Load) {
        rt_thread_name("carillon-midi")
        // Signals are the main thread's.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        load.board.write(priority: ThreadPriority.promoteCurrentThread(priority: priority, locksMemory: false))
        var descriptors = load.descriptors
        var goesOn = true
        while goesOn {
            poll(&descriptors, nfds_t(descriptors.count), load.session.timeout)
            if descriptors[1].revents != 0 { rt_event_clear(descriptors[1].fd) }
            goesOn = load.session.work(load.board.takeCommands())
            // A real-time thread that never sleeps stops the machine, and the system kills it for that: in a flood it does.
            if load.session.isBehind { usleep(500) }
        }
    }
}
