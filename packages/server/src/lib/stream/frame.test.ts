import { liveEvents, logEvents } from '@inlay/protocol';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isType, setupConversation } from '../testing/setup-conversation.ts';
import { frame, greeting, heartbeat } from './frame.ts';

/** Strings that could end a frame or start another, if they were not escaped. */
const hostileStrings = fc
  .array(
    fc.oneof(
      fc.constantFrom('\r', '\n', '\r\n', '\n\n', '\0', '\u2028', '\ufeff', '\ud800', ':', ' '),
      fc.constantFrom('data: {}', 'id: 999', 'event: session.error', 'retry: 0', '"', '\\'),
      fc.string(),
    ),
  )
  .map((pieces) => pieces.join(''));

function parse(bytes: Buffer): EventSourceMessage[] {
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message) });
  parser.feed(bytes.toString('utf8'));
  return messages;
}

describe('an SSE frame', () => {
  it('is parsed as one event with exactly its data, whatever the data contains', () => {
    fc.assert(
      fc.property(
        hostileStrings,
        hostileStrings,
        fc.nat(),
        fc.nat(),
        (key, text, seq, fragment) => {
          const event = { type: 'agent.message', [`x${key}`]: text, content: [{ text }] };

          const messages = parse(frame(event, { seq, fragment }));

          expect(messages).toEqual([
            {
              event: 'agent.message',
              id: fragment === 0 ? `${seq}` : `${seq}.${fragment}`,
              data: JSON.stringify(event),
            },
          ]);
          expect(JSON.parse(messages[0]?.data ?? '')).toEqual(event);
        },
      ),
    );
  });

  it('has a type without line breaks', () => {
    for (const type of [...Object.keys(logEvents), ...Object.keys(liveEvents)]) {
      expect(type).toMatch(/^[a-z_]+(?:\.[a-z_]+)?$/);
    }
  });

  it('is not parsed as an event if it is the greeting or a heartbeat', () => {
    expect(parse(Buffer.concat([greeting, heartbeat]))).toEqual([]);
  });
});

describe('input of users and pages', () => {
  const hostileText =
    'x\r\n\r\nid: 999\revent: session.deleted\ndata: {"type":"session.deleted"}\n\n';

  it('is unchanged in the stream, and adds no event to it', async () => {
    const { call, create, follow, send } = await setupConversation();
    const id = await create();
    await call('POST', `/sessions/${id}`, {
      title: hostileText,
      metadata: { [hostileText.slice(0, 60)]: hostileText },
    });
    await send(id, [{ type: 'user.message', content: [{ type: 'text', text: hostileText }] }]);

    const stream = await follow(id);
    await stream.until(isType('session.status_idle'));

    expect(stream.seen.some(isType('session.deleted'))).toBe(false);
    expect(stream.seen.map(({ id: position }) => position)).not.toContain('999');
    expect(stream.seen.find(isType('session.updated'))?.data.title).toBe(hostileText);
    expect(stream.seen.find(isType('user.message'))?.data.content).toEqual([
      { type: 'text', text: hostileText },
    ]);
  });

  it.each([
    { type: `user.message\n${hostileText}`, content: [{ type: 'text', text: 'x' }] },
    { type: 'user.tool_confirmation', tool_use_id: hostileText, result: 'allow' },
    { type: 'user.custom_tool_result', custom_tool_use_id: hostileText, content: [] },
  ])(
    'is rejected if the type or an id of an event contains line breaks (case %#)',
    async (event) => {
      const { create, send, log } = await setupConversation();
      const id = await create();

      expect((await send(id, [event])).status).toBe(400);
      expect(await log(id)).toEqual([]);
    },
  );
});
