import type { ServerProcess } from './server-process.ts';
import { isType, message } from './setup-conversation.ts';
import { testOrigin } from './setup-server.ts';

/** A conversation with an answer, and a file of its user. */
export interface Conversation {
  token: string;
  session: string;
  file: string;
  /** The content of the file: several pieces of a blob, and a part of one. */
  content: string;
}

/** Creates a conversation and a file, and waits for the answer. */
export async function startConversation(
  server: ServerProcess,
  text: string,
): Promise<Conversation> {
  const { token } = await server.issue('ada');
  const content = 'The content of a file. '.repeat(30_000);
  const body = new FormData();
  body.append('file', new File([content], 'notes.txt', { type: 'text/plain' }));
  const headers = { authorization: `Bearer ${token}`, origin: testOrigin };
  const upload = await fetch(`${server.url}/agent/v1/files`, { method: 'POST', body, headers });
  const { id: file } = (await upload.json()) as { id: string };
  const created = await server.call(token, 'POST', '/sessions', {
    initial_events: [message(text)],
  });
  const { id: session } = (await created.json()) as { id: string };
  await (await server.follow(token, session)).until(isType('session.status_idle'));
  return { token, session, file, content };
}
