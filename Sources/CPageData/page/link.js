// The connection: statuses come, lines of the grammar go, answers come in the order of the lines.

const shortestDelay = 500, longestDelay = 8000;

const isNested = (value) => typeof value === 'object' && value !== null;

/** A status after a change: members by name, items of a list by place, or as `removed` and `added`; anything else is replaced. */
function changed(old, change) {
  if (!isNested(change) || Array.isArray(change) || !isNested(old)) return change;
  const isList = Array.isArray(old);
  if (isList && change.removed) {
    const value = old.filter((_, place) => !change.removed.includes(place));
    for (const place of Object.keys(change.added).sort((a, b) => a - b)) value.splice(place, 0, change.added[place]);
    return value;
  }
  const value = isList ? [...old] : { ...old };
  for (const name of Object.keys(change)) value[name] = changed(old[name], change[name]);
  return value;
}

class Link {
  constructor() {
    this.isOpen = false;
    this.role = 'full';
    this.status = null;
    this.listeners = { status: [], open: [], closed: [], unknown: [], role: [], failed: [], away: [] };
    this.waiting = [];
    this.delay = shortestDelay;
  }

  /** Calls for `status`, `open`, `closed` (with milliseconds until the next attempt), `unknown` (a token is needed), ... */
  on(event, listener) { this.listeners[event].push(listener); }

  tell(event, ...values) { for (const listener of this.listeners[event]) listener(...values); }

  open() {
    clearTimeout(this.timer);
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(`${scheme}//${location.host}/ws`);
    this.socket = socket;
    socket.onopen = () => {
      [this.isOpen, this.delay] = [true, shortestDelay];
      this.tell('open');
      this.learnRole();
    };
    socket.onmessage = (message) => this.receive(message.data);
    socket.onclose = () => { if (this.socket === socket) this.lost(); };
  }

  receive(text) {
    if (text[0] !== '{') {
      const settle = this.waiting.shift();
      if (settle) settle({ isOk: text.startsWith('ok'), text: text.replace(/^(ok|error)\s*/, '') });
    } else {
      const news = JSON.parse(text);
      // The gateway keeps the connection when its session ends.
      this.isUntaken = !news.isAway;
      if (news.isAway) return this.setAway(true);
      this.status = 'changes' in news ? changed(this.status, news.changes) : news;
      // A hidden page keeps only the last one, for when it is shown again.
      if (!document.hidden) this.take();
    }
  }

  take() {
    this.isUntaken = false;
    this.setAway(false);
    this.tell('status', this.status);
  }

  setAway(isAway) {
    if (this.isAway === isAway) return;
    this.isAway = isAway;
    this.tell('away', isAway);
  }

  /** Takes what came while the page was hidden. */
  catchUp() {
    if (this.isUntaken) this.take();
    if (!this.isOpen && this.timer && this.socket.readyState === WebSocket.CLOSED) this.open();
  }

  async lost() {
    const wasOpen = this.isOpen;
    this.isOpen = false;
    for (const settle of this.waiting.splice(0)) settle({ isOk: false, text: 'the connection broke off before the answer' });
    this.tell('closed', this.delay);
    if (!wasOpen && await this.isUnknown()) return this.tell('unknown');
    this.timer = setTimeout(() => this.open(), this.delay);
    this.delay = Math.min(this.delay * 2, longestDelay);
  }

  /** A refused handshake gives no reason; a request for the status does. */
  async isUnknown() {
    try { return (await fetch('/api/status')).status === 401; } catch { return false; }
  }

  async learnRole() {
    const answer = await this.get('/api/role');
    this.role = answer?.role ?? 'full';
    this.tell('role', this.role);
  }

  /** JSON from the server; null if it has none or does not answer. */
  async get(path) {
    try {
      const answer = await fetch(path);
      if (answer.status === 401) this.tell('unknown');
      return answer.ok ? await answer.json() : null;
    } catch { return null; }
  }

  /** Sends a line and returns the answer as `{isOk, text}`; a failure also calls the listeners of `failed`. */
  async send(line) {
    const answer = await this.ask(line);
    if (!answer.isOk) this.tell('failed', answer.text);
    return answer;
  }

  ask(line) {
    if (!this.isOpen) return Promise.resolve({ isOk: false, text: 'not connected: nothing was changed' });
    this.socket.send(line);
    return new Promise((settle) => this.waiting.push(settle));
  }
}

export const link = new Link();
