import { html } from 'lit';
import { register } from '../register.ts';
import { InlayVisitorClaim } from '../visitor-claim/visitor-claim.ts';
import type { ChatController } from './chat-controller.ts';
import { moveFocus } from './focus.ts';

/**
 * Asks a user who has signed in whether to keep the conversations that this browser had before, if there
 * are any. Before the answer, their content is not shown, because another person may have written it.
 */
export async function offerClaim(chat: ChatController): Promise<void> {
  const { host } = chat;
  const { client, config } = chat.client;
  const { publishableKey, visitorStorage } = host;
  if (!publishableKey) return;
  // A question that could not be prepared is asked after the next page load.
  const visitor = await client
    ?.earlierVisitor({ publishableKey, store: visitorStorage })
    .catch(() => null);
  // The settings are replaced with the user.
  const isCurrent = () => chat.client.client === client && chat.client.config === config;
  if (!client || !visitor || !isCurrent()) return;

  const answer = async (keep: boolean) => {
    if (keep) {
      await visitor.claim().catch((reason: unknown) => {
        chat.fail(reason);
        throw reason;
      });
    } else visitor.forget();
    if (!isCurrent()) return;
    chat.claim = undefined;
    host.requestUpdate();
    void moveFocus(host, 'inlay-composer');
    if (!keep) return;
    host.renderRoot.querySelector('inlay-conversation-list')?.refresh();
    // The conversation that was open before the sign-in is the latest one.
    const { sessionId, state } = chat.conversation;
    if (!sessionId && !state?.entries.length) await chat.resume(client);
  };
  register({ 'inlay-visitor-claim': InlayVisitorClaim });
  chat.claim = (strings) => html`<inlay-visitor-claim
    .answer=${answer}
    .strings=${strings}
  ></inlay-visitor-claim>`;
  host.requestUpdate();
}
