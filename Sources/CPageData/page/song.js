import { link } from './link.js';

// The song that plays: bars, markers and words at once, notes in pieces around the line.

const pieceLength = 60, mostPieces = 5, deepest = 4;

class Song {
  constructor() {
    this.clear();
    this.edition = null;
    this.listeners = [];
    link.on('status', (status) => this.follow(status));
    link.on('open', () => { this.edition = null; });
  }

  on(listener) { this.listeners.push(listener); }

  clear() {
    this.sheet = null;
    this.pieces = new Map();
    this.former = new Map();
  }

  follow({ song, songEdition }) {
    const edition = song ? `${songEdition} ${song.number} ${song.name}` : 'none';
    if (edition === this.edition) return;
    const isSame = song && this.place === `${song.number} ${song.name}`;
    this.edition = edition;
    this.place = song && `${song.number} ${song.name}`;
    if (isSame) {
      // Its notes were changed: those of before are shown until the new ones are here.
      [this.former, this.pieces] = [this.pieces, new Map()];
    } else {
      this.clear();
    }
    if (song) this.fetchSheet(edition);
    else this.tell();
  }

  tell() { for (const listener of this.listeners) listener(this); }

  async fetchSheet(edition) {
    const sheet = await link.get('/api/song');
    if (edition !== this.edition) return;
    this.sheet = sheet;
    this.tell();
  }

  /** The notes of a piece of a minute, sorted by their start; fetched when they are first needed. */
  piece(number) {
    if (number < 0 || !this.sheet || number * pieceLength > this.sheet.length) return [];
    const piece = this.pieces.get(number);
    if (piece) return piece;
    const notes = [...this.former.get(number) ?? []];
    this.pieces.set(number, notes);
    this.fetchNotes(this.edition, number * pieceLength, (number + 1) * pieceLength, 0).then((found) => {
      if (!found) setTimeout(() => this.pieces.get(number) === notes && this.pieces.delete(number), 2000);
      else notes.splice(0, notes.length, ...found.sort((a, b) => a[0] - b[0]));
    });
    this.forget(number);
    return notes;
  }

  /** Fetches in halves what did not fit into an answer. */
  async fetchNotes(edition, from, to, depth) {
    const answer = await link.get(`/api/notes?from=${from}&to=${to}`);
    if (!answer || edition !== this.edition) return null;
    if (answer.isWhole || depth === deepest) return answer.notes;
    const middle = (from + to) / 2;
    const halves = await Promise.all([
      this.fetchNotes(edition, from, middle, depth + 1), this.fetchNotes(edition, middle, to, depth + 1),
    ]);
    return halves.every(Boolean) ? halves.flat() : null;
  }

  /** The note that begins next to a time. */
  nearest(time) {
    let best = null;
    this.eachNote(time - 4, time + 4, (note) => {
      if (!best || Math.abs(note[0] - time) < Math.abs(best[0] - time)) best = note;
    });
    return best;
  }

  /** Drops pieces far from the line, so that memory stays flat however long the song is. */
  forget(number) {
    for (const key of this.pieces.keys()) {
      if (this.pieces.size > mostPieces && Math.abs(key - number) > 2) this.pieces.delete(key);
    }
  }

  /** Calls for each note that sounds between two times; the next piece is fetched before it is needed. */
  eachNote(from, to, call) {
    const first = Math.floor(from / pieceLength), last = Math.floor((to + 10) / pieceLength);
    for (let number = first - 1; number <= last; number += 1) {
      for (const note of this.piece(number)) {
        if (note[0] > to) break;
        if (note[0] + note[1] >= from) call(note);
      }
    }
  }
}

export const song = new Song();
