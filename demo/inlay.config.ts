import { tools } from './tools.ts';

/**
 * The platform's configuration for the demo. `DEMO_HOST_URL` is the address of the host site, which
 * the demo knows once it has its ports.
 */
const localhost = ['http://localhost:*'];

export default {
  agents: [
    {
      short_id: 'demo',
      name: 'Vesper night desk',
      description: 'Awake when you are',
      instructions:
        'You are the night desk of Vesper, which runs sleeper trains across Europe. ' +
        'Answer briefly and kindly, in Markdown. Never invent departures.',
      model: { provider: 'scripted' },
      modes: [
        { id: 'balanced', label: 'Balanced' },
        {
          id: 'brief',
          label: 'Brief',
          description: 'The answer, and nothing else',
          model: { provider: 'scripted', voice: 'brief' },
        },
        {
          id: 'thorough',
          label: 'Thorough',
          description: 'Takes its time',
          model: { provider: 'scripted', voice: 'thorough' },
        },
      ],
      tools,
      embed: {
        // Only `localhost`: opening the site as 127.0.0.1 shows what a wrong origin is told.
        allowed_origins: localhost,
        default_ttl_seconds: 600,
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
        disclaimer: 'The night desk is an AI. It can be wrong; the timetable is not.',
        theme: { accent: '#b4512d' },
        // Of this machine alone: the platform's own picture. Others wait for a click.
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
      description: 'For guests who wait',
      instructions: 'You are the host of the lounge of Vesper. Answer briefly and kindly.',
      model: { provider: 'scripted' },
      embed: { allowed_origins: localhost },
      // A few answers, and it is used up: to see the meter, and what is said at its end.
      publishable_keys: [{ key: 'pk_lounge', new_visitors_per_hour: 1000, budget_cents: 3 }],
      appearance: {
        greeting: 'Good evening. What can I bring you?',
        starter_prompts: [
          { label: 'The seasons as a table, please' },
          { label: 'A tour of what you can write, please' },
        ],
        theme: { accent: '#1d4f5c' },
        // Change a word, start again, and everybody is asked again.
        consent: {
          text:
            'An **AI** answers here. We keep what you write for 30 days, to answer you, and ' +
            '[nobody else reads it](https://example.com/privacy).',
        },
        features: { attachments: false, forget_me: true },
      },
    },
  ],
  // What the lounge's budget is counted in.
  prices: { scripted: { output_cents_per_million: 10_000 } },
  // One key serves all pages of the demo, and every press of a button is a request.
  limits: { api_key: { requests_per_second: 50, concurrent: 20 } },
};
