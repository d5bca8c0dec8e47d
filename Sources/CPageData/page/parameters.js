import { find, control, make, setText, setShown, setEnabled, isNews, isShown } from './dom.js';
import { link } from './link.js';
import { catalogue } from './catalogue.js';
import { Slider, linear, logarithmic } from './slider.js';
import { plain, plural, value as text } from './format.js';

// Every parameter of the patch, from the catalogue: nothing here knows a unit by its name.

const units = find('units'), search = control('find-parameter');
const rows = new Map();

/** One parameter's label, control and value, and a button for its initial value. */
class Row {
  constructor(parameter) {
    this.parameter = parameter;
    const id = `p-${parameter.setting}`, help = make('p', { className: 'soft help', id: `${id}-help` }, parameter.help);
    this.output = make('output', { className: 'level' });
    this.reset = make('button', { className: 'reset', does: 'reset-parameter',
      'aria-label': `${parameter.setting}: initial value`, title: 'Initial value' }, '↺');
    this.reset.onclick = () => this.send(this.parameter.initial);
    this.input = this.isSwitch ? this.makeSwitch() : parameter.steps ? this.makeChoice() : this.makeRange();
    this.input.id = id;
    this.input.dataset.setting = parameter.setting;
    this.input.setAttribute('aria-describedby', help.id);
    this.element = make('div', { className: 'parameter' },
      make('label', { htmlFor: id }, parameter.name.replaceAll('-', ' ')), this.input, this.output, this.reset, help);
    this.show(parameter);
  }

  get isSwitch() {
    const { steps } = this.parameter;
    return steps?.length === 2 && steps[0] === 'off' && steps[1] === 'on';
  }

  /** A named value is sent by its name: 4 may be the name of the third. */
  line(value) {
    const { setting, steps, min } = this.parameter;
    return `set ${setting}=${steps ? steps[Math.round(value) - min] : plain(value)}`;
  }

  send(value) { return link.send(this.line(value)).then(() => catalogue.follow(-1)); }

  makeSwitch() {
    const input = make('input', { type: 'checkbox', role: 'switch', does: 'parameter-switch' });
    input.onchange = () => this.send(input.checked ? 1 : 0);
    return input;
  }

  makeChoice() {
    const { steps, min } = this.parameter;
    const input = make('select', { does: 'parameter-choice' },
      ...steps.map((name, index) => make('option', { value: String(min + index) }, name)));
    input.onchange = () => this.send(Number(input.value));
    return input;
  }

  makeRange() {
    const { min, max, isWhole, isLogarithmic } = this.parameter, isOctaves = isLogarithmic && min > 0;
    const step = isWhole ? 1 : isOctaves ? 1 : (max - min) / 1000;
    const input = make('input', { type: 'range', min: isOctaves ? 0 : min, max: isOctaves ? 1000 : max, step,
      does: 'parameter-range' });
    this.slider = new Slider(input, {
      line: (value) => this.line(value), text: (value) => text(value, this.parameter), output: this.output,
      scale: isOctaves ? logarithmic(min, max) : linear,
    });
    return input;
  }

  show(parameter) {
    this.parameter = parameter;
    const { value, initial } = parameter;
    setEnabled(this.reset, Math.abs(value - initial) > 1e-4 * Math.max(1, Math.abs(initial)));
    if (this.slider) return this.slider.show(value, parameter.text);
    if (this.isSwitch) this.input.checked = value > 0.5; else this.input.value = String(Math.round(value));
    setText(this.output, this.isSwitch ? parameter.text : '');
  }
}

/** A unit as a drawer, whose rows are made when it is first opened: a patch may have a thousand parameters. */
function drawer(unit) {
  const body = make('div', { className: 'parameters' });
  const about = make('span', { className: 'soft' }, unit.type === unit.name ? plural(unit.parameters.length, 'parameter')
    : `${unit.type}, ${plural(unit.parameters.length, 'parameter')}`);
  const summary = make('summary', { does: 'unit' }, make('b', {}, unit.name), ' ', about);
  const details = make('details', { className: 'unit' }, summary, body);
  details.dataset.unit = unit.name;
  details.addEventListener('toggle', () => { if (details.open) fill(body, unit); });
  return details;
}

function fill(body, unit) {
  if (body.firstChild) return;
  for (const parameter of unit.parameters) {
    const row = new Row(catalogue.find(parameter.setting) ?? parameter);
    rows.set(parameter.setting, row);
    body.append(row.element);
  }
  narrow();
}

/** Effects and instruments come first; the strips are in the mixer's view too. */
const order = (unit) => (unit.name.startsWith('strip-') ? 1 : 0);

function build() {
  const shape = catalogue.units.map((unit) => [unit.name, unit.type, unit.parameters.length]);
  if (isNews(units, shape)) {
    const open = new Set([...units.querySelectorAll('details[open]')].map((one) => one.dataset.unit));
    rows.clear();
    units.replaceChildren(...[...catalogue.units].sort((a, b) => order(a) - order(b)).map(drawer));
    const first = open.size > 0 ? open : new Set([units.firstChild?.dataset.unit]);
    for (const details of units.children) details.open = first.has(details.dataset.unit);
  }
  for (const [setting, row] of rows) {
    const parameter = catalogue.find(setting);
    if (parameter) row.show(parameter);
  }
}

/** Shows only parameters with the words that were typed, and opens the drawers that have some. */
function narrow() {
  const words = search.value.toLowerCase().split(/[\s.-]+/).filter(Boolean);
  for (const unit of catalogue.units) {
    const details = units.querySelector(`details[data-unit="${CSS.escape(unit.name)}"]`);
    if (!details) continue;
    const fits = (parameter) => words.every((word) => `${parameter.setting} ${parameter.help}`.toLowerCase().includes(word));
    const found = unit.parameters.filter(fits);
    setShown(details, found.length > 0);
    if (words.length > 0 && found.length > 0 && found.length < 40) details.open = true;
    for (const parameter of unit.parameters) {
      const row = rows.get(parameter.setting);
      if (row) setShown(row.element, fits(parameter));
    }
  }
}

search.oninput = narrow;
catalogue.on(() => { if (isShown(find('sound'))) build(); });
export const openParameters = build;
