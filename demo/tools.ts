/**
 * Tools of the agent. `function` tools run on the platform, `custom` tools in the page:
 * `pages/shared/page-tools.ts`.
 */
const weather = () => '21 °C and clear';

export const tools = [
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
    run: ({ to }: Record<string, unknown>) => `The invitation to ${String(to)} is on its way.`,
  },
  {
    type: 'custom',
    name: 'get_page_info',
    description: 'Asks the page around the chat what the person is looking at.',
  },
  {
    type: 'custom',
    name: 'open_page',
    description: 'Opens a part of Vesper’s site for the person.',
    input_schema: {
      type: 'object',
      properties: { path: { type: 'string' }, title: { type: 'string' } },
      required: ['path'],
    },
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
];
