import type { AnswerOption, CallStep, ScriptStep } from '@inlay/client/testing';

const priceCall: CallStep = { call: 'get_price', input: { of: 'tea' }, result: '3 €' };
const payCall: CallStep = {
  call: 'pay',
  input: { cents: 300 },
  permission: 'ask',
  result: 'Paid.',
};
/** A card with a required field. */
export const seatsCard = {
  title: 'Seats',
  blocks: [
    { type: 'field', name: 'seats', label: 'Seats', kind: 'number', required: true, max: 4 },
    {
      type: 'buttons',
      buttons: [
        { label: 'Book', action: 'book' },
        { label: 'No', action: 'no', skips_fields: true },
      ],
    },
  ],
};
const cardCall: CallStep = { call: 'show_card', input: seatsCard };
const prompts = ['And tomorrow?', 'Thanks'];
const suggestionsCall: CallStep = { call: 'suggest_replies', input: { prompts } };
const mapCall: CallStep = { call: 'show_map', input: {}, runs_on: 'page' };

const doorCall: CallStep = { call: 'open_door', input: {}, runs_on: 'page', permission: 'ask' };

/** Scripts of the agents of the contract. Both platforms play the same steps. */
export const agents = {
  plain: [{ say: 'You said: {text}' }],
  thinker: [{ think: 'Let me see.' }, { say: 'I see.' }],
  slow: [{ say: 'One ' }, { wait_ms: 60_000 }, { say: 'two.' }],
  shop: [{ say: 'Looking.' }, priceCall, { say: 'It is {result}.' }],
  cashier: [payCall, { say: 'Done: {result}', when: 'ok' }, { say: 'No: {result}', when: 'error' }],
  guide: [mapCall, { say: 'The map says {result}.' }],
  porter: [
    doorCall,
    { say: 'Opened: {result}', when: 'ok' },
    { say: 'Kept shut: {result}', when: 'error' },
  ],
  booking: [{ say: 'Choose.' }, cardCall],
  helper: [{ say: 'Sunny.' }, suggestionsCall],
  failing: [{ say: 'I begin' }, { fail: 'on purpose' }],
} satisfies Record<string, AnswerOption & object>;

export type AgentName = keyof typeof agents;

export const features = {
  attachments: true,
  feedback: true,
  threads: true,
  edit: true,
  export: true,
  delete: true,
  forget_me: true,
};
export const modes = [
  { id: 'fast', label: 'Fast' },
  { id: 'deep', label: 'Thorough' },
];

/** Configuration of the tools that the scripts call, for the real server. */
export const tools = [
  { type: 'function' as const, name: 'get_price', description: 'Price', run: () => '3 €' },
  {
    type: 'function' as const,
    name: 'pay',
    description: 'Pay',
    permission: 'ask' as const,
    run: () => 'Paid.',
  },
  { type: 'custom' as const, name: 'show_map', description: 'Map' },
  {
    type: 'custom' as const,
    name: 'open_door',
    description: 'Door',
    permission: 'ask' as const,
  },
];

/** Converts the steps for the scripted model of the server, whose tools come from the configuration. */
export function serverScript(steps: readonly ScriptStep[]) {
  return steps.map((step) => {
    if ('call' in step) return { call: step.call, input: { ...step.input } };
    if ('say' in step) return { say: String(step.say), ...(step.when && { when: step.when }) };
    if ('think' in step) return { think: String(step.think) };
    if ('wait_ms' in step) return { wait_ms: step.wait_ms };
    if ('fail' in step) return { fail: step.fail };
    throw new TypeError('The scripted model of the server does not have this step.');
  });
}
