/// Changes a text where what it means changes, and leaves the rest: comments, order, ways of writing.
package struct FileMerge {
    package let source: SourceLines

    package init(source: SourceLines) { self.source = source }

    /// One entry of a block mapping: the comments before it, and its lines.
    private struct Chunk {
        let entry: FileNode.Entry
        let lead: Range<Int>
        let body: Range<Int>
    }

    /// The lines of a mapping, which `root` is, that means `new` from now on instead of `old`; nil if it is not written
    /// in lines of its own.
    package func merged(
        _ root: FileNode, lines: Range<Int>, from old: FileTree, to new: FileTree, isOrdered: Bool = false
    ) -> [String]? {
        guard let (chunks, tail) = chunks(root, lines), let first = chunks.first else { return nil }
        let margin = String(repeating: " ", count: first.entry.key.column - 1)
        let olds = Dictionary(old.entries.map { ($0.key, $0) }) { $1 }
        let news = Dictionary(new.entries.map { ($0.key, $0) }) { $1 }
        var pieces: [(key: String, lines: [String])] = []
        for chunk in chunks {
            let name = chunk.entry.name
            let body = chunk.body.map { source[$0] }
            switch (olds[name], news[name]) {
            case (_?, nil): pieces.append((name, lead(chunk.lead, ofRemoved: true)))
            case (nil, nil): pieces.append((name, lead(chunk.lead) + body))
            case (let old?, let new?) where old.value == new.value: pieces.append((name, lead(chunk.lead) + body))
            case (let old, let new?): pieces.append((name, lead(chunk.lead) + changed(chunk, old?.value, new)))
            }
        }
        let had = Set(pieces.map(\.key))
        var added: [String: [String]] = [:]
        for entry in new.entries where !had.contains(entry.key) {
            let isApart = first.entry.key.column == 1 || chunks.last.map { $0.lead.contains(where: source.isBlank) } == true
            added[entry.key] = (isApart ? ["\n"] : []) + written(entry, margin: margin)
        }
        var result: [String] = []
        if isOrdered {
            for piece in pieces where news[piece.key] == nil { result += piece.lines }
            let kept = Dictionary(pieces.map { ($0.key, $0.lines) }) { $1 }
            for entry in new.entries { result += Self.closed(&result) + (kept[entry.key] ?? added[entry.key] ?? []) }
        } else {
            for piece in pieces { result += piece.lines }
            for entry in new.entries { if let lines = added[entry.key] { result += Self.closed(&result) + lines } }
        }
        return result + tail.map { source[$0] }
    }

    /// Sees to it that what comes next begins a line.
    private static func closed(_ lines: inout [String]) -> [String] {
        let sign = lines.last?.unicodeScalars.last
        if let sign, sign != "\n", sign != "\r" { lines[lines.count - 1] += "\n" }
        return []
    }

    /// The entries of a block mapping with their lines, and the lines after the last.
    private func chunks(_ root: FileNode, _ lines: Range<Int>) -> ([Chunk], tail: Range<Int>)? {
        guard case .mapping(let entries) = root.content, let column = entries.first?.key.column, source.sign(root) != "{"
        else { return nil }
        var chunks: [Chunk] = [], end = lines.lowerBound
        for (index, entry) in entries.enumerated() {
            let line = entry.key.line - 1
            let next = index + 1 < entries.count ? entries[index + 1].key.line - 1 : lines.upperBound
            guard entry.key.column == column, source.begins(entry.key), line >= end, next > line, next <= lines.upperBound
            else { return nil }
            var last = next
            while last - 1 > line, isBetween(last - 1, column: column) { last -= 1 }
            chunks.append(Chunk(entry: entry, lead: end..<line, body: line..<last))
            end = last
        }
        return (chunks, end..<lines.upperBound)
    }

    /// Returns true if a line after an entry belongs to the next one.
    private func isBetween(_ line: Int, column: Int) -> Bool {
        source.isBlank(line) || (source.isComment(line) && source.margin(line) < column)
    }

    /// Returns the lines before an entry; for a removed entry only those that do not touch it.
    private func lead(_ lines: Range<Int>, ofRemoved isRemoved: Bool = false) -> [String] {
        guard isRemoved else { return lines.map { source[$0] } }
        var end = lines.upperBound
        while end > lines.lowerBound, source.isComment(end - 1) { end -= 1 }
        let rest = lines.lowerBound..<end
        return rest.allSatisfy(source.isBlank) ? [] : rest.map { source[$0] }
    }

    /// Returns the lines of an entry whose value has changed.
    private func changed(_ chunk: Chunk, _ old: FileTree?, _ new: FileTree.Entry) -> [String] {
        let value = chunk.entry.value, inside = chunk.body.dropFirst(), key = source[chunk.body.lowerBound]
        let isBelow = value.line - 1 > chunk.body.lowerBound
        if isBelow, let old, case .mapping = old, case .mapping = new.value,
            let lines = merged(
                value, lines: inside.startIndex..<inside.endIndex, from: old, to: new.value,
                isOrdered: new.isOrdered)
        {
            return [key] + lines
        }
        if isBelow, let old = old?.parts, let new = new.value.parts,
            let lines = items(value, lines: inside.startIndex..<inside.endIndex, from: old, to: new)
        {
            return [key] + lines
        }
        let former = old?.entries.map(\.key) ?? [], kept = new.value.entries.map(\.key).filter(former.contains)
        let keepsOrder = !new.isOrdered || kept == former.filter(kept.contains)
        if !isBelow, keepsOrder, chunk.body.count == 1, let line = inBraces(value, old, new.value) { return [line] }
        if !isBelow, chunk.body.count == 1, let text = FileText.inline(new.value),
            let line = source.replacing(value, by: text)
        {
            return [line]
        }
        return written(new, margin: String(repeating: " ", count: chunk.entry.key.column - 1))
    }

    /// The line of a mapping in braces with changed or more values; nil if it cannot stay a line.
    private func inBraces(_ node: FileNode, _ old: FileTree?, _ new: FileTree) -> String? {
        guard case .mapping(let nodes) = node.content, source.sign(node) == "{", case .mapping(let old)? = old,
            case .mapping(let new) = new
        else { return nil }
        func value(_ entries: [FileTree.Entry], _ key: String) -> FileTree? { entries.first { $0.key == key }?.value }
        if old.contains(where: { value(new, $0.key) == nil }) { return nil }
        var line = source
        // From the right, so that text to the left keeps its place.
        var added: [String] = []
        for entry in new where !nodes.contains(where: { $0.name == entry.key }) {
            guard let text = FileText.inline(entry.value, inRow: true) else { return nil }
            added.append("\(ScalarText.text(entry.key, inRow: true)): \(text)")
        }
        if !added.isEmpty, !line.append(added.joined(separator: ", "), inBracesOf: node, isEmpty: nodes.isEmpty) { return nil }
        for entry in nodes.reversed() {
            guard let wanted = value(new, entry.name), value(old, entry.name) != wanted else { continue }
            guard entry.value.line == node.line, let text = FileText.inline(wanted, inRow: true),
                let changed = line.replacing(entry.value, by: text, inRow: true)
            else { return nil }
            line.replaceLine(node.line - 1, by: changed)
        }
        return line[node.line - 1]
    }

    /// The lines of a list; items that mean what they meant stay as they are.
    private func items(_ list: FileNode, lines: Range<Int>, from old: [String], to new: [String]) -> [String]? {
        guard case .list(let nodes) = list.content, source.sign(list) == "-",
            let margin = nodes.first.map({ source.margin($0.line - 1) })
        else { return nil }
        // Where each part of the old list is in the new one.
        let difference = new.difference(from: old)
        let removed = Set(difference.removals.map(Self.offset)), inserted = Set(difference.insertions.map(Self.offset))
        let stay = zip(old.indices.filter { !removed.contains($0) }, new.indices.filter { !inserted.contains($0) })
        let places = Dictionary(uniqueKeysWithValues: stay.map { ($0, $1) })
        var result: [String] = [], written = 0, part = 0, end = lines.lowerBound
        func write(until place: Int) {
            result += Self.closed(&result)
            while written < place {
                let item = FileText.line(.init(text: new[written], parts: []), indent: 0)
                result.append(String(repeating: " ", count: margin) + item + "\n")
                written += 1
            }
        }
        for (index, node) in nodes.enumerated() {
            guard case .scalar(let text, _) = node.content else { return nil }
            let line = node.line - 1, next = index + 1 < nodes.count ? nodes[index + 1].line - 1 : lines.upperBound
            guard line >= end, next > line, next <= lines.upperBound else { return nil }
            var last = next
            while last - 1 > line, isBetween(last - 1, column: margin + 1) { last -= 1 }
            // A row of connections has one part for each arrow.
            let count = text.contains(" -> ") ? text.split(separator: " ").count / 2 : 1
            let mine = (part..<part + count).map { places[$0] }
            part += count
            let isKept = mine.enumerated().allSatisfy { index, place in place.map { $0 - index } == mine[0] && place != nil }
            if isKept, let place = mine.first ?? nil {
                let before = lead(end..<line)
                write(until: place)
                result += before + (line..<last).map { source[$0] }
                written = place + count
            } else {
                result += lead(end..<line, ofRemoved: true)
            }
            end = last
        }
        guard part == old.count else { return nil }
        write(until: new.count)
        return result + (end..<lines.upperBound).map { source[$0] }
    }

    private static func offset(_ change: CollectionDifference<String>.Change) -> Int {
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }

    private func written(_ entry: FileTree.Entry, margin: String) -> [String] {
        FileText().lines(entry, indent: 0).map { margin + $0 + "\n" }
    }
}
