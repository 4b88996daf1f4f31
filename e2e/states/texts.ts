import type { Card } from '@inlay/protocol';

/** An answer with a table, a list and code. */
export const rich = `Your order **10482** is on its way. It left the warehouse *this morning*, and [the carrier](https://carrier.example/track/10482) has it now.

| Item | Qty | Status |
|---|---:|---|
| The Atlas of Small Islands | 1 | sent |
| Reading lamp, brass | 2 | sent on 3 March |

What happens next:

1. It arrives **tomorrow** between 9 and 12.
2. You get a message an hour before.
   - Nobody at home? It goes to the shop at the corner.
3. You have 30 days to send it back.

\`\`\`js
const order = await shop.orders.get(10482);
console.log(order.status); // "sent"
\`\`\`

> Keep the box until you have looked at the lamp.`;

/** A long text of six paragraphs. */
export const long = Array.from(
  { length: 6 },
  (_, index) =>
    `Paragraph ${index + 1}. A parcel that is too large for the letter box is handed over in person, or left with a neighbour whom you have named, and in neither case will anybody be asked to pay anything at the door.`,
).join('\n\n');

/** A long URL in which no line can break. */
export const unbroken = `https://shop.example/${'a-very-long-address-without-any-break'.repeat(6)}`;

export const arabic = {
  question: 'أين طلبي رقم 10482؟',
  answer:
    'طلبك **10482** في الطريق. سيصل *غدًا* بين الساعة 9 و12.\n\n- يمكنك إرجاعه خلال 30 يومًا.\n- احتفظ بالصندوق.',
};

/** A card with a form: radio buttons, multi-line text, a date and a checkbox. */
export const form = {
  title: 'Send something back',
  blocks: [
    { type: 'text', text: 'Which one is it, and **why** does it go back?' },
    {
      type: 'field',
      name: 'item',
      label: 'Item',
      kind: 'choice',
      options: [
        { value: 'atlas', label: 'The Atlas of Small Islands' },
        { value: 'lamp', label: 'Reading lamp, brass' },
      ],
    },
    { type: 'field', name: 'reason', label: 'Reason', kind: 'multiline', required: true },
    { type: 'field', name: 'from', label: 'Fetch it on', kind: 'date' },
    { type: 'field', name: 'gift', label: 'It was a gift', kind: 'checkbox' },
    {
      type: 'buttons',
      buttons: [
        { label: 'Send back', action: 'send_back', style: 'primary' },
        { label: 'Not now', action: 'cancel', skips_fields: true },
      ],
    },
  ],
};

/** A welcome card: a choice and an e-mail address. */
const welcome = (texts: {
  readonly title: string;
  readonly topic: string;
  readonly topics: readonly [string, string];
  readonly email: string;
  readonly start: string;
}): Card => ({
  title: texts.title,
  blocks: [
    {
      type: 'field',
      name: 'topic',
      label: texts.topic,
      kind: 'select',
      options: texts.topics.map((label) => ({ value: label, label })),
    },
    { type: 'field', name: 'email', label: texts.email, kind: 'email', required: true },
    {
      type: 'buttons',
      buttons: [{ label: texts.start, action: 'start', style: 'primary' }],
    },
  ],
});

export const englishWelcome = welcome({
  title: 'Before we start',
  topic: 'What is it about?',
  topics: ['An order', 'A return'],
  email: 'Your e-mail address',
  start: 'Start the chat',
});

export const arabicWelcome = welcome({
  title: 'قبل أن نبدأ',
  topic: 'ما الموضوع؟',
  topics: ['طلب', 'إرجاع'],
  email: 'بريدك الإلكتروني',
  start: 'ابدأ المحادثة',
});

/** A card with a chart. */
export const chart = {
  title: 'Parcels this week',
  blocks: [
    {
      type: 'chart',
      kind: 'bar',
      labels: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
      series: [
        { label: 'sent', values: [12, 18, 9, 22, 17] },
        { label: 'sent back', values: [2, 1, 3, 2, 4] },
      ],
    },
    {
      type: 'table',
      columns: [{ label: 'Day' }, { label: 'Sent', align: 'end' }],
      rows: [
        ['Monday', 12],
        ['Tuesday', 18],
      ],
    },
  ],
};

export const consent =
  'We keep what you write for 30 days, to answer you. [What we do with it](https://shop.example/privacy).';

/** An answer with its sources. */
export const sourced = [
  'You have 30 days from the day on which it arrives. The way back costs nothing.',
  {
    title: 'Sending things back',
    url: 'https://shop.example/help/returns',
    snippet: 'Whatever you do not like goes back within 30 days of the day on which it arrived.',
    end_index: 50,
  },
  {
    title: 'What it costs',
    url: 'https://shop.example/help/costs',
    snippet: null,
    end_index: 78,
  },
] as const;

/** An answer with formulas. */
export const formula = `Of the price $p$ you get back what is left after $d$ days:

$$
r = p \\cdot \\left(1 - \\frac{d}{365}\\right), \\quad 0 \\le d \\le 365
$$`;

/** An image from an origin that the agent does not allow. */
export const pictures = 'It looks like this: ![A brass lamp](https://images.example/lamp.jpg)';

/** An answer with alerts, HTML elements, a footnote, and a table. */
export const marked = `> [!NOTE]
> Returns are free for **30 days**.

> [!WARNING]
> A lamp without its box costs 5 euros.

Press <kbd>Ctrl</kbd> + <kbd>P</kbd> to print the label: 20 m<sup>2</sup>, H<sub>2</sub>O.[^1]

<details><summary>What the carrier takes</summary>

Boxes up to \`31.5 kg\`.

</details>

| Weight | Price |
|---|--:|
| up to 5 kg | 4.90 € |
| up to 31.5 kg | 16.49 € |

[^1]: As of March.`;

/** An Arabic answer with alerts, HTML elements, and a footnote. */
export const markedArabic = `> [!NOTE]
> الإرجاع مجاني خلال **30 يومًا**.

> [!WARNING]
> المصباح بدون صندوقه يكلف 5 يورو.

<details><summary>ما الذي يأخذه الناقل</summary>

صناديق حتى \`31.5 kg\`.

</details>

اضغط <kbd>Ctrl</kbd> لطباعة الملصق.[^1]

[^1]: حتى مارس.`;
