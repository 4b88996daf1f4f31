import { describe, expect, it } from 'vitest';
import { setupClient, shownEntries, until } from '../testing/client-setup.ts';
import { codeOf } from '../testing/token-setup.ts';

const sendPath = /\/sessions\/[^/]+\/events$/;

/** A conversation whose next messages get a 200 response with unexpected JSON. */
async function setup(onSend: (session: ReturnType<typeof sessionOf>) => void) {
  const clientSetup = await setupClient();
  const { platform, client } = clientSetup;
  const conversation = client.conversation();
  await conversation.send('Hello');
  await until(() => conversation.state.stopReason !== null);
  platform.intercept = ({ method, path }, response) => {
    if (method !== 'POST' || !sendPath.test(path)) return undefined;
    onSend(sessionOf(platform));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
    return 'handled';
  };
  const sends = () => platform.received.filter(({ path }) => sendPath.test(path));
  return { ...clientSetup, conversation, sends };
}

function sessionOf(platform: Awaited<ReturnType<typeof setupClient>>['platform']) {
  return platform.session('ses_1');
}

describe('a message whose response is 200 with an unexpected body', () => {
  it('is shown as sent when it is in the log', async () => {
    let isLogged = false;
    const { conversation } = await setup((session) => {
      if (!isLogged) {
        const content = [{ type: 'text', text: 'One' }];
        session.append({ type: 'user.message', content });
      }
      isLogged = true;
    });
    await conversation.send('One');

    expect(shownEntries(conversation).at(-1)).toBe('One (sent)');
  });

  it('is retried with the same idempotency key, and fails when it is not in the log', async () => {
    const { conversation, sends } = await setup(() => {});

    expect(await codeOf(conversation.send('One'))).toBe('UNEXPECTED_RESPONSE');
    expect(shownEntries(conversation).at(-1)).toBe('One (failed)');
    expect(sends().length).toBe(8);
    expect(new Set(sends().map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });
});
