import type { ToolConfigInput } from '../../config/tools.ts';

/**
 * The tools that the built-in demonstration calls: one of the server, one that asks first, and one
 * that the host page runs. They do nothing outside the process.
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
    description: 'Sends an invitation by e-mail. The person is asked first.',
    input_schema: {
      type: 'object',
      properties: { to: { type: 'string' }, subject: { type: 'string' } },
      required: ['to', 'subject'],
    },
    permission: 'ask',
    run: ({ to, subject }) => `“${String(subject)}” would have gone to ${String(to)}.`,
  },
  {
    type: 'custom',
    name: 'get_page_info',
    description: 'Asks the host page what the person is looking at.',
  },
];
