import type { ToolFunction } from '@inlay/server';

const findOrder: ToolFunction = ({ order }) => `Order ${String(order)}: two items, paid, 48,50 €`;
const cancelOrder: ToolFunction = ({ order }) => `Order ${String(order)} is cancelled.`;

/** A tool of the server, one that needs approval, and one that runs in the page. */
export const tools = [
  { type: 'function' as const, name: 'find_order', description: 'Finds an order.', run: findOrder },
  {
    type: 'function' as const,
    name: 'cancel_order',
    description: 'Cancels an order.',
    permission: 'ask' as const,
    run: cancelOrder,
  },
  { type: 'custom' as const, name: 'read_page', description: 'Reads what the page shows.' },
];

interface Turn {
  readonly message: string;
  /** Milliseconds from the message to the expiry of the token; null if it does not expire. */
  readonly expiresAfter: number | null;
  readonly script: readonly object[];
}

/**
 * Messages of the user and answers of the agent. They contain characters of two to four bytes, emoji
 * sequences, line breaks and text that looks like a frame, which parsers can get wrong.
 */
export const turns: readonly Turn[] = [
  {
    message: 'Wie geht’s? 👋🏽',
    expiresAfter: null,
    script: [
      {
        think: 'A greeting in German, with a waving hand 👋🏽.\nAnswer warmly, and keep it short.',
      },
      { say: 'Gut, danke! Ich kann *Bestellungen* finden ✅, sie ändern ✏️ und stornieren ❌.' },
    ],
  },
  {
    message: 'Cancel order A-7, please.\r\nIt came twice.',
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
    message: 'שלום, what do I look at?',
    expiresAfter: 215,
    script: [
      { say: 'I will ask the page. רגע אחד…' },
      { call: 'read_page', input: {} },
      { say: 'The page shows:\n\n> {result}\n\nעוד משהו?' },
    ],
  },
];

/** Result of the page tool `read_page`. */
export const readPageResult = 'Basket: 3 × “Löwenzahn” tea 🫖';
