import {
  type GetChallenge,
  type GetToken,
  type InlayClient,
  InlayError,
  type PageStoreKind,
  type VisitorStoreKind,
} from '@inlay/client';
import type { Mode } from '@inlay/protocol';
import { LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import type { Verbosity } from '../announcer/announcer.ts';
import type { MessageAction } from '../answer-actions/message-actions.ts';
import type { CardRenderers } from '../card/custom-blocks.ts';
import type { Command, FindMentions } from '../composer/commands.ts';
import type { StringOverrides } from '../i18n/all-strings.ts';
import type { FollowMode } from '../message-list/follow-controller.ts';
import { allowIfSetByScript, withoutAllowing } from '../options/allowed-origins.ts';
import { isOn } from '../options/is-on.ts';
import { OptionCheck } from '../options/option-check.ts';
import type { ClientTools } from './tools-controller.ts';

/** Public options of `inlay-chat`, shared with `inlay-launcher`. */
export class ChatOptions extends LitElement {
  constructor() {
    super();
    new OptionCheck(this);
  }

  /**
   * URL of the Inlay server, for example `https://chat.example`. An attribute with another origin than
   * that of the page, or of the script that defines the elements, needs a call of `allowOrigins`.
   */
  @property({ attribute: 'base-url' }) baseUrl = '';

  /**
   * Publishable key of the site, for users who are not signed in. With `token-url` or `getToken`, it only
   * finds the conversations from before the sign-in, which the user may keep (`allow_visitor_claim`).
   */
  @property({ attribute: 'publishable-key' }) publishableKey = '';

  /**
   * URL of your backend's token endpoint, for signed-in users: a `POST` to it returns
   * `{ token, expires_at }`, or 401 if no user is signed in. Takes precedence over `publishable-key`. For
   * an attribute with another origin, see `base-url`.
   */
  @property({ attribute: 'token-url' }) tokenUrl = '';

  /**
   * Fetches an embed token for the signed-in user from your backend. It receives the token that is
   * being replaced, or null, and resolves with null if the user has no access. The function that was
   * set last is called; replacing it does not restart the chat. Takes precedence over `token-url`.
   */
  @property({ attribute: false }) getToken: GetToken | null = null;

  /**
   * Answers the challenge that the platform requires of visitors when many came on a day: shows for
   * example a Turnstile widget, and resolves with its answer, or with null. Used with `publishable-key`.
   */
  @property({ attribute: false }) getChallenge: GetChallenge | null = null;

  /** A client of your own, in place of all the options above. The page has to close it. */
  @property({ attribute: false }) client: InlayClient | null = null;

  /** Id of the conversation to open. By default, the latest one of the last 24 hours is resumed. */
  @property({ attribute: 'session-id' }) sessionId = '';

  /** Starts a new conversation instead of resuming the latest one. */
  @property({ type: Boolean, converter: isOn, attribute: 'no-resume' }) noResume = false;

  /**
   * Where the secret of an anonymous visitor is stored: `local` (localStorage), `session`
   * (sessionStorage) or `memory` (not stored).
   *
   * @default local
   */
  @property({ attribute: 'visitor-storage' }) visitorStorage: VisitorStoreKind = 'local';

  /**
   * Where drafts, unsent messages and the unread separator are stored: `session` (sessionStorage: they
   * survive a reload of the tab), `local` (localStorage) or `memory` (not stored).
   *
   * @default session
   */
  @property({ attribute: 'draft-storage' }) draftStorage: PageStoreKind = 'session';

  /** Prevents the user from writing. The draft is kept, and answers still arrive. */
  @property({ type: Boolean, converter: isOn }) disabled = false;

  /** Why `disabled` is set, above the text field: `We are back at 9:00.` Empty to show nothing. */
  @property({ attribute: 'disabled-reason' }) disabledReason = '';

  /** Name in the header. By default the agent's name. */
  @property() heading = '';

  /** Placeholder of the text field. By default a text with the agent's name. */
  @property() placeholder = '';

  /** Color scheme: `light`, `dark` or `auto`. By default that of the agent's settings, else `auto`. */
  @property({ attribute: 'color-scheme' }) colorScheme: 'light' | 'dark' | 'auto' | '' = '';

  /** Amount of spacing: `compact`, `cosy` (default) or `roomy`. */
  @property({ reflect: true }) density: 'compact' | 'cosy' | 'roomy' | '' = '';

  /**
   * Automatic scrolling while an agent message streams: `bottom` (default) keeps the end in view,
   * `question-top` scrolls the user's message to the top and lets the answer grow below it, `off`
   * does not scroll.
   */
  @property() follow: FollowMode = 'bottom';

  /**
   * How agent messages are announced to screen reader users: `sentences` (default) announces each
   * sentence as it arrives, `answers` each complete message, `brief` only that there is one, `off`
   * nothing.
   */
  @property() announce: Verbosity = 'sentences';

  /** Disables dictation, even if the browser supports it. */
  @property({ type: Boolean, converter: isOn, attribute: 'no-dictation' }) noDictation = false;

  /** Disables the button that reads an answer aloud, even if the browser supports it. */
  @property({ type: Boolean, converter: isOn, attribute: 'no-read-aloud' }) noReadAloud = false;

  /** Disables the list of conversations, even if the agent's settings enable it. */
  @property({ type: Boolean, converter: isOn, attribute: 'no-conversation-list' })
  noConversationList = false;

  /**
   * Tools that this page runs for the agent, by name. Each function receives the input of the call;
   * its return value is sent to the agent. An exception is sent as a failure.
   */
  @property({ attribute: false }) tools: ClientTools | null = null;

  /**
   * Functions that draw the custom blocks of cards, by name. Each receives the data of the block, and
   * returns an element.
   */
  @property({ attribute: false }) renderers: CardRenderers | null = null;

  /** Slash commands of the page, offered after a `/` at the start of a message. */
  @property({ attribute: false }) commands: readonly Command[] = [];

  /** Finds the items that a message can mention: it receives the text typed after the `@`. */
  @property({ attribute: false }) findMentions: FindMentions | null = null;

  /** Modes that the user can choose from, in place of those of the agent's settings. */
  @property({ attribute: false }) modes: readonly Mode[] | null = null;

  /** Id of the selected mode. By default the first. */
  @property() mode = '';

  /** Custom buttons below messages. */
  @property({ attribute: false }) messageActions: readonly MessageAction[] = [];

  /**
   * Language of the user interface, as a BCP 47 tag. By default that of the nearest `lang` attribute,
   * otherwise the first of the browser's languages that is supported, otherwise English.
   */
  @property() language = '';

  /** Strings that replace those of the language. */
  @property({ attribute: false }) strings: StringOverrides | null = null;

  /** @internal */
  override attributeChangedCallback(...args: [string, string | null, string | null]) {
    withoutAllowing(() => super.attributeChangedCallback(...args));
  }

  /** @internal */
  override requestUpdate(...args: Parameters<LitElement['requestUpdate']>) {
    const [name] = args;
    if (name === 'baseUrl' || name === 'tokenUrl') allowIfSetByScript(this[name]);
    super.requestUpdate(...args);
  }

  /**
   * Sets any number of options in one call, at any time. Options that are left out keep their values.
   *
   * @throws InlayError `INVALID_OPTION` for an unknown option; then none is changed.
   */
  configure(options: Partial<Omit<this, keyof LitElement | 'configure'>>): void {
    const { elementProperties } = this.constructor as typeof LitElement;
    const names = [...elementProperties].flatMap(([name, { state }]) =>
      state ? [] : [String(name)],
    );
    const unknown = Object.keys(options).find((name) => !names.includes(name));
    if (unknown !== undefined) {
      throw new InlayError(
        'INVALID_OPTION',
        `configure() knows no option “${unknown}”. It knows: ${names.join(', ')}.`,
      );
    }
    Object.assign(this, options);
  }
}
