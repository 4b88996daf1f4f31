import type { Mode } from '@inlay/protocol';
import { html, nothing, type PropertyValues } from 'lit';
import { state } from 'lit/decorators.js';
import { nextTask } from '../after-paint.ts';
import { attaching } from '../attachments/load-attaching.ts';
import type { UnsentFiles } from '../attachments/unsent-files.ts';
import { emit } from '../events.ts';
import { lazy } from '../lazy.ts';
import { base } from '../theme/base.styles.ts';
import { addStyles } from './add-styles.ts';
import { AutocompleteController } from './autocomplete-controller.ts';
import type { ChosenOption } from './autocomplete-list.ts';
import { type Command, commandIn } from './commands.ts';
import { styles } from './composer.styles.ts';
import { ComposerOptions } from './composer-options.ts';
import { dictateControl, sendControl, stopControl } from './controls.ts';
import { DictationController } from './dictation-controller.ts';
import { FieldHeightController } from './field-height-controller.ts';
import { MessageHistory } from './message-history.ts';

const modeControl = lazy(() => import('./mode-control.ts'));

/**
 * @summary The composer. Enter sends, Shift+Enter inserts a line break; the Enter key that ends an
 * input method composition does not send. Escape stops the agent. In an empty field, the arrow up
 * brings back earlier messages.
 *
 * @fires inlay-submit-request - The user sends a message. If prevented, text and files are kept.
 * @fires inlay-draft - The text changed: the user edited it or it was sent.
 * @fires inlay-stop - The user stops the agent.
 * @fires inlay-command - The user chose a slash command of the page.
 * @fires inlay-mode - The user chose a mode.
 * @fires inlay-announce - Requests an announcement to screen reader users.
 *
 * @csspart base - The box around field and buttons.
 * @csspart field - The text field.
 * @csspart attach - The button that attaches files.
 * @csspart attachments__attachment - A file that is being attached.
 * @csspart dictate - The dictation button.
 * @csspart mode - The mode selector.
 * @csspart send - The send button.
 * @csspart stop - The stop button.
 * @csspart disclaimer - The line below the composer.
 * @internal
 */
export class InlayComposer extends ComposerOptions {
  static override styles = [base, styles];

  readonly #history = new MessageHistory();
  readonly #fieldHeight = new FieldHeightController(this, () => this.#field);
  readonly #autocomplete = new AutocompleteController(this);
  /** Undefined until the module for attachments has loaded. */
  #files: UnsentFiles | undefined;
  readonly #dictation = new DictationController(this, {
    language: () => this.strings.locale,
    text: () => this.value,
    onText: (text) => this.#change(text),
    onFailed: (reason) =>
      this.#showProblem(
        reason === 'denied' ? this.strings.dictationDenied : this.strings.dictationFailed,
      ),
  });

  /** Error of the user's last action; empty for none. */
  @state() private problem = '';

  /** Id of the mode that the user chose; null for none. */
  @state() private chosenMode: string | null = null;

  /** Defers the first render to its own task, to keep the task of the chat's first render short. */
  protected override scheduleUpdate() {
    if (this.hasUpdated) return super.scheduleUpdate();
    return nextTask().then(() => super.scheduleUpdate());
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    if (!this.#files && this.attachments && this.upload) void this.#loadFiles();
    if (changed.has('mode')) this.chosenMode = null;
    const isNamed = changed.get('conversationId') === '' && !changed.has('conversation');
    if (isNamed) this.moveFiles('', this.conversationId);
    if ((changed.has('conversationId') && !isNamed) || (changed.has('readOnly') && this.readOnly)) {
      // Aborted rather than stopped: after a stop, a last result could be inserted into the next
      // conversation.
      this.#dictation.abort();
      this.#autocomplete.close();
    }
  }

  /** Loads the module for attachments. If that fails, the next update retries. */
  async #loadFiles(): Promise<void> {
    const module = await attaching.load();
    if (!module || this.#files) return;
    this.#files = new module.UnsentFiles({
      policy: () => this.attachments,
      upload: () => this.upload,
      conversationId: () => this.conversationId,
      onChange: () => this.requestUpdate(),
    });
    this.requestUpdate();
  }

  /** Moves focus to the text field once it has rendered. */
  override focus(options?: FocusOptions) {
    if (this.hasUpdated) this.#field?.focus(options);
    else void this.updateComplete.then(() => this.#field?.focus(options));
  }

  /** Attaches files as if the user had chosen them. Rejected files show an error. */
  addFiles(files: Iterable<File>): void {
    if (!this.readOnly) this.#files?.add(files);
  }

  /** Moves the attachments of a conversation to another one, unless that has attachments. */
  moveFiles(from: string, to: string): void {
    this.#files?.move(from, to);
  }

  /** Inserts a Markdown quotation at the caret. */
  quote(text: string): void {
    if (this.readOnly) return;
    const field = this.#field;
    const [start, end] = [field?.selectionStart ?? 0, field?.selectionEnd ?? 0];
    const before = this.value.slice(0, start);
    // A Markdown quotation has to start on its own line.
    const begin = before === '' || before.endsWith('\n') ? '' : '\n\n';
    const quoted = `${before}${begin}${text.trim().replace(/^/gm, '> ')}\n\n`;
    this.setText(quoted + this.value.slice(end), quoted.length);
  }

  /** Removes the attachments of all conversations and the chosen mode, because the user changed. */
  forget(): void {
    this.chosenMode = null;
    this.#files?.forget();
    this.#autocomplete.forget();
    this.#dictation.abort();
  }

  /** Stops dictation; the last words are kept. */
  stopDictation(): void {
    this.#dictation.stop();
  }

  get #field(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector('textarea');
  }

  /** The mode of the next message. Undefined for the default, which is the first mode. */
  get #selectedMode(): Mode | undefined {
    const offered = (mode: string | null) => this.modes.find(({ id }) => id === mode);
    return offered(this.chosenMode) ?? offered(this.mode);
  }

  /** Whether messages can't be sent at the moment. */
  get #closed(): boolean {
    return this.readOnly || this.sendingDisabled;
  }

  /** Whether sending is allowed now. */
  get #canSend(): boolean {
    return !this.#closed && !this.#files?.unfinished;
  }

  get #sendable(): boolean {
    if (!this.#canSend) return false;
    return this.value.trim() !== '' || (this.#files?.content.length ?? 0) > 0;
  }

  #change(value: string) {
    this.problem = '';
    if (value === this.value) return;
    this.value = value;
    emit(this, 'inlay-draft', { value });
  }

  /** Sets the text of the field and the position of the caret, and moves focus to the field. */
  setText(value: string, caret = value.length) {
    this.#dictation.abort();
    this.#change(value);
    const field = this.#field;
    if (!field) return;
    field.value = value;
    field.focus({ preventScroll: true });
    field.setSelectionRange(caret, caret);
  }

  #showProblem(problem: string) {
    this.problem = problem;
    emit(this, 'inlay-announce', { text: problem });
  }

  #handleInput() {
    const field = this.#field;
    if (!field) return;
    this.#dictation.abort();
    this.#change(field.value);
    this.#autocomplete.update(field.value, field.selectionEnd, this);
  }

  #handleKeydown(event: KeyboardEvent) {
    // Some engines send the key that ends a composition with key code 229 and `isComposing` false.
    if (event.isComposing || event.keyCode === 229) return;
    const handled = this.#autocomplete.handleKey(event.key);
    if (typeof handled === 'object') this.#choose(handled);
    if (handled || this.#handleShortcut(event)) event.preventDefault();
  }

  /** Handles a key. Returns whether it had an effect. */
  #handleShortcut({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
    if (key === 'Enter' && !shiftKey) {
      this.#submit();
      return true;
    }
    if (key === 'Escape' && this.running) {
      this.#stop();
      return true;
    }
    if ((key !== 'ArrowUp' && key !== 'ArrowDown') || shiftKey || altKey || ctrlKey || metaKey) {
      return false;
    }
    const text = this.readOnly
      ? null
      : this.#history.step(this.sentMessages(), this.value, key === 'ArrowUp' ? -1 : 1);
    if (text === null) return false;
    this.setText(text);
    return true;
  }

  #handlePaste(event: ClipboardEvent) {
    const data = event.clipboardData;
    const files = [...(data?.files ?? [])];
    if (files.length === 0 || !this.#files?.enabled || this.readOnly) return;
    // Excel, Word and PowerPoint add a picture of the copied text. An image that was copied in a browser
    // has HTML, but no text; a file that was copied in Finder has its name as text, but no HTML.
    const isText = data?.getData('text/plain').trim() && data.getData('text/html');
    if (isText && files.every(({ type }) => type.startsWith('image/'))) return;
    event.preventDefault();
    this.addFiles(files);
  }

  #handlePicked(event: Event) {
    const input = event.target as HTMLInputElement;
    this.addFiles(input.files ?? []);
    // Without this, choosing the same file again would not dispatch `change`.
    input.value = '';
    this.focus();
  }

  #handleRemove(event: CustomEvent<{ key: number }>) {
    event.stopPropagation();
    this.#files?.remove(event.detail.key);
    this.focus();
  }

  #handleRetry(event: CustomEvent<{ key: number }>) {
    event.stopPropagation();
    this.#files?.retry(event.detail.key);
  }

  #handleSubmit(event: SubmitEvent) {
    event.preventDefault();
    this.#submit();
  }

  /** Moves focus to the field if the user presses beside it. */
  #handlePointerdown(event: PointerEvent) {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    this.focus();
  }

  #handleMode(event: Event) {
    const mode = (event.target as HTMLSelectElement).value;
    this.chosenMode = mode;
    emit(this, 'inlay-mode', { mode });
  }

  #choose({ text, caret, command, mention }: ChosenOption) {
    if (command && !this.#canSend) return this.#reportUnfinishedUploads();
    const before = this.value;
    if (mention) this.#autocomplete.mention(mention);
    this.setText(text, caret);
    if (command && !this.#call(command, '', before)) this.setText(before);
  }

  /** Runs a command. Returns false if its message was prevented. */
  #call(command: Command, input: string, typed: string): boolean {
    emit(this, 'inlay-command', { name: command.name, input });
    const text = command.prompt?.replaceAll('{input}', () => input);
    if (command.run) command.run(input);
    else if (text) return this.#send(text, typed);
    return true;
  }

  #reportUnfinishedUploads() {
    if (this.#files?.unfinished) this.#showProblem(this.strings.attachmentsUnfinished);
  }

  #submit() {
    this.#reportUnfinishedUploads();
    if (!this.#sendable) return;
    this.#dictation.abort();
    const text = this.value.trim();
    const called = commandIn(text, this.commands);
    if (called) {
      this.setText('');
      if (!this.#call(called.command, called.input, text)) this.setText(text);
    } else if (this.#send(text)) {
      this.#change('');
    }
    this.focus();
  }

  #send(text: string, typed = text): boolean {
    const attached = this.#files?.content ?? [];
    const mentions = this.#autocomplete.mentionsIn(text);
    const mode = (this.modes.length > 1 && this.#selectedMode?.id) || null;
    const detail = { text, typed, attached, mentions, mode };
    if (!emit(this, 'inlay-submit-request', detail)) return false;
    this.#files?.clear();
    this.#autocomplete.forget();
    return true;
  }

  #stop() {
    emit(this, 'inlay-stop', {});
    this.focus();
  }

  #renderField() {
    const autocomplete = this.#autocomplete;
    const { strings } = this;
    const label = this.placeholder || strings.placeholder;
    // With `auto`, a text without letters, such as `/`, would be left-to-right on every page.
    return html`<textarea
      part="field"
      rows="1"
      dir=${/\p{L}/u.test(this.value) ? 'auto' : nothing}
      enterkeyhint="send"
      aria-label=${label}
      aria-autocomplete=${autocomplete.open ? 'list' : nothing}
      aria-controls=${autocomplete.open ? 'suggestions' : nothing}
      aria-activedescendant=${autocomplete.activeId ?? nothing}
      aria-describedby=${this.problem ? 'problem' : nothing}
      aria-description=${this.description || nothing}
      placeholder=${this.sendingDisabled ? strings.placeholderPaused : label}
      ?readonly=${this.readOnly}
      @input=${this.#handleInput}
      @keydown=${this.#handleKeydown}
      @paste=${this.#handlePaste}
      @blur=${() => this.#autocomplete.close()}
    ></textarea>`;
  }

  #renderAttach() {
    const files = this.#files;
    if (!files?.enabled || this.#closed) return nothing;
    return files.renderButton(this.strings, (event) => this.#handlePicked(event));
  }

  #renderMode() {
    const { strings, readOnly: disabled, modes } = this;
    if (modes.length < 2) return nothing;
    const module = modeControl.value;
    if (!module) {
      void modeControl.load().then((loaded) => loaded && this.requestUpdate());
      return nothing;
    }
    addStyles(this, module.modeStyles);
    const selected = this.#selectedMode ?? modes[0];
    const onChange = (event: Event) => this.#handleMode(event);
    return module.modeControl({ strings, disabled, modes, selected, onChange });
  }

  #renderDictate() {
    const { strings } = this;
    const { active } = this.#dictation;
    if (!this.dictation || !this.#dictation.available || (this.#closed && !active)) return nothing;
    return dictateControl({ strings, active, onPress: () => this.#dictation.toggle() });
  }

  #renderAttachments() {
    const items = this.#files?.items ?? [];
    if (items.length === 0) return nothing;
    return html`<inlay-attachments
      exportparts="attachment: attachments__attachment"
      .items=${items}
      .policy=${this.attachments}
      .strings=${this.strings}
      @inlay-attachment-remove=${this.#handleRemove}
      @inlay-attachment-retry=${this.#handleRetry}
    ></inlay-attachments>`;
  }

  protected override render() {
    const { strings, problem } = this;
    // The text field is above the buttons if there are several lines, modes or files; otherwise beside them.
    const isTall =
      this.modes.length > 1 || this.#fieldHeight.isMultiline || Boolean(this.#files?.items.length);
    const attach = this.#renderAttach();
    return html`
      ${this.#autocomplete.render(strings.suggestions, strings.searching, (chosen) =>
        this.#choose(chosen),
      )}
      <form
        part="base"
        ?hidden=${this.readOnly && !this.value}
        class="${this.#closed ? 'closed' : 'open'} ${isTall ? 'tall' : ''}"
        @submit=${this.#handleSubmit}
        @pointerdown=${this.#handlePointerdown}
      >
        ${this.#renderAttachments()} ${isTall ? nothing : attach} ${this.#renderField()}
        ${isTall ? html`<div class="tools">${attach} ${this.#renderMode()}</div>` : nothing}
        <div class="trailing">
          ${this.#renderDictate()}
          ${this.running ? stopControl(strings, () => this.#stop()) : nothing}
          ${this.running && !this.#sendable ? nothing : sendControl(strings, !this.#sendable)}
        </div>
      </form>
      ${problem ? html`<p id="problem" class="problem"><bdi>${problem}</bdi></p>` : nothing}
      ${this.disclaimer ? html`<p part="disclaimer"><bdi>${this.disclaimer}</bdi></p>` : nothing}
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-composer': InlayComposer;
  }
}
