import { literal } from './escape.ts';

/**
 * An example of an option or setting that is an object or a function: its value for the widget, and its
 * source text for the generated code. A test compares the two.
 */
interface Example {
  readonly source: string;
  readonly value: unknown;
}

const welcome = {
  card: {
    title: 'Before you board',
    blocks: [
      { type: 'field', name: 'email', label: 'E-mail', kind: 'email', required: true },
      { type: 'buttons', buttons: [{ label: 'Start', action: 'start', style: 'primary' }] },
    ],
  },
};

export const examples: Readonly<Record<string, Example>> = {
  getToken: {
    source: `async () => {
  const response = await fetch('/api/chat-token', { method: 'POST' });
  return response.ok ? response.json() : null;
}`,
    value: null,
  },
  getChallenge: {
    source: `async ({ siteKey }) => solveChallenge(siteKey)`,
    value: null,
  },
  client: {
    source: `createInlayClient({
  baseUrl: 'https://chat.example',
  tokens: hostTokens(fetchToken('/api/chat-token')),
})`,
    value: null,
  },
  tools: {
    source: `{
  get_page_info: () => ({ title: document.title }),
}`,
    value: { get_page_info: () => ({ title: document.title }) },
  },
  renderers: {
    source: `{
  price: ({ euros }) => {
    const element = document.createElement('strong');
    element.textContent = \`€ \${euros}\`;
    return element;
  },
}`,
    value: {
      price: ({ euros }: Readonly<Record<string, unknown>>) => {
        const element = document.createElement('strong');
        element.textContent = `€ ${euros}`;
        return element;
      },
    },
  },
  commands: {
    source: `[
  { name: 'trains', description: 'Trains tonight', prompt: 'Which trains run tonight?' },
]`,
    value: [{ name: 'trains', description: 'Trains tonight', prompt: 'Which trains run tonight?' }],
  },
  findMentions: {
    source: `(query) =>
  [{ id: 'V-4812', label: 'Booking V-4812' }].filter(({ label }) =>
    label.toLowerCase().includes(query.toLowerCase()),
  )`,
    value: (query: string) =>
      [{ id: 'V-4812', label: 'Booking V-4812' }].filter(({ label }) =>
        label.toLowerCase().includes(query.toLowerCase()),
      ),
  },
  modes: {
    source: `[
  { id: 'fast', label: 'Fast' },
  { id: 'thorough', label: 'Thorough' },
]`,
    value: [
      { id: 'fast', label: 'Fast' },
      { id: 'thorough', label: 'Thorough' },
    ],
  },
  messageActions: {
    source: `[
  { id: 'print', label: 'Print', run: () => print() },
]`,
    value: [{ id: 'print', label: 'Print', run: () => print() }],
  },
  strings: {
    source: `{ send: 'Ask' }`,
    value: { send: 'Ask' },
  },
  showWhen: {
    source: `{ path: '/timetable/*', seconds: 20 }`,
    value: { path: '/timetable/*', seconds: 20 },
  },
  place: {
    source: `{ side: 'start', up: 0.5 }`,
    value: { side: 'start', up: 0.5 },
  },
  'appearance.welcome': { source: literal(welcome), value: welcome },
};
