/** A minimal client of the W3C WebDriver protocol, with the commands that the tests need. */

import { setTimeout as pause } from 'node:timers/promises';

/** Code points of special keys. https://w3c.github.io/webdriver/#keyboard-actions */
const keys = {
  Backspace: '\ue003',
  Tab: '\ue004',
  Enter: '\ue007',
  Shift: '\ue008',
  Control: '\ue009',
  Alt: '\ue00a',
  Escape: '\ue00c',
  Space: ' ',
  PageUp: '\ue00e',
  PageDown: '\ue00f',
  End: '\ue010',
  Home: '\ue011',
  ArrowLeft: '\ue012',
  ArrowUp: '\ue013',
  ArrowRight: '\ue014',
  ArrowDown: '\ue015',
  Insert: '\ue016',
  Delete: '\ue017',
  F6: '\ue036',
  Meta: '\ue03d',
};

const buttons = { left: 0, middle: 1, right: 2 };

/** A browser window with its own profile, which is deleted when the window closes. */
export class WebDriverSession {
  #address;
  /** Size of the window decorations in pixels. Measured once, because it is equal for all windows. */
  static #frame = { width: 0, height: 0 };

  constructor(address) {
    this.#address = address;
  }

  static async open(driver, capabilities) {
    const body = { capabilities: { alwaysMatch: capabilities } };
    const { sessionId } = await call('POST', `${driver}/session`, body, 20_000);
    return new WebDriverSession(`${driver}/session/${sessionId}`);
  }

  close() {
    return call('DELETE', this.#address, undefined, 10_000);
  }

  goto(url) {
    return call('POST', `${this.#address}/url`, { url });
  }

  evaluate(script) {
    return call('POST', `${this.#address}/execute/sync`, { script: `return ${script}`, args: [] });
  }

  /** Takes a screenshot of the viewport as base64-encoded PNG. */
  screenshot() {
    return call('GET', `${this.#address}/screenshot`);
  }

  /** Sets the size of the viewport (not of the window). */
  async setViewport(size) {
    const deadline = Date.now() + 15_000;
    for (;;) {
      await call('POST', `${this.#address}/window/rect`, {
        width: size.width + WebDriverSession.#frame.width,
        height: size.height + WebDriverSession.#frame.height,
      });
      const viewport = await this.#waitForSize(size);
      if (viewport.width === size.width && viewport.height === size.height) return;
      if (Date.now() > deadline) {
        throw new Error(`The viewport stays ${viewport.width} × ${viewport.height} px.`);
      }
      const window = await call('GET', `${this.#address}/window/rect`);
      WebDriverSession.#frame = {
        width: window.width - viewport.width,
        height: window.height - viewport.height,
      };
    }
  }

  /**
   * Waits up to a second until the viewport has the expected size, because windows resize
   * asynchronously. Returns the size of the viewport.
   */
  async #waitForSize(expected) {
    for (let attempts = 0; ; attempts += 1) {
      const [width, height] = await this.evaluate('[innerWidth, innerHeight]');
      const isExpected = width === expected.width && height === expected.height;
      if (isExpected || attempts === 20) return { width, height };
      await pause(50);
    }
  }

  /** @param {string[]} names - Names of special keys, or characters. */
  press(...names) {
    const codes = names.map(codeOf);
    return this.#act(
      'key',
      ...codes.map((value) => ({ type: 'keyDown', value })),
      ...codes.reverse().map((value) => ({ type: 'keyUp', value })),
    );
  }

  type(text) {
    return this.#act(
      'key',
      ...[...text].flatMap((character) => {
        const value = character === '\n' ? keys.Enter : character;
        return [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ];
      }),
    );
  }

  keyDown(name) {
    return this.#act('key', { type: 'keyDown', value: codeOf(name) });
  }

  keyUp(name) {
    return this.#act('key', { type: 'keyUp', value: codeOf(name) });
  }

  pointerMove(x, y) {
    return this.#act('pointer', { type: 'pointerMove', x, y, duration: 0 });
  }

  pointerDown(button = 'left') {
    return this.#act('pointer', { type: 'pointerDown', button: buttons[button] });
  }

  pointerUp(button = 'left') {
    return this.#act('pointer', { type: 'pointerUp', button: buttons[button] });
  }

  #act(type, ...actions) {
    return call('POST', `${this.#address}/actions`, { actions: [{ type, id: type, actions }] });
  }
}

function codeOf(name) {
  const code = keys[name] ?? name;
  if ([...code].length !== 1) throw new Error(`There is no key ${name}. Add it to webdriver.mjs.`);
  return code;
}

/** Sends a command. Has a timeout, because a driver whose browser has crashed may not respond. */
async function call(method, address, body, timeoutMs = 60_000) {
  const response = await fetch(address, {
    method,
    signal: AbortSignal.timeout(timeoutMs),
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}
