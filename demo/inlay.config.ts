import { scenarios } from './src/agent/scenarios.ts';
import {
  fareAnswer,
  lostPropertyAnswer,
  onBoardAnswer,
  timetableAnswer,
} from './src/agent/texts.ts';
import { tools } from './src/agent/tools.ts';
import { realModel } from './src/host/models.ts';

/**
 * Configuration of the demo's platform. The demo sets `DEMO_HOST_URL`, the URL of the host site, when the
 * port of the site is known.
 */
const localhost = ['http://localhost:*'];
const model = realModel ?? { provider: 'scripted', scenarios };
/** A real model gets instructions. The scripted one ignores them, and gets a `voice`. */
const modeOf = (voice: 'brief' | 'thorough', instructions: string) =>
  realModel ? { instructions } : { model: { provider: 'scripted', scenarios, voice } };

export default {
  agents: [
    {
      short_id: 'demo',
      name: 'Vesper night desk',
      description: 'Open all night',
      instructions:
        'You are the night desk of Vesper, which runs sleeper trains across Europe. ' +
        'Answer briefly and kindly, in Markdown. Never invent departures. What you know:\n\n' +
        [timetableAnswer, fareAnswer, onBoardAnswer, lostPropertyAnswer].join('\n'),
      model,
      modes: [
        { id: 'balanced', label: 'Balanced' },
        {
          id: 'brief',
          label: 'Brief',
          description: 'Short answers',
          ...modeOf('brief', 'Answer in one or two sentences.'),
        },
        {
          id: 'thorough',
          label: 'Thorough',
          description: 'Detailed answers, after some thought',
          ...modeOf('thorough', 'Think it through, and say what speaks against your answer too.'),
        },
      ],
      tools,
      embed: {
        // Only `localhost`. At 127.0.0.1, the site shows the error for an origin that is not allowed.
        allowed_origins: localhost,
        default_ttl_seconds: 600,
        allow_visitor_claim: true,
      },
      publishable_keys: [
        { key: 'pk_demo', new_visitors_per_hour: 1000, spend_cents_per_day: 1_000_000 },
      ],
      appearance: {
        greeting: 'Good evening. Where shall we wake you up?',
        starter_prompts: [
          { label: 'What is the weather in Lisbon?', prompt: 'What is the weather in Lisbon?' },
          {
            label: 'When is the best season? As a table',
            prompt: 'The seasons as a table, please',
          },
          {
            label: 'Show me everything you can write',
            prompt: 'A tour of what you can write, please',
          },
        ],
        disclaimer: 'The night desk is an AI and can make mistakes. Check times in the timetable.',
        theme: { accent: '#b4512d' },
        // Images of other origins are loaded after a click.
        image_origins: localhost,
        features: { forget_me: true },
        cards: true,
        suggestions: true,
        attachments: {
          max_bytes: 2_000_000,
          max_files: 3,
          media_types: ['image/*', 'application/pdf', 'text/plain'],
        },
      },
      hosted: { return_url: process.env.DEMO_HOST_URL ?? 'http://localhost:8788' },
    },
    {
      short_id: 'lounge',
      name: 'Vesper lounge',
      description: 'For travellers in the lounge',
      instructions: 'You are the host of the lounge of Vesper. Answer briefly and kindly.',
      model,
      // As its consent text says.
      retention: { sessions_days: 30 },
      embed: { allowed_origins: localhost },
      // Enough for only a few answers, to show the usage display and the message at the limit.
      publishable_keys: [{ key: 'pk_lounge', new_visitors_per_hour: 1000, budget_cents: 3 }],
      appearance: {
        greeting: 'Good evening. What can I bring you?',
        starter_prompts: [
          { label: 'The seasons as a table, please' },
          { label: 'A tour of what you can write, please' },
        ],
        welcome: {
          card: {
            title: 'Shall we call you when it is time?',
            blocks: [
              {
                type: 'field',
                name: 'train',
                label: 'Your train',
                kind: 'select',
                options: [
                  { value: 'lusitania', label: 'Lusitania to Madrid' },
                  { value: 'surex', label: 'Surex to the border' },
                ],
                required: true,
              },
              { type: 'field', name: 'seat', label: 'Where you sit', kind: 'text' },
              {
                type: 'buttons',
                buttons: [{ label: 'Call me', action: 'call_me', style: 'primary' }],
              },
            ],
          },
        },
        theme: { accent: '#1d4f5c' },
        // If you change the text and restart, all users must accept it again.
        consent: {
          text:
            'An **AI** answers here. We keep what you write for 30 days, to answer you. ' +
            '[Privacy notice](https://example.com/privacy)',
        },
        features: { attachments: false, forget_me: true },
      },
    },
  ],
  // Prices for the budget of the lounge. A model of your own costs nothing here.
  prices: {
    scripted: { output_cents_per_million: 10_000 },
    ...(realModel && { [realModel.model]: {} }),
  },
  // To try webhooks with a receiver on this computer.
  webhooks: { allowed_private_hosts: ['127.0.0.1', 'localhost'] },
  // All pages of the demo share one API key and one IP address, and every button sends a request.
  limits: {
    api_key: { requests_per_second: 50, concurrent: 20 },
    source: { requests_per_second: 50, concurrent: 20 },
  },
};
