import { afterEach, describe, expect, it } from 'vitest';
import type { Conversation } from '../inlay-client.ts';
import { createTestBed, type TestBed, type TestBedOptions } from './test-bed.ts';

const beds: TestBed[] = [];
afterEach(async () => {
  for (const bed of beds.splice(0)) await bed.close();
});

function setup(options: TestBedOptions = {}) {
  const bed = createTestBed(options);
  beds.push(bed);
  return bed;
}

const shown = (conversation: Conversation) =>
  conversation.state.entries.map((entry) => {
    if (entry.kind === 'user') return entry.text;
    if (entry.kind === 'tool') return `${entry.name} ${entry.progress}`;
    return entry.kind === 'agent' || entry.kind === 'thinking' ? `> ${entry.text}` : entry.code;
  });

describe('a scripted answer', () => {
  it('comes to a conversation over the whole client', async () => {
    const bed = setup({ answer: 'Hello, {text}.' });
    const conversation = bed.client.conversation();
    const sent = conversation.send('Ada');
    await bed.until(() => conversation.state.stopReason !== null);
    await sent;
    expect(shown(conversation)).toEqual(['Ada', '> Hello, Ada.']);
    expect(bed.platform.session().log.map(({ type }) => type)).toEqual([
      'user.message',
      'session.status_running',
      'span.model_request_start',
      'agent.message',
      'span.model_request_end',
      'session.status_idle',
    ]);
  });

  it('proceeds as time is advanced', async () => {
    const bed = setup({ answer: [{ say: ['One ', 'two ', 'three'], delay_ms: 100 }] });
    const conversation = bed.client.conversation();
    void conversation.send('Count');
    await bed.clock.advance(0);
    expect(shown(conversation)).toEqual(['Count']);
    await bed.clock.advance(100);
    expect(shown(conversation)[1]).toBe('> One ');
    await bed.clock.advance(199);
    expect(shown(conversation)[1]).toBe('> One two ');
    await bed.clock.advance(1);
    expect(shown(conversation)[1]).toBe('> One two three');
  });
});
