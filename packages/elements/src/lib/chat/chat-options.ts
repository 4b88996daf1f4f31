import {
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
import type { Command, FindMentions } from '../composer/commands.ts';
import type { ClientTools } from '../controllers/tools-controller.ts';
import type { StringOverrides } from '../i18n/strings.ts';
import type { FollowMode } from '../message-list/follow-controller.ts';
import { OptionCheck } from '../options/option-check.ts';

/** What a page says to a chat, the same for `inlay-chat` and for `inlay-launcher` around it. */
export class ChatOptions extends LitElement {
  constructor() {
    super();
    new OptionCheck(this);
  }

  /** The address of the platform, for example `https://chat.example`. */
  @property({ attribute: 'base-url' }) baseUrl = '';

  /** The site's public key, for people who are not signed in. */
  @property({ attribute: 'publishable-key' }) publishableKey = '';

  /**
   * The address of your backend's token endpoint, for people who are signed in: a `POST` to it
   * answers `{ token, expires_at }`, or 401 when nobody is. It comes before `publishable-key`.
   */
  @property({ attribute: 'token-url' }) tokenUrl = '';

  /**
   * Fetches an embed token from your backend, for the person who is signed in. It gets the token
   * that is being replaced, or null. Null as the answer means that the person may not talk.
   * Another function at another render changes nothing: the latest is called. It comes before
   * `token-url`.
   */
  @property({ attribute: false }) getToken: GetToken | null = null;

  /** A client of your own, in place of all the settings above. You close it. */
  @property({ attribute: false }) client: InlayClient | null = null;

  /** A conversation to open. Without one, the latest of the last 24 hours goes on. */
  @property({ attribute: 'session-id' }) sessionId = '';

  /** Begins with a new conversation, also where the person was in one a moment ago. */
  @property({ type: Boolean, attribute: 'no-resume' }) noResume = false;

  /** Where a visitor's secret is kept: `local` (default), `session`, or `memory` for nowhere. */
  @property({ attribute: 'visitor-storage' }) visitorStorage: VisitorStoreKind = 'local';

  /**
   * Where drafts and messages are kept that could not be sent yet: `session` (default) for this tab,
   * so that they survive a reload, `local`, or `memory` for nowhere.
   */
  @property({ attribute: 'draft-storage' }) draftStorage: PageStoreKind = 'session';

  /** The name in the header; the agent's by default. */
  @property() heading = '';

  /** What the empty text field says. */
  @property() placeholder = '';

  /** `light`, `dark` or `auto`; by default as the agent's settings say, otherwise `auto`. */
  @property({ attribute: 'color-scheme' }) colorScheme: 'light' | 'dark' | 'auto' | '' = '';

  /** How much room things have: `compact`, `cosy` (default) or `roomy`. */
  @property({ reflect: true }) density: 'compact' | 'cosy' | 'roomy' | '' = '';

  /**
   * Where the conversation goes by itself while an answer grows: `bottom` (default) stays at its end,
   * `question-top` puts what the person said at the top and lets the answer grow below it, `off`
   * leaves it where it is.
   */
  @property() follow: FollowMode = 'bottom';

  /**
   * How much of an answer those hear who have the page read out: `sentences` (default) as they are
   * said, `answers` once each is whole, `brief` that there is one, or `off`.
   */
  @property() announce: Verbosity = 'sentences';

  /** Offers no dictation, also where the browser has it. */
  @property({ type: Boolean, attribute: 'no-dictation' }) noDictation = false;

  /** Shows no list of conversations, also where the agent's settings have one. */
  @property({ type: Boolean, attribute: 'no-threads' }) noThreads = false;

  /**
   * Tools that this page runs for the agent, by name. Each gets the input of the call, and its
   * return value is told to the agent; what it throws is told as a failure.
   */
  @property({ attribute: false }) tools: ClientTools | null = null;

  /** What the page offers behind a `/` at the beginning of a message. */
  @property({ attribute: false }) commands: readonly Command[] = [];

  /** Finds what a message can mention with `@`: it gets what was typed behind it. */
  @property({ attribute: false }) findMentions: FindMentions | null = null;

  /** Ways to answer that the person can choose from, in place of those of the agent's settings. */
  @property({ attribute: false }) modes: readonly Mode[] | null = null;

  /** Id of the way to answer that is chosen; the first by default. */
  @property() mode = '';

  /** Buttons of the page's own below messages. */
  @property({ attribute: false }) messageActions: readonly MessageAction[] = [];

  /**
   * Language of the chat's own words, as a BCP 47 tag. By default that of the page, by the nearest
   * `lang`, or else the first of the browser's that is spoken here; English where none is.
   */
  @property() language = '';

  /** Words that replace those of the language. */
  @property({ attribute: false }) strings: StringOverrides | null = null;

  /**
   * Changes any number of options at once, at any time: what is left out stays.
   *
   * @throws InlayError `INVALID_OPTION` for a name that is no option; nothing is changed then.
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
