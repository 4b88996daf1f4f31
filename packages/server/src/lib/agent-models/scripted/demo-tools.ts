import type { ToolConfigInput } from '../../config/tools.ts';

/**
 * Tools of the built-in demo: server tools, one that needs approval, host page tools, and one that
 * ends the conversation. They have no effects outside the process.
 */
export const demoTools: ToolConfigInput[] = [
  {
    type: 'function',
    name: 'get_weather',
    description: 'Tells the weather in a city.',
    input_schema: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    },
    run: ({ city }) => `24 °C and sunny in ${typeof city === 'string' ? city : 'an unknown city'}`,
  },
  {
    type: 'function',
    name: 'send_invitation',
    description: 'Sends an invitation by email. The user is asked first.',
    input_schema: {
      type: 'object',
      properties: { to: { type: 'string' }, subject: { type: 'string' } },
      required: ['to', 'subject'],
    },
    permission: 'ask',
    explain: ({ to, subject }) =>
      `Sends an email to ${String(to)}, with the subject “${String(subject)}”.`,
    run: ({ to, subject }) => `“${String(subject)}” would have gone to ${String(to)}.`,
  },
  {
    type: 'custom',
    name: 'get_page_info',
    description: 'Asks the host page what the user is looking at.',
  },
  {
    type: 'custom',
    name: 'open_page',
    description: 'Opens a page of the host’s site for the user.',
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
    run: (_, { endConversation }) => {
      endConversation('You said goodbye. Begin a new conversation whenever you like.');
      return 'The conversation is over.';
    },
  },
];
