import type { Session } from '@inlay/protocol';

const timestamp = '2026-01-01T00:00:00.000Z';

const preparedSession: Session = {
  type: 'session',
  id: 'ses_bench',
  agent: { type: 'agent', id: 'agt_bench', name: 'Bench', version: '1' },
  status: 'running',
  title: null,
  metadata: {},
  budget: null,
  usage: { input_tokens: 0, output_tokens: 0, spent_cents: 0 },
  created_at: timestamp,
  updated_at: timestamp,
  archived_at: null,
};

/** A prepared stream. Each buffer is one server-sent event in the format of the platform. */
export interface PreparedAnswer {
  before: readonly Buffer[];
  /** One fragment per token: the worst case, because the platform can combine tokens. */
  tokens: readonly Buffer[];
  after: readonly Buffer[];
}

/** Prepares the response stream for the first message of a conversation. */
export function prepareAnswer(question: string, tokens: readonly string[]): PreparedAnswer {
  let seq = 0;
  const logged = (type: string, fields: object = {}) => {
    seq += 1;
    const event = { type, id: `evt_${seq}`, processed_at: timestamp, seq, ...fields };
    return frame(event, String(seq));
  };
  const text = (value: string) => [{ type: 'text', text: value }];
  const created = { type: 'session.created', id: 'evt_0', processed_at: timestamp };
  const id = 'evt_answer';
  const before = [
    frame({ ...created, session: preparedSession }),
    logged('user.message', { content: text(question) }),
    logged('session.status_running'),
    logged('span.model_request_start'),
    frame({ type: 'event_start', event: { id, type: 'agent.message' } }, `${seq}.1`),
  ];
  const fragments = tokens.map((token, index) => {
    const delta = { type: 'content_delta', index: 0, content: { type: 'text', text: token } };
    return frame({ type: 'event_delta', event_id: id, delta }, `${seq}.${index + 2}`);
  });
  const after = [
    logged('agent.message', { id, content: text(tokens.join('')) }),
    logged('span.model_request_end', {
      model_request_start_id: 'evt_3',
      is_error: false,
      model_usage: { input_tokens: 1, output_tokens: tokens.length },
    }),
    logged('session.status_idle', { stop_reason: { type: 'end_turn' } }),
  ];
  return { before, tokens: fragments, after };
}

function frame(event: { type: string; [field: string]: unknown }, id?: string): Buffer {
  const line = id === undefined ? '' : `id: ${id}\n`;
  return Buffer.from(`event: ${event.type}\n${line}data: ${JSON.stringify(event)}\n\n`);
}
