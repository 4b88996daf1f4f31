import type {
  AgentEntry,
  CardEntry,
  NoticeEntry,
  ThinkingEntry,
  ToolEntry,
  UserEntry,
} from '@inlay/client';

const base = (key: string) => ({ key, id: key, at: Date.UTC(2026, 2, 1, 12), seq: null });

/** Creates entries of a conversation with defaults, which `overrides` replaces. */
export const entries = {
  user: (key: string, text: string, overrides: Partial<UserEntry> = {}): UserEntry => ({
    ...base(key),
    kind: 'user',
    content: [{ type: 'text', text }],
    text,
    mode: null,
    mentions: [],
    versions: null,
    delivery: 'sent',
    error: null,
    retryAt: null,
    ...overrides,
  }),
  agent: (key: string, text: string, overrides: Partial<AgentEntry> = {}): AgentEntry => ({
    ...base(key),
    kind: 'agent',
    text,
    progress: 'done',
    citations: [],
    feedback: null,
    ...overrides,
  }),
  thinking: (key: string, overrides: Partial<ThinkingEntry> = {}): ThinkingEntry => ({
    ...base(key),
    kind: 'thinking',
    text: 'Let me see.',
    progress: 'done',
    endedAt: base(key).at + 4000,
    ...overrides,
  }),
  tool: (key: string, overrides: Partial<ToolEntry> = {}): ToolEntry => ({
    ...base(key),
    kind: 'tool',
    runsOn: 'server',
    name: 'look_up_order',
    input: { order: '10482' },
    explanation: null,
    inputHash: null,
    progress: 'done',
    result: 'shipped',
    decision: null,
    endedAt: base(key).at + 2000,
    ...overrides,
  }),
  card: (
    key: string,
    blocks: CardEntry['card']['blocks'],
    overrides: Partial<CardEntry> = {},
  ): CardEntry => ({
    ...base(key),
    kind: 'card',
    card: { title: null, blocks },
    answer: null,
    progress: 'open',
    ...overrides,
  }),
  notice: (key: string, overrides: Partial<NoticeEntry> = {}): NoticeEntry => ({
    ...base(key),
    kind: 'notice',
    code: 'model_request_failed_error',
    retryable: true,
    ...overrides,
  }),
};
