/**
 * The platform's configuration for the demo. `DEMO_HOST_URL` is the address of the host site, which
 * the demo knows once it has its ports.
 */
const weather = ({ city }: Record<string, unknown>) =>
  `21 °C and clear in ${typeof city === 'string' ? city : 'your city'}`;

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
      tools: [
        {
          type: 'function',
          name: 'get_weather',
          description: 'The weather at the destination, now.',
          input_schema: { type: 'object', properties: { city: { type: 'string' } } },
          run: weather,
        },
        {
          type: 'function',
          name: 'send_invitation',
          description: 'Sends an invitation by e-mail.',
          input_schema: {
            type: 'object',
            properties: { to: { type: 'string' }, subject: { type: 'string' } },
          },
          permission: 'ask',
          explain: ({ to, subject }: Record<string, unknown>) =>
            `Sends an e-mail to ${String(to)}, with the subject “${String(subject)}”.`,
          run: ({ to }: Record<string, unknown>) =>
            `The invitation to ${String(to)} is on its way.`,
        },
        {
          type: 'function',
          name: 'end_conversation',
          description: 'Ends this conversation for good, once everything is said.',
          run: (_: unknown, context: { endConversation: (reason?: string) => void }) => {
            context.endConversation('You said good night. We are here whenever you wake up.');
            return 'The conversation is over.';
          },
        },
      ],
      embed: {
        // Only `localhost`: opening the site as 127.0.0.1 shows what a wrong origin is told.
        allowed_origins: ['http://localhost:*'],
        default_ttl_seconds: 600,
      },
      publishable_keys: [{ key: 'pk_demo', new_visitors_per_hour: 1000 }],
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
        image_origins: ['http://localhost:*'],
        features: { forget_me: true },
        cards: true,
        suggestions: true,
      },
      hosted: { return_url: process.env.DEMO_HOST_URL ?? 'http://localhost:8788' },
    },
  ],
  // One key serves all pages of the demo, and every press of a button is a request.
  limits: { api_key: { requests_per_second: 50, concurrent: 20 } },
};
