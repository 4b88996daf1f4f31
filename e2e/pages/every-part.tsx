/** A page that shows every part of the chat. Its platform is scripted, so that the page needs no network. */
import '@inlay/elements/define-all';
import { createScriptedPlatform } from '@inlay/client/testing';

const violations: string[] = [];
document.addEventListener(
  'securitypolicyviolation',
  ({ violatedDirective, blockedURI, sample }) => {
    violations.push(`${violatedDirective}: ${blockedURI} ${sample}`);
  },
);
Object.assign(window, { violations });

const platform = createScriptedPlatform({
  baseUrl: location.origin,
  pageOrigin: location.origin,
  answer: null,
  config: {
    agent: { id: 'agt_1', name: 'Ada', version: '1' },
    greeting: 'Hello.',
    features: {
      attachments: true,
      feedback: true,
      threads: true,
      export: true,
      delete: true,
      forget_me: true,
      edit: true,
    },
    attachments: { max_bytes: 1_000_000, max_files: 3, media_types: ['image/*'] },
    consent: { text: 'What you write is kept for **30 days**.' },
    modes: [
      { id: 'quick', label: 'Quick' },
      { id: 'deep', label: 'Deep' },
    ],
  },
});
platform.interceptFetch();

const text = [
  '```js\nconst answer = 42;\n```',
  'A formula: $x^2 + y^2 = z^2$, and',
  '$$\\int_0^1 x\\,dx$$',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '- [x] done\n\nA note[^1] and ![a picture](https://pictures.example/x.png).\n\n[^1]: The note.',
].join('\n\n');

const session = platform.createSession({ user: 'kim', title: 'Everything' });
session.append(
  { type: 'user.message', content: [{ type: 'text', text: 'Show me everything.' }] },
  { type: 'session.status_running' },
  { type: 'agent.thinking', content: [{ type: 'text', text: 'Everything it is.' }] },
  { type: 'agent.message', content: [{ type: 'text', text }] },
  {
    type: 'agent.card',
    card: {
      title: 'A card',
      blocks: [
        { type: 'text', text: 'With **words**.' },
        {
          type: 'chart',
          kind: 'bar',
          labels: ['a', 'b'],
          series: [{ label: 's', values: [1, 2] }],
        },
      ],
    },
  },
  { type: 'session.status_idle', stop_reason: { type: 'end_turn' } },
);

const chat = document.createElement('inlay-chat');
chat.style.height = '800px';
chat.baseUrl = location.origin;
chat.sessionId = session.id;
chat.getToken = async () => platform.issue('kim').token;
document.body.append(chat);
