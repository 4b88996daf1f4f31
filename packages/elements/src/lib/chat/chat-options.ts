import type { GetToken, InlayClient, PageStoreKind, VisitorStoreKind } from '@inlay/client';
import { LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import type { StringOverrides } from '../i18n/strings.ts';

/** What a page says to a chat, the same for `inlay-chat` and for `inlay-launcher` around it. */
export class ChatOptions extends LitElement {
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
  @property({ attribute: 'text-storage' }) textStorage: PageStoreKind = 'session';

  /** The name in the header; the agent's by default. */
  @property() heading = '';

  /** What the empty text field says. */
  @property() placeholder = '';

  /** `light`, `dark` or `auto`; by default as the agent's settings say, otherwise `auto`. */
  @property({ attribute: 'color-scheme' }) colorScheme: 'light' | 'dark' | 'auto' | '' = '';

  /** Words that replace the English ones. */
  @property({ attribute: false }) strings: StringOverrides | null = null;
}
