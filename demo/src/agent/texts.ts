/** Texts and cards of the scenarios. */

/** URL of a picture on the host site. */
const picture = `${process.env.DEMO_HOST_URL ?? 'http://localhost:8788'}/assets/harbour.svg`;
const fence = '```';

export const documentAnswer = `# How a tide is foretold

The height of the sea at a place is a sum of waves, one for each motion of moon and sun.[^1] Written out:

$$
h(t) = h_0 + \\sum_{i=1}^{n} A_i \\cos(\\omega_i t + \\varphi_i)
$$

where $A_i$ is how much a motion matters here and $\\omega_i$ how fast it goes round. For a harbour, $n = 37$ is plenty.

![A harbour at dusk](${picture})

## The four that matter most

| Name | Period in hours | Comes from |
|:-----|----------------:|:-----------|
| M₂ | 12.42 | the moon |
| S₂ | 12.00 | the sun |
| N₂ | 12.66 | the moon’s distance |
| K₁ | 23.93 | both, and the tilt of the axis |

## In code

${fence}python
from math import cos

def height(t: float, mean: float, waves: list[tuple[float, float, float]]) -> float:
    """Metres over chart datum, \`t\` hours from now."""
    return mean + sum(a * cos(w * t + p) for a, w, p in waves)
${fence}

What is left over comes from the weather. A picture of that would be loaded from somewhere else, and so has to be asked for:

![A weather map](https://images.example.org/weather-map.png)

- [x] the moon
- [x] the sun
- [ ] the wind[^2]

[^1]: William Thomson built a machine of pulleys for this sum in 1872.
[^2]: An onshore gale can add a metre, and no table knows of it.
`;

export const cardAnswers = {
  form: {
    title: 'Change a booking',
    blocks: [
      { type: 'text', text: 'Booking **V-4812**, Lisbon to Madrid. What shall be different?' },
      {
        type: 'field',
        name: 'date',
        label: 'New date',
        kind: 'date',
        required: true,
        value: '2027-03-14',
      },
      {
        type: 'field',
        name: 'cabin',
        label: 'Cabin',
        kind: 'choice',
        options: [
          { value: 'single', label: 'Single' },
          { value: 'double', label: 'Double' },
          { value: 'couchette', label: 'Couchette' },
        ],
        value: 'single',
      },
      {
        type: 'field',
        name: 'travellers',
        label: 'Travellers',
        kind: 'number',
        required: true,
        min: 1,
        max: 6,
        value: 1,
      },
      {
        type: 'field',
        name: 'extras',
        label: 'Extras',
        kind: 'choices',
        options: [
          { value: 'breakfast', label: 'Breakfast in bed' },
          { value: 'bicycle', label: 'A bicycle' },
          { value: 'dog', label: 'A dog' },
        ],
      },
      {
        type: 'field',
        name: 'email',
        label: 'E-mail for the new ticket',
        kind: 'email',
        required: true,
        placeholder: 'you@example.com',
      },
      { type: 'field', name: 'note', label: 'Anything else?', kind: 'multiline', max_length: 500 },
      {
        type: 'field',
        name: 'terms',
        label: 'I know that a change cannot be undone',
        kind: 'checkbox',
        required: true,
      },
      {
        type: 'buttons',
        buttons: [
          { label: 'Change the booking', action: 'change_booking', style: 'primary' },
          { label: 'Leave it as it is', action: 'keep_booking', skips_fields: true },
          { label: 'Terms', url: 'https://example.com/terms' },
        ],
      },
    ],
  },
  list: {
    title: 'Three night trains',
    blocks: [
      {
        type: 'list',
        items: [
          { title: 'Lusitania', text: '21:25 to 08:40, by the river', action: 'choose_lusitania' },
          { title: 'Surex', text: '18:35 to 07:10, by the coast', action: 'choose_surex' },
          {
            title: 'Both, one after the other',
            text: 'For those with time',
            action: 'choose_both',
          },
        ],
      },
    ],
  },
  chart: {
    title: 'How full the night trains were',
    blocks: [
      {
        type: 'chart',
        kind: 'bar',
        labels: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'],
        series: [
          { label: 'Lisbon', values: [52, 48, 61, 70, 76, 88] },
          { label: 'Madrid', values: [45, null, 58, 66, 71, 90] },
        ],
        unit: '%',
      },
      {
        type: 'table',
        columns: [
          { label: 'Line' },
          { label: 'Seats', align: 'end' },
          { label: 'On time', align: 'end' },
        ],
        rows: [
          ['Lisbon', 320, '94 %'],
          ['Madrid', 280, '91 %'],
          ['Porto', 96, null],
        ],
      },
      {
        type: 'image',
        url: picture,
        alt: 'A harbour at dusk',
        caption: 'Lisbon, where most of them begin',
      },
    ],
  },
};

export const rightToLeftAnswer = `## العربية

مرحبًا! هذا **نص عربي** يُكتب من اليمين إلى اليسار، وفيه رقم 42 وكلمة English في وسطه.

1. أولًا
2. ثانيًا

## עברית

שלום! זהו *טקסט בעברית*, עם קוד: \`npm start\`.

## Emoji

Faces 😀😅🥲, a family 👨‍👩‍👧‍👦, a flag 🇵🇹, a skin tone 👋🏽, and accents built of two characters: e\u0301, n\u0303.
`;

const chapters = [
  'How it begins',
  'What the numbers say',
  'Where it goes wrong',
  'What others do',
  'What follows from it',
];

const sentences = [
  'Every measurement has a **floor** beside it, because a number alone says little.',
  'A reader remembers the first line, so the first line carries the answer.',
  'What can be left out is left out; what remains is said once, *in plain words*.',
  'When two explanations fit, the one that can be tested comes first.',
  'The exception is written down where the rule is, not in a note at the end.',
  'A list helps where things are alike, and hurts where they lead from one to the next.',
];

export const longAnswer = chapters
  .map((chapter, index) => {
    const paragraphs = Array.from({ length: 12 }, (_, paragraph) =>
      sentences
        .map((_, position) => sentences[(position + paragraph + index) % sentences.length])
        .join(' '),
    );
    const list = sentences.map((sentence) => `- ${sentence}`).join('\n');
    return `## ${index + 1}. ${chapter}\n\n${paragraphs.join('\n\n')}\n\n${list}\n`;
  })
  .join('\n');

export const timetableAnswer = `These run tonight, all on time:

| Leaves | From | To | Arrives | Berths left |
|:-------|:-----|:---|:--------|------------:|
| 20:52 | Milan Centrale | Vienna | 07:48 | 31 |
| 21:34 | Lisbon Oriente | Madrid | 08:20 | 12 |
| 22:15 | Paris Austerlitz | Nice | 09:06 | 4 |
| 23:01 | Hamburg Altona | Stockholm | 11:37 | 18 |

Be on the platform ten minutes before, and show your booking at the door of your carriage.
`;

export const lostPropertyAnswer = `I am sorry to hear that. What is found on board goes to the **lost property office** of the last stop in the morning, and is kept there for 90 days.

1. Tell them the train, your carriage and berth, and what it looks like: lost@vesper.example.
2. They answer within a day, and send it for the postage, or keep it for you.

If your train is still on its way, tell the attendant in carriage 4.
`;

export const fareAnswer = `A seat is **29 euros**, a berth for four **59**, and a cabin of your own **129**.

- **Luggage**: two pieces are free; a bicycle is 10 euros, with a reservation.
- **Changes**: free until 18:00 on the day before.
- **Refunds**: all of it until seven days before, half until noon of the day.
`;

export const onBoardAnswer = `Your bed is made when you board. There is a second pillow in the locker, a shower at the end of carriage 6, and wifi in every carriage.

Breakfast comes on a tray **30 minutes before your stop**: coffee or tea, bread, fruit. Tell the attendant before 22:00 if you want it later.
`;

export const unknownAnswer = `I don’t know the answer to “{text}”.

I am the script of this demo, without a language model: I recognise words about Vesper’s trains, bookings and lost property. **help** lists all that I can show.

For an agent that understands every question, stop the demo, and start it with a model, here with [Ollama](https://ollama.com):

\`\`\`sh
INLAY_MODEL_BASE_URL=http://localhost:11434/v1 INLAY_MODEL=llama3.2 npm run demo
\`\`\`
`;
