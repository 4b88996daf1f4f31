/** `<inlay-playground>`: a form with every option of the widget, the widget, and its code. */
import type { Inspector } from '@inlay/client/inspector';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { agentSettings } from './agent-settings.ts';
import { codeOf, integrationNames } from './code.ts';
import { LiveWidget } from './live-widget.ts';
import { type Control, optionsOf } from './options.ts';
import { oneColumn, styles } from './playground.styles.ts';
import {
  faultOf,
  initialState,
  integrations,
  readFragment,
  type State,
  sizes,
  toFragment,
} from './state.ts';

/** A row of the form: an option of the element, or a setting of the agent. */
interface Field {
  readonly name: string;
  readonly scope: 'options' | 'agent';
  readonly control: Control;
  readonly fallback: string;
  readonly description: string;
  readonly group: string;
  readonly length?: number;
}

const agentGroup = 'Agent (inlay.config.ts)';
const sizeNames: Readonly<Record<string, string>> = {
  full: 'Full width',
  phone: 'Phone',
  sidebar: 'Sidebar',
};

export class InlayPlayground extends LitElement {
  static override styles = styles;

  #state: State = initialState;
  /** Texts of invalid fields, by scope and name. The widget keeps the last valid value. */
  #invalid = new Map<string, { readonly text: string; readonly fault: string }>();
  #ignored: readonly string[] = [];
  #search = '';
  #message = '';
  #live: LiveWidget | null = null;
  #inspector: Inspector | null = null;
  readonly #oneColumn = matchMedia(oneColumn);

  override connectedCallback(): void {
    super.connectedCallback();
    this.#oneColumn.addEventListener('change', this.#handleLayout);
    this.#readLink();
    addEventListener('hashchange', this.#readLink);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#oneColumn.removeEventListener('change', this.#handleLayout);
    removeEventListener('hashchange', this.#readLink);
    this.#inspector?.close();
    this.#inspector = null;
    this.#live?.stop();
    this.#live = null;
  }

  protected override async firstUpdated(): Promise<void> {
    const stage = this.renderRoot.querySelector<HTMLElement>('.widget');
    if (!stage) return;
    const live = await LiveWidget.start(stage);
    if (!this.isConnected) return live.stop();
    this.#live = live;
    live.show(this.#state);
  }

  readonly #handleLayout = (): void => this.requestUpdate();

  #readLink = (): void => {
    const { state, ignored } = readFragment(location.hash.slice(1));
    this.#ignored = ignored;
    this.#invalid.clear();
    this.#show(state);
  };

  /** Shows a state, without changing the URL. */
  #show(state: State): void {
    this.#state = state;
    this.#live?.show(state);
    this.requestUpdate();
  }

  /** Changes the state and the URL. */
  #change(change: Partial<State>, message = ''): void {
    this.#message = message;
    this.#show({ ...this.#state, ...change });
    const fragment = toFragment(this.#state);
    const { pathname, search } = location;
    history.replaceState(history.state, '', `${pathname}${search}${fragment && `#${fragment}`}`);
  }

  #edit(field: Field, text: string): void {
    const { name, scope, control, fallback, length } = field;
    const key = `${scope} ${name}`;
    const isUnset =
      text === '' || text === (control.kind === 'switch' && !fallback ? 'off' : fallback);
    const fault = isUnset ? null : faultOf(control, text, length);
    if (fault) {
      this.#invalid.set(key, { text, fault });
      this.requestUpdate();
      return;
    }
    this.#invalid.delete(key);
    const { [name]: _, ...others } = this.#state[scope];
    this.#change({ [scope]: isUnset ? others : { ...others, [name]: text } });
  }

  async #copy(text: string, message: string): Promise<void> {
    this.#message = await navigator.clipboard.writeText(text).then(
      () => message,
      () => 'The browser blocked copying.',
    );
    this.requestUpdate();
  }

  async #inspect(): Promise<void> {
    if (this.#inspector) {
      this.#inspector.close();
      this.#inspector = null;
    } else {
      const container = this.renderRoot.querySelector('.inspector');
      const { inspect } = await import('@inlay/client/inspector');
      if (container && !this.#inspector) this.#inspector = inspect(null, { container });
      // On a phone, the inspector is below the visible area.
      container?.scrollIntoView({ block: 'nearest' });
      // The user can also close the inspector with a button of its panel.
      const observer = new MutationObserver(() => {
        if (container?.childElementCount) return;
        observer.disconnect();
        this.#inspector = null;
        this.requestUpdate();
      });
      if (container) observer.observe(container, { childList: true });
    }
    this.requestUpdate();
  }

  #fields(): readonly Field[] {
    return [
      ...optionsOf(this.#state.tag).map((each) => ({ ...each, scope: 'options' as const })),
      ...agentSettings.map((each) => ({ ...each, scope: 'agent' as const, group: agentGroup })),
    ];
  }

  override render() {
    const { tag, size } = this.#state;
    const isLauncher = tag === 'inlay-launcher';
    return html`
      <div class=${isLauncher ? 'page with-launcher' : 'page'}>
      <div class="bar">
        ${this.#choice(
          'Element',
          [
            ['inlay-chat', 'In the page'],
            ['inlay-launcher', 'Launcher'],
          ],
          tag,
          (value) => this.#change({ tag: value as State['tag'] }),
        )}
        ${
          isLauncher
            ? nothing
            : this.#choice(
                'Size',
                sizes.map((each) => [each, sizeNames[each] ?? each]),
                size,
                (value) => this.#change({ size: value }),
              )
        }
        <span class="actions">
          <button class="plain" @click=${() => this.#copy(location.href, 'Link copied.')}>
            Copy link
          </button>
          <button
            class="plain"
            aria-pressed=${this.#inspector !== null}
            @click=${() => void this.#inspect()}
          >
            Inspect
          </button>
          <button class="plain" @click=${() => this.#reset()}>Reset</button>
        </span>
      </div>
      <p class="message" role="status">${this.#message}</p>
      ${
        this.#ignored.length > 0
          ? html`<p class="notice" role="alert">
              These values of the link were ignored: ${this.#ignored.join(', ')}. They are unknown,
              invalid, or not allowed in a link.
            </p>`
          : nothing
      }
      <div class="columns">
        ${repeat(
          // The focus order is the document order, so the document order must follow the layout.
          this.#oneColumn.matches ? ['widget', 'form', 'code'] : ['form', 'widget', 'code'],
          (cell) => cell,
          (cell) =>
            cell === 'form' ? this.#form() : cell === 'code' ? this.#code() : this.#widget(),
        )}
      </div>
      </div>
    `;
  }

  #widget() {
    const isLauncher = this.#state.tag === 'inlay-launcher';
    return html`<div class="result">
      <section
        class="stage"
        aria-label="Widget"
        data-size=${isLauncher ? 'full' : this.#state.size}
      >
        ${
          isLauncher
            ? html`<p class="hint">
                The launcher is in the corner of this window, as on your page.
              </p>`
            : nothing
        }
        <div class=${isLauncher ? 'widget floating' : 'widget'}></div>
      </section>
      <div class="inspector"></div>
    </div>`;
  }

  #reset(): void {
    this.#invalid.clear();
    this.#ignored = [];
    this.#search = '';
    this.#change(
      { ...initialState, integration: this.#state.integration },
      'All options have their defaults.',
    );
  }

  #choice(
    label: string,
    values: readonly (readonly [string, string])[],
    current: string,
    choose: (value: string) => void,
  ) {
    return html`<fieldset class="choice">
      <legend>${label}</legend>
      ${values.map(
        ([value, text]) =>
          html`<label>
            <input
              type="radio"
              name=${label}
              value=${value}
              .checked=${value === current}
              @change=${() => choose(value)}
            />
            <span>${text}</span>
          </label>`,
      )}
    </fieldset>`;
  }

  #form() {
    const words = this.#search.trim().toLowerCase();
    const found = this.#fields().filter(
      ({ name, description }) => !words || `${name} ${description}`.toLowerCase().includes(words),
    );
    const order = ['Appearance', agentGroup, 'Colours'];
    const rank = (group: string) => (order.indexOf(group) + order.length + 1) % (order.length + 1);
    const groups = [...new Set(found.map(({ group }) => group))].sort((a, b) => rank(a) - rank(b));
    return html`<form aria-label="Options" @submit=${(event: Event) => event.preventDefault()}>
      <input
        type="search"
        placeholder="Find an option"
        aria-label="Find an option"
        .value=${this.#search}
        @input=${(event: Event) => {
          this.#search = (event.target as HTMLInputElement).value;
          this.requestUpdate();
        }}
      />
      ${groups.map((group) => {
        const fields = found.filter((each) => each.group === group);
        const changed = fields.filter(({ scope, name }) => this.#state[scope][name]).length;
        return html`<details ?open=${words !== '' || group === 'Appearance'}>
          <summary>
            ${group}
            ${changed > 0 ? html`<span class="count">${changed} changed</span>` : nothing}
          </summary>
          ${
            group === 'Connection'
              ? html`<p class="hint">
                  These change only the code: this widget is connected to a scripted platform in the page.
                </p>`
              : nothing
          }
          ${fields.map((field) => this.#field(field))}
        </details>`;
      })}
      ${groups.length === 0 ? html`<p class="hint">No option matches.</p>` : nothing}
    </form>`;
  }

  #field(field: Field) {
    const { scope, name, control, description, fallback } = field;
    const id = `${scope}-${name}`;
    const invalid = this.#invalid.get(`${scope} ${name}`);
    const value = invalid?.text ?? this.#state[scope][name] ?? '';
    const edit = (event: Event) => this.#edit(field, (event.target as HTMLInputElement).value);
    const isSwitch = control.kind === 'switch' || control.kind === 'example';
    const label = name.replace(/^appearance\.(features\.)?/, '').replace(/^--inlay-/, '');
    return html`<div class=${isSwitch ? 'field switch' : 'field'}>
      <label for=${id}>${label}</label>
      ${
        isSwitch
          ? html`<input
              type="checkbox"
              id=${id}
              .checked=${(value || fallback) === 'on'}
              aria-describedby=${`${id}-help`}
              @change=${(event: Event) =>
                this.#edit(
                  field,
                  (event.target as HTMLInputElement).checked
                    ? 'on'
                    : control.kind === 'example'
                      ? ''
                      : 'off',
                )}
            />`
          : control.kind === 'choice'
            ? html`<select id=${id} aria-describedby=${`${id}-help`} @change=${edit}>
                <option value="" ?selected=${value === ''}>
                  ${fallback ? `${fallback} (default)` : 'Default'}
                </option>
                ${control.values
                  .filter((each) => each !== fallback)
                  .map(
                    (each) =>
                      html`<option value=${each} ?selected=${each === value}>${each}</option>`,
                  )}
              </select>`
            : html`<span class="text">
                <input
                  type="text"
                  id=${id}
                  inputmode=${control.kind === 'number' ? 'decimal' : nothing}
                  autocomplete="off"
                  spellcheck="false"
                  placeholder=${/^null$|\(/.test(fallback) ? '' : fallback}
                  .value=${value}
                  aria-invalid=${invalid ? 'true' : nothing}
                  aria-describedby=${`${id}-help`}
                  @input=${edit}
                />
                ${
                  isColor(name)
                    ? html`<input
                        type="color"
                        class=${hexOf(value) ? '' : 'unset'}
                        aria-label=${`Pick ${label}`}
                        .value=${hexOf(value) ?? '#808080'}
                        @input=${edit}
                      />`
                    : nothing
                }
              </span>`
      }
      <p class="help" id=${`${id}-help`}>
        ${invalid ? html`<strong>${invalid.fault}</strong> ` : nothing}${withCode(description)}
        ${control.kind === 'example' ? html` <em>Sets an example.</em>` : nothing}
      </p>
    </div>`;
  }

  #code() {
    const { integration } = this.#state;
    const { files, note } = codeOf(this.#state);
    return html`<section class="code" aria-label="Code">
      ${this.#choice(
        'Code',
        integrations.map((each) => [each, integrationNames[each] ?? each]),
        integration,
        (value) => this.#change({ integration: value }),
      )}
      ${note ? html`<p class="hint">${note}</p>` : nothing}
      ${files.map(
        ({ name, code }) =>
          html`<figure>
            <figcaption>
              ${name}
              <button
                class="plain"
                aria-label=${`Copy ${name}`}
                @click=${() => this.#copy(code, `${name} copied.`)}
              >
                Copy
              </button>
            </figcaption>
            <pre tabindex="0" role="region" aria-label=${name}><code>${code}</code></pre>
          </figure>`,
      )}
    </section>`;
  }
}

const isColor = (name: string): boolean => /^--inlay-color-|theme\.accent$/.test(name);

/** Converts a colour to `#rrggbb`. Null if it is not opaque, or depends on the page, as `var()` does. */
function hexOf(color: string): string | null {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return null;
  context.fillStyle = 'transparent';
  // Invalid colours leave the value unchanged.
  context.fillStyle = color;
  return context.fillStyle.startsWith('#') ? context.fillStyle : null;
}

/** Renders text with inline code between backticks. */
function withCode(text: string): (string | TemplateResult)[] {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** Registers the element. */
export function definePlayground(): void {
  if (!customElements.get('inlay-playground')) {
    customElements.define('inlay-playground', InlayPlayground);
  }
}
