/**
 * Web Test Runner launcher for WebKit: WebKitGTK's MiniBrowser and its WebDriver, in a virtual
 * display. Debian packages: `webkit2gtk-driver` and `xvfb`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../free-port.mjs';
import { PageLauncher } from './launcher.mjs';
import { WebDriverSession } from './webdriver.mjs';

/**
 * Without a window manager, the window under the pointer has the focus, and the pointer is initially
 * in the middle of the screen. The screen is so small that every window covers its middle.
 */
const screenGeometry = '600x600x24';

/** Shrinks the browser's toolbar, whose minimum width would prevent windows as narrow as a phone. */
const toolbarStyle =
  '* { min-width: 0; min-height: 0; padding: 0; margin: 0; border: 0; font-size: 1px; }';

/** @param {{ driver: string, screen: string }} programs - Paths of `WebKitWebDriver` and `Xvfb`. */
export function webkitLauncher(programs) {
  return new PageLauncher('WebKit', () => createScreen(programs));
}

function createScreen(programs) {
  let environment;
  async function stop() {
    const previousEnvironment = environment;
    environment = undefined;
    (await previousEnvironment)?.stop();
  }
  async function openWindow() {
    environment ??= startEnvironment(programs);
    const { address } = await environment;
    return WebDriverSession.open(address, { browserName: 'MiniBrowser' });
  }
  return {
    async open() {
      // A driver whose browser has crashed cannot open another browser, so a new driver is started.
      const session = await openWindow().catch(() => stop().then(openWindow));
      const close = () => session.close().catch(stop);
      return { ...pageOf(session), close };
    },
    stop,
  };
}

/** The part of Puppeteer's `Page` that Web Test Runner's commands use, through WebDriver. */
function pageOf(session) {
  return {
    goto: (url) => session.goto(url),
    setViewport: (size) => session.setViewport(size),
    screenshot: async () => Buffer.from(await session.screenshot(), 'base64'),
    keyboard: {
      type: (text) => session.type(text),
      press: (keys) => session.press(...keys.split('+')),
      down: (key) => session.keyDown(key),
      up: (key) => session.keyUp(key),
    },
    mouse: {
      move: (x, y) => session.pointerMove(x, y),
      down: ({ button } = {}) => session.pointerDown(button),
      up: ({ button } = {}) => session.pointerUp(button),
      async click(x, y, { button } = {}) {
        await session.pointerMove(x, y);
        await session.pointerDown(button);
        await session.pointerUp(button);
      },
      async reset() {
        await session.pointerUp();
        await session.pointerMove(0, 0);
      },
    },
    emulateMediaFeatures() {
      throw new Error('WebKitGTK cannot emulate media features: run this test only in Chromium.');
    },
  };
}

async function startEnvironment(programs) {
  const home = mkdtempSync(join(tmpdir(), 'inlay-webkit-'));
  mkdirSync(join(home, 'gtk-3.0'));
  writeFileSync(join(home, 'gtk-3.0/gtk.css'), toolbarStyle);
  const processes = [];
  const stop = () => {
    for (const child of processes) child.kill();
    rmSync(home, { recursive: true, force: true });
  };
  process.once('exit', stop);

  // Xvfb writes the display number to file descriptor 3.
  const display = spawn(programs.screen, ['-displayfd', '3', '-screen', '0', screenGeometry], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  processes.push(display);
  const [number] = await once(display.stdio[3], 'data');

  const port = await freePort();
  const driver = spawn(programs.driver, [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: `:${String(number).trim()}`,
      XDG_CONFIG_HOME: home,
      LIBGL_ALWAYS_SOFTWARE: '1',
      // WebKit otherwise paints each tile with OpenGL or with the processor, depending on the load, so that
      // screenshots of an unchanged page differ in their antialiasing.
      WEBKIT_SKIA_ENABLE_CPU_RENDERING: '1',
    },
  });
  processes.push(driver);
  const address = `http://127.0.0.1:${port}`;
  await waitForDriver(address, driver);
  return { address, stop };
}

async function waitForDriver(address, driver) {
  for (;;) {
    const end = driver.exitCode ?? driver.signalCode;
    if (end !== null) throw new Error(`WebKitWebDriver ended with ${end}.`);
    try {
      await fetch(`${address}/status`);
      return;
    } catch {
      await pause(50);
    }
  }
}
