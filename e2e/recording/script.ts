import type { ToolFunction } from '@inlay/server';

const find: ToolFunction = ({ order }) => `Order ${String(order)}: two items, paid, 48,50 €`;
const cancel: ToolFunction = ({ order }) => `Order ${String(order)} is cancelled.`;

/** A tool of the server, one that asks first, and one that the host page runs. */
export const tools = [
  { type: 'function' as const, name: 'find_order', description: 'Finds an order.', run: find },
  {
    type: 'function' as const,
    name: 'cancel_order',
    description: 'Cancels an order.',
    permission: 'ask' as const,
    run: cancel,
  },
  { type: 'custom' as const, name: 'read_page', description: 'Reads what the page shows.' },
];

interface Turn {
  readonly says: string;
  /** Milliseconds after it was said at which the person's token ends; null where it does not. */
  readonly expiresAfter: number | null;
  readonly script: readonly object[];
}

/**
 * What the person says, and what the agent does. Characters of two, three and four bytes, joined
 * ones, line ends inside strings and text that looks like a frame are where parsers go wrong.
 */
export const turns: readonly Turn[] = [
  {
    says: 'Wie geht’s? 👋🏽',
    expiresAfter: null,
    script: [
      {
        think: 'A greeting in German, with a waving hand 👋🏽.\nAnswer warmly, and keep it short.',
      },
      { say: 'Gut, danke! Ich kann *Bestellungen* finden ✅, sie ändern ✏️ und stornieren ❌.' },
    ],
  },
  {
    says: 'Cancel order A-7, please.\r\nIt came twice.',
    expiresAfter: 540,
    script: [
      { say: 'Let me look at it.' },
      { call: 'find_order', input: { order: 'A-7' } },
      { think: 'Paid already: a refund is due, and the person must agree first.' },
      { say: '{result}\n\nevent: not a frame\n\ndata: {"but":"text"}\n\nShall I cancel it?' },
      { call: 'cancel_order', input: { order: 'A-7' } },
      { say: '{result} You get 48,50 € back within *three* days — 👩‍👩‍👧 say hello to them.' },
    ],
  },
  {
    says: 'שלום, what do I look at?',
    expiresAfter: 215,
    script: [
      { say: 'I will ask the page. רגע אחד…' },
      { call: 'read_page', input: {} },
      { say: 'The page shows:\n\n> {result}\n\nעוד משהו?' },
    ],
  },
];

/** What the host page answers to `read_page`. */
export const pageSays = 'Basket: 3 × “Löwenzahn” tea 🫖';
