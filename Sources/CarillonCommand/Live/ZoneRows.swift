import Carillon
import Reports

/// A row for each zone: name, keys, sound, level; off if a scene has switched it off.
struct ZoneRows {
    let zones: [SessionSnapshot.Zone]
    let channels: [SessionSnapshot.Channel]
    /// The zone that is selected.
    var inHand: String?
    let columns: Int
    let style: ScreenStyle

    /// Rows at most.
    private static let most = 8

    var lines: [ScreenLine] {
        let shown = zones.prefix(Self.most), keys = shown.map(\.keys.count).max() ?? 0
        let width = min(shown.map { TextColumns.count(style.shown($0.name)) }.max() ?? 0, 20)
        return shown.enumerated().map { index, zone in
            var line = line(of: zone, width, keys)
            if index == Self.most - 1, zones.count > Self.most { line.add("  +\(zones.count - Self.most)", .dim) }
            return line
        }
    }

    private func line(of zone: SessionSnapshot.Zone, _ width: Int, _ keys: Int) -> ScreenLine {
        let channel = channels.first { $0.number == zone.channel }, isInHand = zone.name == inHand
        var line = ScreenLine(isInHand ? ">" : " ", .bold)
        line.add(Screen.padded(style.shown(zone.name), to: width), zone.isHeard ? .green : .dim)
        line.add("  " + TextColumns.padded(zone.keys, to: keys))
        // On a narrow screen the sound is worth more than its level.
        let isNarrow = columns < 40, rest = columns - line.columns
        let bar = isNarrow ? 0 : max(rest / 3, 4), space = isNarrow ? rest - 2 : rest - bar - 5
        if space < 6 || isNarrow && !zone.isHeard {
            if !zone.isHeard { line.add("  off", .yellow) }
            return line
        }
        let sound = zone.sound?.name ?? zone.plays ?? channel?.sound?.name ?? channel?.instrument ?? ""
        line.add("  " + Screen.padded(style.shown(sound), to: space), zone.isHeard ? .plain : .dim)
        if !zone.isHeard {
            line.add(" off", .yellow)
        } else if !isNarrow, let level = channel?.level {
            line.add(" ")
            let marks = Screen(columns: columns, style: style).bar(
                LevelScale.place(level.average), further: LevelScale.place(level.peak), columns: bar)
            for (piece, look) in LevelScale.coloured(marks) { line.add(piece, look) }
        }
        return line
    }
}

extension Screen {
    mutating func addZones(
        _ zones: [SessionSnapshot.Zone], _ channels: [SessionSnapshot.Channel], inHand: String? = nil, rank: Int
    ) {
        let rows = ZoneRows(zones: zones, channels: channels, inHand: inHand, columns: room, style: style)
        if !zones.isEmpty { add("zones", lines: rows.lines, rank: rank) }
    }
}
