import { chunk, finish, stream } from './chat-endpoint.ts';
import { isType, setupConversation } from './setup-conversation.ts';
import { setupPaidModel } from './setup-paid-model.ts';
import { testOrigin } from './setup-server.ts';

/**
 * Serves a platform whose model is an HTTP endpoint that answers "Read." without the usage, and records its
 * requests.
 */
export async function setupAttachments(options: Parameters<typeof setupConversation>[0] = {}) {
  const endpoint = await setupPaidModel([stream(chunk({ content: 'Read.' }), finish())]);
  const conversation = await setupConversation({
    // The time limit of a PDF must not end before a busy machine has read it.
    fakeClock: true,
    ...endpoint.settings,
    ...options,
  });
  const { call, follow, send, token } = conversation;

  /** Uploads a file. Returns its id. */
  const upload = async (name: string, bytes: Uint8Array<ArrayBuffer>, userToken = token) => {
    const form = new FormData();
    form.append('file', new File([bytes], name));
    const headers = { authorization: `Bearer ${userToken}`, origin: testOrigin };
    const request = { method: 'POST', body: form, headers };
    const response = await conversation.app.request('/agent/v1/files', request);
    return ((await response.json()) as { id: string }).id;
  };
  const question = (text: string, fileId: string) => ({
    type: 'user.message',
    content: [
      { type: 'text', text },
      { type: 'document', source: { type: 'file', file_id: fileId } },
    ],
  });
  return {
    ...conversation,
    requests: endpoint.requests,
    upload,
    /** Starts a session with a question about a file. Returns its id. */
    async ask(text: string, fileId: string, userToken = token): Promise<string> {
      const body = { initial_events: [question(text, fileId)] };
      const response = await call('POST', '/sessions', body, {}, userToken);
      return ((await response.json()) as { id: string }).id;
    },
    sendFile: (id: string, text: string, fileId: string) => send(id, [question(text, fileId)]),
    /** Resolves when the session has this many answers. */
    async answers(id: string, count = 1): Promise<void> {
      const events = await follow(id);
      for (let n = 0; n < count; n += 1) await events.until(isType('session.status_idle'));
    },
    /** The content of the last user message of the last request. */
    contentForModel: () =>
      String(
        endpoint.requests.at(-1)?.body.messages.findLast(({ role }) => role === 'user')?.content,
      ),
  };
}
