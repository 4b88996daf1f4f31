// Written by `npm run manifest` from the elements. Change those.

import type { InlayEventMap, InlayChat, InlayLauncher } from '@inlay/elements';

/** Event handlers by the name of the event, after a prefix. */
export type Handlers<Prefix extends string, Names extends keyof InlayEventMap> = {
  [Name in Names as `${Prefix}${Name}`]?: ((event: InlayEventMap[Name]) => void) | undefined;
};

/** Properties and attributes of `<inlay-chat>`. */
export interface InlayChatOptions {
  baseUrl?: InlayChat['baseUrl'] | undefined;
  publishableKey?: InlayChat['publishableKey'] | undefined;
  tokenUrl?: InlayChat['tokenUrl'] | undefined;
  getToken?: InlayChat['getToken'] | undefined;
  client?: InlayChat['client'] | undefined;
  sessionId?: InlayChat['sessionId'] | undefined;
  noResume?: InlayChat['noResume'] | undefined;
  visitorStorage?: InlayChat['visitorStorage'] | undefined;
  draftStorage?: InlayChat['draftStorage'] | undefined;
  heading?: InlayChat['heading'] | undefined;
  placeholder?: InlayChat['placeholder'] | undefined;
  colorScheme?: InlayChat['colorScheme'] | undefined;
  density?: InlayChat['density'] | undefined;
  follow?: InlayChat['follow'] | undefined;
  announce?: InlayChat['announce'] | undefined;
  noDictation?: InlayChat['noDictation'] | undefined;
  noThreads?: InlayChat['noThreads'] | undefined;
  tools?: InlayChat['tools'] | undefined;
  commands?: InlayChat['commands'] | undefined;
  findMentions?: InlayChat['findMentions'] | undefined;
  modes?: InlayChat['modes'] | undefined;
  mode?: InlayChat['mode'] | undefined;
  messageActions?: InlayChat['messageActions'] | undefined;
  language?: InlayChat['language'] | undefined;
  strings?: InlayChat['strings'] | undefined;
  'base-url'?: InlayChat['baseUrl'] | undefined;
  'publishable-key'?: InlayChat['publishableKey'] | undefined;
  'token-url'?: InlayChat['tokenUrl'] | undefined;
  'session-id'?: InlayChat['sessionId'] | undefined;
  'no-resume'?: InlayChat['noResume'] | undefined;
  'visitor-storage'?: InlayChat['visitorStorage'] | undefined;
  'draft-storage'?: InlayChat['draftStorage'] | undefined;
  'color-scheme'?: InlayChat['colorScheme'] | undefined;
  'no-dictation'?: InlayChat['noDictation'] | undefined;
  'no-threads'?: InlayChat['noThreads'] | undefined;
}

export type InlayChatEvents =
  | 'inlay-ready'
  | 'inlay-auth-change'
  | 'inlay-message-request'
  | 'inlay-message'
  | 'inlay-answer'
  | 'inlay-error'
  | 'inlay-diagnostic'
  | 'inlay-conversation-request'
  | 'inlay-conversation'
  | 'inlay-conversation-load'
  | 'inlay-rating-request'
  | 'inlay-rating'
  | 'inlay-decision-request'
  | 'inlay-decision'
  | 'inlay-link-request'
  | 'inlay-link'
  | 'inlay-copy'
  | 'inlay-card-request'
  | 'inlay-card'
  | 'inlay-tool-request'
  | 'inlay-tool'
  | 'inlay-command'
  | 'inlay-mode'
  | 'inlay-export-request'
  | 'inlay-export'
  | 'inlay-delete-request'
  | 'inlay-delete'
  | 'inlay-forget-request'
  | 'inlay-forget'
  | 'inlay-consent-request'
  | 'inlay-consent';


/** Properties and attributes of `<inlay-launcher>`. */
export interface InlayLauncherOptions {
  opened?: InlayLauncher['opened'] | undefined;
  placement?: InlayLauncher['placement'] | undefined;
  offsetInline?: InlayLauncher['offsetInline'] | undefined;
  offsetBlock?: InlayLauncher['offsetBlock'] | undefined;
  place?: InlayLauncher['place'] | undefined;
  noDrag?: InlayLauncher['noDrag'] | undefined;
  noBubble?: InlayLauncher['noBubble'] | undefined;
  teaser?: InlayLauncher['teaser'] | undefined;
  teaserDelay?: InlayLauncher['teaserDelay'] | undefined;
  sound?: InlayLauncher['sound'] | undefined;
  agent?: InlayLauncher['agent'] | undefined;
  baseUrl?: InlayLauncher['baseUrl'] | undefined;
  publishableKey?: InlayLauncher['publishableKey'] | undefined;
  tokenUrl?: InlayLauncher['tokenUrl'] | undefined;
  getToken?: InlayLauncher['getToken'] | undefined;
  client?: InlayLauncher['client'] | undefined;
  sessionId?: InlayLauncher['sessionId'] | undefined;
  noResume?: InlayLauncher['noResume'] | undefined;
  visitorStorage?: InlayLauncher['visitorStorage'] | undefined;
  draftStorage?: InlayLauncher['draftStorage'] | undefined;
  heading?: InlayLauncher['heading'] | undefined;
  placeholder?: InlayLauncher['placeholder'] | undefined;
  colorScheme?: InlayLauncher['colorScheme'] | undefined;
  density?: InlayLauncher['density'] | undefined;
  follow?: InlayLauncher['follow'] | undefined;
  announce?: InlayLauncher['announce'] | undefined;
  noDictation?: InlayLauncher['noDictation'] | undefined;
  noThreads?: InlayLauncher['noThreads'] | undefined;
  tools?: InlayLauncher['tools'] | undefined;
  commands?: InlayLauncher['commands'] | undefined;
  findMentions?: InlayLauncher['findMentions'] | undefined;
  modes?: InlayLauncher['modes'] | undefined;
  mode?: InlayLauncher['mode'] | undefined;
  messageActions?: InlayLauncher['messageActions'] | undefined;
  language?: InlayLauncher['language'] | undefined;
  strings?: InlayLauncher['strings'] | undefined;
  'open'?: InlayLauncher['opened'] | undefined;
  'offset-inline'?: InlayLauncher['offsetInline'] | undefined;
  'offset-block'?: InlayLauncher['offsetBlock'] | undefined;
  'no-drag'?: InlayLauncher['noDrag'] | undefined;
  'no-bubble'?: InlayLauncher['noBubble'] | undefined;
  'teaser-delay'?: InlayLauncher['teaserDelay'] | undefined;
  'base-url'?: InlayLauncher['baseUrl'] | undefined;
  'publishable-key'?: InlayLauncher['publishableKey'] | undefined;
  'token-url'?: InlayLauncher['tokenUrl'] | undefined;
  'session-id'?: InlayLauncher['sessionId'] | undefined;
  'no-resume'?: InlayLauncher['noResume'] | undefined;
  'visitor-storage'?: InlayLauncher['visitorStorage'] | undefined;
  'draft-storage'?: InlayLauncher['draftStorage'] | undefined;
  'color-scheme'?: InlayLauncher['colorScheme'] | undefined;
  'no-dictation'?: InlayLauncher['noDictation'] | undefined;
  'no-threads'?: InlayLauncher['noThreads'] | undefined;
}

export type InlayLauncherEvents =
  | 'inlay-open-request'
  | 'inlay-open'
  | 'inlay-close-request'
  | 'inlay-close';
