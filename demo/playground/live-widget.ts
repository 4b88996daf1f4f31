/** The widget of the playground. Its platform is scripted, so that no request leaves the page. */
import type { InlayChat, InlayLauncher } from '@inlay/elements';
import { embedConfigOf } from './agent-settings.ts';
import { answerTo } from './demo-answers.ts';
import { examples } from './examples.ts';
import { connection, type Option, optionsOf } from './options.ts';
import type { State } from './state.ts';

/** Milliseconds from a change of the agent's settings until the widget is created again to apply it. */
const restartDelay = 300;

export class LiveWidget {
  readonly #container: HTMLElement;
  #widget: InlayChat | InlayLauncher | null = null;
  #state: State | null = null;
  /** Settings of the agent that the widget was created for, because it may load them after a change. */
  #agent: State['agent'] = {};
  #restore = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(container: HTMLElement) {
    this.#container = container;
  }

  /** Loads the elements and the scripted platform. */
  static async start(container: HTMLElement): Promise<LiveWidget> {
    const [{ createScriptedPlatform }] = await Promise.all([
      import('@inlay/client/testing'),
      import('@inlay/elements/define'),
    ]);
    const live = new LiveWidget(container);
    const platform = createScriptedPlatform({
      answer: answerTo,
      config: () => embedConfigOf(live.#agent),
    });
    live.#restore = platform.interceptFetch();
    live.#create = (tag) => {
      const widget = document.createElement(tag);
      widget.baseUrl = platform.baseUrl;
      widget.getToken = () => platform.issue('ada').token;
      widget.draftStorage = 'memory';
      widget.noResume = true;
      return widget;
    };
    return live;
  }

  #create: (tag: State['tag']) => InlayChat | InlayLauncher = () => {
    throw new Error('The scripted platform is not loaded.');
  };

  /** Shows a state. A change of the element or of the agent's settings restarts the conversation. */
  show(state: State): void {
    const previous = this.#state;
    this.#state = state;
    if (!this.#widget || previous?.tag !== state.tag) {
      this.#restart();
      return;
    }
    if (JSON.stringify(previous.agent) !== JSON.stringify(state.agent)) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#restart(), restartDelay);
    }
    this.#apply(state, previous);
  }

  /** Creates the widget again, with an empty conversation. */
  #restart(): void {
    const state = this.#state as State;
    const old = this.#widget;
    const wasOpen = old !== null && 'open' in old && old.open;
    // Deletes the stored state of the previous launcher.
    old?.reset();
    old?.remove();
    this.#agent = state.agent;
    this.#widget = this.#create(state.tag);
    this.#apply(state, null);
    this.#container.append(this.#widget);
    if (wasOpen && 'open' in this.#widget) this.#widget.open = true;
  }

  #apply({ tag, options }: State, previous: State | null): void {
    const widget = this.#widget;
    if (!widget) return;
    for (const option of optionsOf(tag)) {
      const value = options[option.name];
      if (connection.includes(option.property)) continue;
      if (value === previous?.options[option.name]) continue;
      if (option.control.kind === 'css') widget.style.setProperty(option.name, value ?? '');
      else Object.assign(widget, { [option.property]: propertyValue(option, value) });
    }
  }

  /** Removes the widget, and restores `fetch`. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#widget?.remove();
    this.#restore();
  }
}

/** Converts the text of an option to the value of its property. */
function propertyValue({ control, property, fallback }: Option, text = fallback): unknown {
  switch (control.kind) {
    case 'switch':
      return text === 'on';
    case 'number':
      return text === '' || text === 'null' ? null : Number(text);
    case 'example':
      if (text === 'on') return examples[property]?.value;
      return emptyLists.includes(property) ? [] : null;
    default:
      return text;
  }
}

/** Properties whose default is an empty list instead of null. */
const emptyLists: readonly string[] = ['commands', 'messageActions'];
