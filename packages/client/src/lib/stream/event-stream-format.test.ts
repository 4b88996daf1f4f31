/**
 * Cases of the web-platform-tests for event streams (the files `format-*` and `event-data` in
 * `eventsource/`). The transport reads each case from a real server, as one chunk and byte by byte. Then
 * a complete client reads a session in several formats.
 */
import { describe, expect, it } from 'vitest';
import { setupClient, shownEntries, until } from '../testing/client-setup.ts';
import { readStream } from '../testing/stream-setup.ts';

/** A stream and its expected messages. A string is the data of a message of the default type. */
const streamCases: Record<
  string,
  readonly [stream: string, expected: readonly (string | object)[]]
> = {
  fields: [
    'data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n',
    ['\0\n 2\n1\n3\n\n4'],
  ],
  newlines: ['data:test\r\ndata\ndata:test\r\r\n', ['test\n\ntest']],
  'data with a leading space': ['data:\ttest\rdata: \ndata:test\n\n', ['\ttest\n\ntest']],
  'data without a leading space': ['data:test\n\n', ['test']],
  comments: [
    `data:1\r:\0\n:\r\ndata:2\n:${'x'.repeat(2_000)}\rdata:3\n:data:fail\r:${'x'.repeat(2_000)}\ndata:4\n\n`,
    ['1\n2\n3\n4'],
  ],
  'empty data': ['data:\n\ndata\n\ndata:test\n\n', ['', '', 'test']],
  'leading empty lines of data': ['data:\ndata:\ndata:x\n\n', ['\n\nx']],
  'unknown fields': [
    'data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\n\n',
    ['test\n'],
  ],
  'an unterminated last line as no message': ['data:1\n\ndata:2', ['1']],
  'a last message without a blank line as no message': [
    'data:test1\n\nid:test\n\ndata:test2\n',
    ['test1'],
  ],
  'a byte order mark': ['\uFEFFdata:1\n\ndata:2\n\n', ['1', '2']],
  'two byte order marks': [
    '\uFEFF\uFEFFdata:1\n\ndata:2\n\n\uFEFFdata:3\n\ndata:\uFEFF4\n\n',
    ['2', '\uFEFF4'],
  ],
  'multi-byte characters': ['data:ok…\n\ndata:🦊日本\n\n', ['ok…', '🦊日本']],
  'null bytes': ['data:\0\n\n\n\n', ['\0']],
  'a message type': [
    'event:test\ndata:x\n\ndata:x\n\n',
    [
      { event: 'test', data: 'x' },
      { event: 'message', data: 'x' },
    ],
  ],
  'an empty message type': ['event: \ndata:data\n\n', [{ event: 'message', data: 'data' }]],
  'a type that an empty message resets': [
    'event:test\n\ndata:x\n\n',
    [{ event: 'message', data: 'x' }],
  ],
  'an id that later messages keep': [
    'id:1\ndata:a\n\ndata:b\n\n',
    [
      { id: '1', data: 'a' },
      { id: '1', data: 'b' },
    ],
  ],
  'an id that is reset': [
    'id:1\ndata:a\n\nid\ndata:b\n\nid:2\ndata:c\n\nid:\ndata:d\n\n',
    [{ id: '1' }, { id: '' }, { id: '2' }, { id: '' }],
  ],
  'an id with a null character, which is ignored': [
    'id:1\ndata:a\n\nid:2\0\ndata:b\n\n',
    [{ id: '1' }, { id: '1' }],
  ],
  'an id without data, which applies to later messages': [
    'id:7\n\ndata:a\n\n',
    [{ id: '7', data: 'a' }],
  ],
};

describe('S04, S05: sseTransport', () => {
  it.each(Object.entries(streamCases))('parses %s', async (_name, [stream, messagesOrData]) => {
    const bytes = new TextEncoder().encode(stream);
    const expected = messagesOrData.map((each) =>
      typeof each === 'string' ? { data: each } : each,
    );
    for (const chunks of [[bytes], Array.from(bytes, (byte) => new Uint8Array([byte]))]) {
      const { messages, outcome } = await readStream(chunks);
      expect(outcome).toBe('closed');
      expect(messages).toMatchObject(expected);
      expect(messages).toHaveLength(expected.length);
    }
  });

  it('accepts a retry field only if it consists of digits', async () => {
    const { retries } = await readStream([
      'retry: 10abc\n\nretry: -1\n\nretry: x\n\nretry\n\nretry: 1e3\n\nretry: 2000\n\nretry:0\n\n',
    ]);
    expect(retries).toEqual([2000, 0]);
  });
});

const messageFormats: Record<string, (data: string, id: string) => string> = {
  'line feeds': (data, id) => `data: ${data}\nid: ${id}\n\n`,
  'carriage returns': (data, id) => `data: ${data}\rid: ${id}\r\r`,
  'mixed line endings': (data, id) => `id:${id}\r\ndata:${data}\n\r\n`,
  'comments and unknown fields': (data, id) =>
    `: beat\n\n:\r\nfoo: bar\nid: ${id}\n:x\ndata: ${data}\nretry: 5x\n\n:\n\n`,
  'data in many lines': (data, id) =>
    `id: ${id}\ndata\n${data
      .replaceAll(',"', '\n,"')
      .split('\n')
      .map((line) => `data:${line}\n`)
      .join('')}data\n\n`,
};

describe('S04, S05: a conversation', () => {
  it.each(Object.entries(messageFormats))(
    'is read completely from a stream with %s',
    async (_name, format) => {
      const { client, platform } = await setupClient();
      const session = platform.createSession({ user: 'ada' });
      platform.intercept = ({ path }, response) => {
        if (!path.includes('/stream')) return undefined;
        const events = [
          { type: 'user.message', content: [{ type: 'text', text: 'Hé?' }] },
          { type: 'session.status_running' },
          { type: 'agent.message', content: [{ type: 'text', text: 'a\nb: c\r\n🦊' }] },
          { type: 'session.status_idle', stop_reason: { type: 'end_turn' } },
        ];
        const stream = events
          .map((event, index) => {
            const logged = {
              ...event,
              id: `evt_${index}`,
              seq: index + 1,
              processed_at: '2026-01-01T00:00:00Z',
            };
            return format(JSON.stringify(logged), String(index + 1));
          })
          .join('');
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const byte of new TextEncoder().encode(`\uFEFF${stream}`)) {
          response.write(new Uint8Array([byte]));
        }
        return 'handled';
      };
      const conversation = client.conversation(session.id);
      await until(() => conversation.state.lastSeq === 4);
      expect(shownEntries(conversation)).toEqual(['Hé? (sent)', '> a\nb: c\r\n🦊 (done)']);
    },
  );
});
