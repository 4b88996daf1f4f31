import * as clearance from '@inlay/elements/bubble';
import { expect } from 'chai';
import { type InlayGlobal, start } from './start.ts';
import { styles } from './styles.ts';

const existingElements = new Set<Element>();

beforeEach(() => {
  for (const element of document.body.children) existingElements.add(element);
});

afterEach(() => {
  for (const element of [...document.body.children])
    if (!existingElements.has(element)) element.remove();
  delete window.inlay;
  sessionStorage.clear();
});

const loadClearance = async () => clearance;

/** Runs the loader for a script tag with these data attributes. Returns the bubble. */
function setup(
  attributes: Record<string, string> = {},
  path = '/inlay.js',
  load = () => import('./launch.ts'),
) {
  const script = document.createElement('script');
  // Not a JavaScript type, so that the browser does not run the script.
  script.type = 'text/plain';
  script.src = `${location.origin}${path}`;
  Object.assign(script.dataset, attributes);
  start(script, load, styles, loadClearance);
  const host = document.body.lastElementChild as HTMLElement;
  const button = host.shadowRoot?.querySelector('button') as HTMLButtonElement;
  return { host, button };
}

/** Runs the loader for a script tag whose first load of the chat fails. */
function setupFailing(attributes: Record<string, string> = {}) {
  let failures = 0;
  const load = () =>
    failures++ === 0 ? Promise.reject(new Error('no network')) : import('./launch.ts');
  const { host, button } = setup(attributes, '/inlay.js', load);
  const message = () =>
    host.shadowRoot?.querySelector('[role=status] > :not([inert])')?.textContent ?? '';
  return { button, controls: window.inlay as InlayGlobal, message };
}

/** Resolves after the timer of a teaser without delay. */
const teaserDelay = () => new Promise((resolve) => setTimeout(resolve));

const buttonProperties = [
  ...['background-color', 'color', 'box-shadow', 'border-radius', 'transition'],
  ...['inline-size', 'block-size', 'cursor', 'touch-action'],
] as const;
const iconProperties = [
  'inline-size',
  'block-size',
  'stroke-width',
  'stroke-linecap',
  'fill',
] as const;

/** Position and visible styles of a bubble. */
function appearanceOf(button: HTMLButtonElement) {
  const icon = button.querySelector('svg') as SVGElement;
  const read = (element: Element, names: readonly string[]) =>
    names.map((name) => `${name}: ${getComputedStyle(element).getPropertyValue(name)}`);
  const { x, y, width, height } = button.getBoundingClientRect();
  return {
    ...{ x, y, width, height },
    button: read(button, buttonProperties),
    icon: read(icon, iconProperties),
    path: icon.querySelector('path')?.getAttribute('d'),
  };
}

const isChatLoaded = () =>
  performance.getEntriesByType('resource').some((entry) => entry.name.includes('launch.ts'));

/** Resolves once the module that reports unknown options is loaded and has run. */
async function waitForReports() {
  await import('./report-unknown-option.ts');
  await new Promise((resolve) => setTimeout(resolve));
}

describe('start', () => {
  it('ignores boolean attributes with the value “false”', () => {
    const { button } = setup({ noBubble: 'false', noDrag: 'false', open: 'false' });

    expect(button.getClientRects()).to.have.length(1);
    expect(button.classList.contains('movable')).to.equal(true);
    expect(isChatLoaded()).to.equal(false);
  });

  it('draws a bubble, and does not load the chat', () => {
    const { button } = setup();

    expect(button.getAttribute('aria-label')).to.equal('Open chat');
    expect(button.getBoundingClientRect().right).to.equal(
      document.documentElement.clientWidth - 20,
    );
    expect(isChatLoaded()).to.equal(false);
  });

  it('draws the bubble with the label and position of the options', () => {
    const { button } = setup({ label: 'Fragen?', placement: 'bottom-start' });

    expect(button.getAttribute('aria-label')).to.equal('Fragen?');
    expect(button.getBoundingClientRect().left).to.equal(20);
  });

  it('shows a failure to load the chat with the texts of the script tag', async () => {
    const script = document.createElement('script');
    script.src = `${location.origin}/inlay.js`;
    Object.assign(script.dataset, { failed: 'Noch einmal?', dismiss: 'Schließen' });
    const load = () => Promise.reject(new Error('no network'));
    start(script, load, styles, loadClearance);
    const root = document.body.lastElementChild?.shadowRoot;

    await (window.inlay as InlayGlobal).open().catch(() => {});

    expect(root?.querySelector('[role=status]')?.textContent).to.equal('Noch einmal?');
    expect(root?.querySelector('.teaser-close')?.ariaLabel).to.equal('Schließen');
  });

  it('shows no teaser after a failure to load the chat', async () => {
    const { controls, message } = setupFailing({ teaser: 'Any questions?', teaserDelay: '0' });
    await controls.open().catch(() => {});
    await teaserDelay();

    expect(message()).to.equal('Chat not loaded. Try again?');
  });

  it('shows that the chat is loading again after a failure', async () => {
    const { button, controls, message } = setupFailing();
    await controls.open().catch(() => {});

    const launcher = controls.launcher();

    expect(message()).to.equal('');
    expect(button.ariaBusy).to.equal('true');
    await launcher;
  });

  it('shows no failure in the launcher after a retry that succeeds', async () => {
    const { controls } = setupFailing();
    await controls.open().catch(() => {});

    const launcher = await controls.launcher();
    await launcher.updateComplete;

    expect(launcher.shadowRoot?.querySelector('[part=teaser-text]')?.textContent).to.equal(
      undefined,
    );
  });

  it('hands the bubble over to the launcher where a cookie bar has moved it', async () => {
    const bar = document.body.appendChild(document.createElement('div'));
    bar.style.cssText = 'position: fixed; inset: auto 0 0; block-size: 100px';
    const { button } = setup();
    const heightOf = (element: Element) => innerHeight - element.getBoundingClientRect().bottom;
    while (heightOf(button) < 112) await new Promise(requestAnimationFrame);

    const launcher = await (window.inlay as InlayGlobal).launcher();

    const launcherButton = launcher.shadowRoot?.querySelector('button') as HTMLButtonElement;
    expect(heightOf(launcherButton)).to.equal(112);
  });

  it('shows a visible teaser while the chat loads, and then in the launcher', async () => {
    const { host, button } = setup({ teaser: 'Any questions?', teaserDelay: '0' });
    await teaserDelay();

    const launching = (window.inlay as InlayGlobal).launcher();

    expect(host.shadowRoot?.querySelector('[role=status]')?.textContent).to.equal('Any questions?');
    expect(button.ariaBusy).to.equal('true');
    const launcher = await launching;
    await launcher.updateComplete;
    expect(launcher.shadowRoot?.querySelector('[part=teaser]')?.textContent).to.contain(
      'Any questions?',
    );
  });

  it('isolates the bubble from the styles of the page', () => {
    const style = document.createElement('style');
    style.textContent = 'button, div { inline-size: 3px !important; display: none !important; }';
    document.head.append(style);

    const { button } = setup();

    expect(button.getBoundingClientRect().width).to.equal(56);
    style.remove();
  });

  it('draws a bubble that looks like the bubble of the launcher', async () => {
    for (const accent of ['', '#ffd400', '#101010']) {
      const { host, button } = setup({ accent, colorScheme: 'dark', placement: 'bottom-start' });
      host.style.setProperty('--inlay-launcher-offset', '31px');
      const before = appearanceOf(button);

      const { launch } = await import('./launch.ts');
      const launcher = launch({ accent, colorScheme: 'dark', placement: 'bottom-start' });
      launcher.style.setProperty('--inlay-launcher-offset', '31px');
      await launcher.updateComplete;
      const launcherButton = launcher.shadowRoot?.querySelector('button');

      expect(launcherButton && appearanceOf(launcherButton)).to.deep.equal(before);
      launcher.remove();
      host.remove();
      delete window.inlay;
    }
  });

  it('draws a bubble that the page can style with parts and tokens, like the launcher’s bubble', async () => {
    const style = document.createElement('style');
    style.textContent = `:root { --inlay-launcher-radius: 9px }
      :is(inlay-launcher, inlay-bubble)::part(bubble) { opacity: 0.5 }`;
    document.body.append(style);
    const { button } = setup();
    const { launch } = await import('./launch.ts');
    const launcher = launch({});
    await launcher.updateComplete;
    const launcherButton = launcher.shadowRoot?.querySelector('button') as HTMLButtonElement;

    for (const each of [button, launcherButton]) {
      const { opacity, borderRadius } = getComputedStyle(each);
      expect([opacity, borderRadius]).to.deep.equal(['0.5', '9px']);
    }
    launcher.remove();
  });

  it('replaces the options on window.inlay by controls, and dispatches inlay-load', async () => {
    window.inlay = { getToken: async () => 'et_of_the_page' };
    const loadEvent = new Promise((resolve) => {
      window.addEventListener('inlay-load', resolve, { once: true });
    });

    setup();

    await loadEvent;
    expect(window.inlay).to.have.keys('open', 'close', 'toggle', 'configure', 'launcher');
  });

  it('does not replace window.inlay if it runs for a second script tag', () => {
    setup();
    const first = window.inlay;

    setup();

    expect(window.inlay).to.equal(first);
  });

  it('reports an unknown option once, and ignores other data attributes', async () => {
    const { configure, launch } = await import('./launch.ts');
    const { warn } = console;
    const warnings: string[] = [];
    console.warn = (text: string) => void warnings.push(text);
    const misspelled: Record<string, string> = { headin: 'Ask us' };
    const foreign: Record<string, string> = { cfasync: 'false' };
    const launcher = launch({ ...misspelled, ...foreign }, foreign);
    configure(launcher, { ...misspelled, heading: 'Ask us' });
    await waitForReports();
    console.warn = warn;
    launcher.remove();

    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain('“headin”').and.to.contain('heading');
    expect(launcher.getAttribute('heading')).to.equal('Ask us');
  });

  it('suggests the option that a misspelled data attribute resembles', async () => {
    const { launch } = await import('./launch.ts');
    const { warn } = console;
    const warnings: string[] = [];
    console.warn = (text: string) => void warnings.push(text);
    const attributes: Record<string, string> = { publishibleKey: 'pk_demo', turboTrack: 'reload' };
    launch({ ...attributes }, attributes).remove();
    await waitForReports();
    console.warn = warn;

    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain('Did you mean “publishableKey”?');
  });

  it('replaces the bubble by a launcher with the options of the script tag after a click', async () => {
    const { host, button } = setup({ publishableKey: 'pk_demo', heading: 'Ask us', label: 'Help' });
    button.click();

    const controls = window.inlay;
    if (!controls || !('launcher' in controls)) throw new Error('window.inlay has no controls.');
    const launcher = await (controls.launcher as () => Promise<HTMLElement>)();

    expect(launcher.localName).to.equal('inlay-launcher');
    expect(launcher.getAttribute('publishable-key')).to.equal('pk_demo');
    expect(launcher.getAttribute('heading')).to.equal('Ask us');
    expect(launcher.getAttribute('base-url')).to.equal(location.origin);
    expect(launcher.shadowRoot?.querySelector('.bubble')?.ariaLabel).to.equal('Help');
    expect(host.isConnected).to.equal(false);
  });

  it('ignores options that the page sets to null', async () => {
    Object.assign(window, { inlay: { tokenUrl: null, publishableKey: 'pk_demo' } });
    setup();
    const launcher = await (window.inlay as InlayGlobal).launcher();

    expect(launcher.hasAttribute('token-url')).to.equal(false);
    expect(launcher.publishableKey).to.equal('pk_demo');
  });

  it('derives the server’s URL from a script URL with a pinned version', async () => {
    setup({ publishableKey: 'pk_demo' }, '/v/0.1.0/inlay.js');

    const controls = window.inlay;
    if (!controls || !('launcher' in controls)) throw new Error('window.inlay has no controls.');
    const launcher = await (controls.launcher as () => Promise<HTMLElement>)();

    expect(launcher.getAttribute('base-url')).to.equal(location.origin);
  });
});

describe('a page that replaces its body', () => {
  const replaceContent = () => {
    const removed = [...document.body.children].filter((each) => !existingElements.has(each));
    for (const element of removed) element.remove();
  };

  it('shows the launcher in the new body in place of a removed bubble', async () => {
    setup();
    replaceContent();
    const launcher = await (window.inlay as InlayGlobal).launcher();
    expect(launcher.isConnected).to.equal(true);
    expect(document.querySelectorAll('inlay-bubble, inlay-launcher').length).to.equal(1);
  });

  it('shows a removed launcher when the page adds it to the new body', async () => {
    setup();
    const controls = window.inlay as InlayGlobal;
    const launcher = await controls.launcher();
    replaceContent();
    expect(launcher.isConnected).to.equal(false);
    document.body.append(launcher);
    await launcher.updateComplete;
    const bubble = launcher.shadowRoot?.querySelector('button');
    expect(bubble?.getBoundingClientRect().width).to.be.greaterThan(0);
  });
});
