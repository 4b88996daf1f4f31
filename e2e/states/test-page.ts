import {
  type AnswerOption,
  createScriptedPlatform,
  type EventDraft,
  type ScriptedPlatform,
} from '@inlay/client/testing';
import type { InlayChat, InlayLauncher } from '@inlay/elements';

type Config = NonNullable<Parameters<typeof createScriptedPlatform>[0]>['config'];
type ConfigParts = Exclude<Config, undefined | ((...args: never[]) => unknown)>;

const agent = { id: 'agt_1', name: 'Ada', version: '1', description: 'Orders and returns' };

/** Default features of the agent. */
export const features = { attachments: false, feedback: true, threads: false };

const config: ConfigParts = {
  agent,
  greeting: 'Hello Kim, how can I help?',
  starter_prompts: [
    { label: 'Where is my order?', prompt: 'Where is order 10482?' },
    { label: 'Send something back', prompt: 'How do I send something back?' },
    { label: 'Talk to a person', prompt: 'Can I talk to a person?' },
  ],
  disclaimer: 'Ada can make mistakes.',
  features,
};

/** A page with a scripted platform, and the steps that lead to a visual state of the widget. */
export class TestPage {
  readonly platform: ScriptedPlatform;
  /** Id of the signed-in user. */
  readonly user = 'kim';

  constructor() {
    this.platform = createScriptedPlatform({
      baseUrl: `${location.origin}/platform`,
      pageOrigin: location.origin,
      answer: null,
      config,
    });
    this.platform.interceptFetch();
  }

  /** Overrides some settings of the agent. */
  configure(parts: ConfigParts): void {
    Object.assign(this.platform.settings, { config: { ...config, ...parts } });
  }

  /** Shows a chat that fills the window, for the signed-in user. */
  async chat(options: Partial<InlayChat> = {}): Promise<InlayChat> {
    const chat = document.createElement('inlay-chat');
    Object.assign(chat, this.#signedIn, options);
    document.body.append(chat);
    await chat.updateComplete;
    return chat;
  }

  /** Shows a chat with an existing conversation. */
  chatWithHistory(...events: readonly EventDraft[]): Promise<InlayChat> {
    const session = this.platform.createSession({ user: this.user });
    session.append(...events);
    return this.chat({ sessionId: session.id });
  }

  /** Shows a chat in which the user sends a message and gets this answer. */
  async chatWithAnswer(text: string, answer: AnswerOption): Promise<InlayChat> {
    this.platform.answer = answer;
    const chat = await this.chat();
    await this.waitForText('how can I help');
    void chat.sendMessage(text);
    return chat;
  }

  /** Shows a shop page with the launcher. */
  async launcher(options: Partial<InlayLauncher> = {}): Promise<InlayLauncher> {
    const launcher = document.createElement('inlay-launcher');
    Object.assign(launcher, this.#signedIn, options);
    document.body.append(shopPage(), launcher);
    await launcher.updateComplete;
    return launcher;
  }

  /** Resolves when this text is on the page. */
  waitForText(text: string): Promise<unknown> {
    return until(`“${text}”`, () => textOf(document.body).includes(text));
  }

  /** Waits until an element that matches the selector has the focus. */
  waitForFocus(selector: string): Promise<unknown> {
    return until(`the focus in ${selector}`, () =>
      queryAllDeep(document.body, selector).some((element) => element.matches(':focus')),
    );
  }

  /** Waits for the button with this name, and clicks it. */
  async click(name: string): Promise<void> {
    const button = await until(`a button “${name}”`, () =>
      queryAllDeep(document.body, 'button').find((candidate) => nameOf(candidate) === name),
    );
    (button as HTMLElement).click();
  }

  /** Waits for the field with this selector, and fills it in. */
  async fillIn(text: string, selector = 'textarea'): Promise<void> {
    const field = await until(`a ${selector}`, () => queryAllDeep(document.body, selector)[0]);
    (field as HTMLTextAreaElement).focus();
    (field as HTMLTextAreaElement).value = text;
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  }

  /** Sends a message. */
  async sendMessage(text: string): Promise<void> {
    await this.fillIn(text);
    await this.click('Send');
  }

  /** Resolves when elements match the selector, by default one, with the last of them. */
  waitForElement(selector: string, count = 1): Promise<Element> {
    return until(`${count} ${selector}`, () => queryAllDeep(document.body, selector)[count - 1]);
  }

  /** Waits for a `<details>` whose summary contains this text, and opens it. */
  async openDetails(text: string): Promise<void> {
    const summary = await until(`a <details> “${text}”`, () =>
      queryAllDeep(document.body, 'summary').find((candidate) => textOf(candidate).includes(text)),
    );
    (summary as HTMLElement).click();
  }

  /** Scrolls an element like a user, to a position in pixels from its top. */
  async scroll(selector: string, top: number): Promise<void> {
    const scroller = await this.waitForElement(selector);
    // The list scrolls to its end first; scrolling before that would have no effect.
    await until('something to scroll back to', () => scroller.scrollTop > top + 48);
    scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -1, bubbles: true, composed: true }));
    scroller.scrollTop = top;
    await new Promise((resolve) => scroller.addEventListener('scroll', resolve, { once: true }));
  }

  /** Selects the whole paragraph that contains this text. */
  async select(text: string): Promise<void> {
    const paragraph = await until(`“${text}” in a paragraph`, () =>
      queryAllDeep(document.body, 'p').find((candidate) => candidate.textContent?.includes(text)),
    );
    const { firstChild, lastChild } = paragraph;
    if (!firstChild || !lastChild) throw new Error('The paragraph is empty.');
    getSelection()?.setBaseAndExtent(firstChild, 0, lastChild, lastChild.textContent?.length ?? 0);
  }

  /** Attaches files, and resolves when the composer has them. */
  async attach(chat: InlayChat, ...files: readonly File[]): Promise<void> {
    await until('the composer', () => textOf(chat).includes('how can I help'));
    await this.waitForElement('[part="attach"]');
    chat.shadowRoot?.querySelector('inlay-composer')?.addFiles(files);
    await this.waitForElement('[part="attachment"]');
  }

  /** Creates a file with this number of bytes. */
  file(name: string, bytes = 2000): File {
    return new File([new Uint8Array(bytes).fill(32)], name, { type: 'application/pdf' });
  }

  /** Creates a small photo of a lamp. */
  async picture(name: string): Promise<File> {
    const canvas = document.createElement('canvas');
    const [width, height] = [480, 320];
    Object.assign(canvas, { width, height });
    const context = canvas.getContext('2d');
    if (!context) throw new Error('This browser has no 2D canvas.');
    const box = (colour: string, x: number, y: number, width: number, height: number) => {
      context.fillStyle = colour;
      context.fillRect(x, y, width, height);
    };
    box('#e8e2d6', 0, 0, width, height);
    box('#c9bfa9', 0, 240, width, 80);
    box('#b08436', 232, 120, 16, 140);
    box('#8a6628', 180, 256, 120, 12);
    box('#f2c14e', 170, 56, 140, 72);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
    if (!blob) throw new Error('The image could not be created.');
    return new File([blob], name, { type: 'image/png' });
  }

  get #signedIn(): Partial<InlayChat> {
    return {
      baseUrl: this.platform.baseUrl,
      draftStorage: 'memory',
      getToken: async () => this.platform.issue(this.user),
    };
  }
}

/** Creates events of the log. */
export const log = {
  user: (text: string): EventDraft => ({ type: 'user.message', content: [{ type: 'text', text }] }),
  agent: (text: string): EventDraft => ({
    type: 'agent.message',
    content: [{ type: 'text', text }],
  }),
  running: (): EventDraft => ({ type: 'session.status_running' }),
  idle: (stop_reason: object = { type: 'end_turn' }): EventDraft => ({
    type: 'session.status_idle',
    stop_reason,
  }),
  /** A message and its answer. */
  turn: (question: string, answer: string): EventDraft[] => [
    log.user(question),
    log.running(),
    log.agent(answer),
    log.idle(),
  ],
};

function shopPage(): HTMLElement {
  const page = document.createElement('main');
  const heading = document.createElement('h1');
  heading.textContent = 'A shop';
  const text = document.createElement('p');
  text.textContent = 'Books, maps and lamps, sent within a day.';
  page.append(heading, text);
  return page;
}

/** All matching elements, including the elements in shadow trees. */
function queryAllDeep(root: ParentNode, selector: string): Element[] {
  return [...root.querySelectorAll('*')].flatMap((element) => [
    ...(element.matches(selector) ? [element] : []),
    ...(element.shadowRoot ? queryAllDeep(element.shadowRoot, selector) : []),
  ]);
}

function nameOf(button: Element): string {
  return (button.getAttribute('aria-label') ?? button.textContent ?? '')
    .replace(/\s+/g, ' ')
    .trim();
}

function textOf(node: Node): string {
  if (node instanceof Text) return node.data;
  if (node instanceof HTMLStyleElement) return '';
  const shadow = node instanceof Element ? node.shadowRoot : null;
  return [...(shadow?.childNodes ?? []), ...node.childNodes].map(textOf).join(' ');
}

/** Calls `find` in every frame until it returns a truthy value, for at most 30 seconds. */
async function until<T>(what: string, find: () => T | undefined | false): Promise<T> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const found = find();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`Timeout while waiting for ${what}.`);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
