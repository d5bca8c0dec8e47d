import Graphs
import RealtimeCore

/// The edits of an engine: those that wait, those that can be taken back, and what a journal writes of each. Control side.
struct EditHistory {
    /// The number of the newest edit, from 1 on.
    private(set) var newest = 0
    /// True while the closure of an edit runs.
    private var isEditing = false
    private var publisher = GraphPublisher()
    /// Edits with the graphs before them.
    private var former: [(edit: Int, graph: Graph)] = []
    private var reports: [PlanAdoption] = []
    /// The changes of each edit that is journalled and has not happened yet, by its number.
    private var differences: [Int: JournalledEdit] = [:]
    /// True if a journal is kept: `recordsScore` of the renderer.
    private let isJournalled: Bool
    private let renderer: Renderer

    init(_ renderer: Renderer, isJournalled: Bool) { (self.renderer, self.isJournalled) = (renderer, isJournalled) }

    /// Refuses an edit while the closure of another runs. Throws `editInEdit`.
    func check() throws(Fault) { if isEditing { throw .editInEdit } }

    /// The closure of an edit runs until `end`. Throws as `check`.
    mutating func begin() throws(Fault) {
        try check()
        isEditing = true
    }

    mutating func end() { isEditing = false }

    /// Makes `graph` become `next`.
    mutating func publish(_ next: Graph, after graph: Graph, at time: SampleTime?) throws(Fault) {
        try post(next, after: graph, at: time)
        // A graph without an output cannot sound, so there is no going back to it.
        if graph.output != nil { former.append((newest, graph)) }
        if former.count > Engine.historyLimit { former.removeFirst() }
    }

    private mutating func post(_ next: Graph, after graph: Graph, at time: SampleTime?) throws(Fault) {
        readReports()
        if isJournalled { for node in next.nodes { node.instance.recordMusic() } }
        let changes = try publisher.change(from: graph, to: next, of: renderer, at: time)
        newest = changes[0].number
        for change in changes { note(change) }
    }

    /// Takes the newest edit back; returns the graph then, or nil if there is none.
    mutating func undo(_ graph: Graph, at time: SampleTime?) throws(Fault) -> Graph? {
        try check()
        guard let last = former.last else { return nil }
        let now = renderer.sampleTime
        if publisher.waits(last.edit, beyond: max(time ?? now, now)), let rest = try cancel(last.edit, graph) { return rest }
        var before = last.graph
        before.continueIdentifiers(of: graph)
        try post(before, after: graph, at: time)
        former.removeLast()
        return before
    }

    /// Takes back an edit that waits; returns the graph then, or nil if it does not wait.
    mutating func cancel(_ number: Int, _ graph: Graph) throws(Fault) -> Graph? {
        try check()
        readReports()
        guard let (cancelled, others) = try publisher.cancel(number, of: renderer) else { return nil }
        differences[number] = nil
        for change in others { note(change) }
        for place in former.indices where former[place].edit > number {
            former[place].graph = former[place].graph.changed(from: cancelled.after, to: cancelled.before)
        }
        former.removeAll { $0.edit == number }
        return publisher.published ?? graph.changed(from: cancelled.after, to: cancelled.before)
    }

    /// Forgets all that could be taken back, units included.
    mutating func forget() { former = [] }

    /// Frees what has faded out.
    mutating func clean() throws(Fault) {
        readReports()
        try publisher.clean(renderer)
    }

    // MARK: - Reports and journal

    /// Takes out the edits that have happened, the newest 1024.
    mutating func takeReports() -> [PlanAdoption] {
        readReports()
        defer { reports = [] }
        return reports
    }

    private mutating func readReports() {
        while let report = renderer.nextAdoption() { reports.append(report) }
        if reports.count > 1024 { reports.removeFirst(reports.count - 1024) }
    }

    /// Remembers the changes of an edit until it has happened.
    private mutating func note(_ change: GraphPublisher.Change) {
        if !isJournalled { return }
        differences[change.number] = JournalledEdit(from: change.before, to: change.after)
        // The journal is not being read: changes of long ago may be dropped.
        if differences.count > 1024 { differences = differences.filter { $0.key > newest - 512 } }
    }

    /// Begins a journal: edits from here on have differences of the graph as it is.
    mutating func beginJournal() { differences = [:] }

    /// Takes out the changes of an edit, with the names of units from then on.
    mutating func takeEdit(_ number: Int) -> JournalledEdit? { differences.removeValue(forKey: number) }
}
