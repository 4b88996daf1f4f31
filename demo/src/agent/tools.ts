const weather = () => '21 °C and clear';

/**
 * Tools of the agent. `function` tools run on the platform. `custom` tools run in the page, and are
 * implemented in `pages/shared/page-tools.ts`.
 */
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
    description: 'Sends an invitation by email.',
    input_schema: {
      type: 'object',
      properties: { to: { type: 'string' }, subject: { type: 'string' } },
    },
    permission: 'ask',
    explain: ({ to, subject }: Record<string, unknown>) =>
      `Sends an email to ${String(to)}, with the subject “${String(subject)}”.`,
    run: ({ to }: Record<string, unknown>) => `The invitation to ${String(to)} is on its way.`,
  },
  {
    type: 'custom',
    name: 'get_page_info',
    description: 'Describes the page that the user is viewing.',
  },
  {
    type: 'custom',
    name: 'open_page',
    description: 'Shows a part of Vesper’s site to the user.',
    input_schema: {
      type: 'object',
      properties: { path: { type: 'string' }, title: { type: 'string' } },
      required: ['path'],
    },
  },
  {
    type: 'function',
    name: 'end_conversation',
    description: 'Ends this conversation when the user says goodbye.',
    run: (_: unknown, context: { endConversation: (reason?: string) => void }) => {
      context.endConversation('You said good night. We are here whenever you wake up.');
      return 'The conversation has ended.';
    },
  },
];
