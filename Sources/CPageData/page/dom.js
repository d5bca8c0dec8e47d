// Short functions on the document that every part of the page uses.

/** The element with an id. */
export const find = (id) => document.getElementById(id);

/** The first control that does something, by its `data-does`. */
export const control = (does, within = document) => within.querySelector(`[data-does="${does}"]`);

/** A new element: its properties, then its children. `does` names the action of a control, for tests and for readers. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'does') element.dataset.does = value;
    else if (name.includes('-')) element.setAttribute(name, value);
    else element[name] = value;
  }
  if (tag === 'button') element.type = 'button';
  element.append(...children);
  return element;
}

// Statuses come twenty times a second: an element is touched only if something has changed.

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function setShown(element, isShown) {
  if (element.hidden === isShown) element.hidden = !isShown;
}

export function setPressed(button, isPressed) {
  const text = String(Boolean(isPressed));
  if (button.getAttribute('aria-pressed') !== text) button.setAttribute('aria-pressed', text);
}

export function setEnabled(element, isEnabled) {
  if (element.disabled === isEnabled) element.disabled = !isEnabled;
}

export function setLabel(element, text) {
  if (element.getAttribute('aria-label') !== text) element.setAttribute('aria-label', text);
}

/** Whether a value differs from the one that an element was built from; remembers it. */
export function isNews(element, value) {
  const text = JSON.stringify(value);
  if (element.builtFrom === text) return false;
  element.builtFrom = text;
  return true;
}

/** Whether an element is laid out on the page. */
export const isShown = (element) => element.offsetParent !== null;
