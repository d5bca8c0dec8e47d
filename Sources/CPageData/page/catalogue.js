import { link } from './link.js';

// Every parameter of the patch with its value, as the server sends it: fetched again after any change of a value.

const interval = 250;

class Catalogue {
  constructor() {
    this.units = [];
    this.parameters = new Map();
    this.edition = null;
    this.listeners = [];
    link.on('status', (status) => this.follow(status.parameterEdition));
    link.on('open', () => { this.edition = null; });
  }

  on(listener) { this.listeners.push(listener); }

  /** A parameter by its setting, `reverb.decay`. */
  find(setting) { return this.parameters.get(setting); }

  follow(edition) {
    if (edition === this.edition || this.isFetching) return;
    this.isFetching = true;
    this.fetch(edition).finally(() => setTimeout(() => { this.isFetching = false; }, interval));
  }

  async fetch(edition) {
    const answer = await link.get('/api/parameters');
    if (!answer) return;
    this.edition = answer.parameterEdition ?? edition;
    this.units = answer.units;
    this.parameters = new Map(answer.units.flatMap((unit) => unit.parameters.map((one) => [one.setting, one])));
    for (const listener of this.listeners) listener(this);
  }
}

export const catalogue = new Catalogue();
