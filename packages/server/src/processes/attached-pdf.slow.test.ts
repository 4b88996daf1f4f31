import { expect, it } from 'vitest';
import { chatEndpoint, chunk, finish, stream } from '../lib/testing/chat-endpoint.ts';
import { japaneseFont, makePdf } from '../lib/testing/pdf.ts';
import { startProcess } from '../lib/testing/server-process.ts';
import { testOrigin } from '../lib/testing/setup-server.ts';

it('the built server reads the text of an attached PDF, with the tables of Japanese fonts', async () => {
  const { url, requests } = await chatEndpoint(stream(chunk({ content: 'Read.' }), finish()));
  const model = { provider: 'openai-compatible' as const, base_url: url, model: 'm' };
  const embed = { allowed_origins: [testOrigin] };
  const server = await startProcess('memory', {
    agents: [{ short_id: 'test', name: 'Test agent', model, embed }],
  });
  const { token } = await server.issue('ada');
  const shiftJis = { bytes: Buffer.from('BT /F1 12 Tf 72 720 Td <93FA967B8CEA> Tj ET') };
  const form = new FormData();
  form.append('file', new File([makePdf([shiftJis], { font: japaneseFont })], 'a.pdf'));
  const headers = { authorization: `Bearer ${token}`, origin: testOrigin };
  const upload = { method: 'POST', body: form, headers };
  const { id } = (await (await fetch(`${server.url}/agent/v1/files`, upload)).json()) as {
    id: string;
  };

  const content = [{ type: 'document', source: { type: 'file', file_id: id } }];
  await server.call(token, 'POST', '/sessions', {
    initial_events: [{ type: 'user.message', content }],
  });

  await expect.poll(() => requests.length).toBe(1);
  expect(requests[0]?.body.messages.at(-1)?.content).toContain('PDF with 1 page.');
  expect(requests[0]?.body.messages.at(-1)?.content).toContain('[Page 1]\n日本語\n');
});
