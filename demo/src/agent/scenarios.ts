import {
  cardAnswers,
  documentAnswer,
  fareAnswer,
  longAnswer,
  lostPropertyAnswer,
  onBoardAnswer,
  rightToLeftAnswer,
  timetableAnswer,
  unknownAnswer,
} from './texts.ts';

/**
 * Answers of the scripted agents, by the words of a message. The platform adds its own, such as `tour`
 * and `weather`.
 */
export const scenarios = [
  {
    keywords: ['open', 'take me'],
    description: 'a tool with which the page around this chat goes somewhere: `open_page`',
    script: [
      { say: 'I will open it for you.' },
      { call: 'open_page', input: { path: '/bookings/V-4812', title: 'Booking V-4812' } },
      { say: 'There it is. {result}', when: 'ok' },
      { say: 'The page could not be opened: {result}', when: 'error' },
    ],
  },
  {
    keywords: ['sources', 'source', 'cite', 'citation', 'citations'],
    description: 'an answer that names its sources',
    script: [
      { say: 'High water comes about **every 12 hours and 25 minutes**, half a lunar day.' },
      {
        cite: {
          title: 'Tides and water levels',
          url: 'https://oceanservice.noaa.gov/education/tutorial_tides/',
          snippet: 'High tides occur 12 hours and 25 minutes apart.',
        },
      },
      { say: ' The greatest tides of all, up to 16 metres, are in the Bay of Fundy.' },
      {
        cite: {
          title: 'Bay of Fundy',
          url: 'https://en.wikipedia.org/wiki/Bay_of_Fundy',
          snippet: 'The bay is known for having the highest tidal range in the world.',
        },
      },
      { say: ' In this harbour, 3.1 metres were measured this morning.' },
      { cite: { title: 'The harbour master’s log', url: null, snippet: '06:12 HW 3.1 m' } },
    ],
    suggestions: ['Show me a document with maths'],
  },
  {
    keywords: ['document', 'maths', 'math', 'formula'],
    description: 'a document with maths, code, a table, footnotes and pictures',
    script: [{ say: documentAnswer }],
    suggestions: ['Name your sources', 'Some code, please'],
  },
  {
    keywords: ['form', 'booking', 'book'],
    description: 'a form to fill in',
    script: [
      { say: 'Gladly. Tell me what shall be different:' },
      { call: 'show_card', input: cardAnswers.form },
    ],
  },
  {
    keywords: ['choose', 'choice', 'list', 'trains'],
    description: 'a list to choose from',
    script: [{ say: 'These run tonight:' }, { call: 'show_card', input: cardAnswers.list }],
  },
  {
    keywords: ['chart', 'figures', 'card'],
    description: 'a card with a chart, a table and a picture',
    script: [
      { say: 'Here are the figures of half a year:' },
      { call: 'show_card', input: cardAnswers.chart },
    ],
  },
  {
    keywords: ['goodbye', 'bye'],
    description: 'the end of a conversation: `end_conversation`',
    script: [{ say: 'It was a pleasure. Goodbye!' }, { call: 'end_conversation', input: {} }],
  },
  {
    keywords: ['page', 'where am i'],
    description: 'a tool that the page around this chat runs: `get_page_info`',
    script: [
      { say: 'I will ask the page.' },
      { call: 'get_page_info', input: {} },
      { say: 'The page says:\n\n> {result}', when: 'ok' },
      { say: 'The page gave no answer: {result}', when: 'error' },
    ],
  },
  { keywords: ['long'], description: 'a very long answer', script: [{ say: longAnswer }] },
  {
    keywords: ['rtl', 'arabic', 'hebrew', 'emoji'],
    description: 'right-to-left text and emoji',
    script: [{ say: rightToLeftAnswer }],
  },
  {
    keywords: [
      'timetable',
      'departures',
      'departure',
      'train',
      'when',
      'platform',
      'late',
      'delay',
    ],
    description: 'the trains of tonight',
    script: [{ say: timetableAnswer }],
    suggestions: ['Which trains can I choose?', 'What is the weather in Vienna?'],
  },
  {
    keywords: ['lost', 'forgot', 'forgotten', 'left', 'scarf', 'umbrella', 'found'],
    description: 'lost property',
    script: [{ say: lostPropertyAnswer }],
    suggestions: ['When does the night train leave?', 'Change my booking'],
  },
  {
    keywords: [
      'ticket',
      'price',
      'prices',
      'cost',
      'costs',
      'cancel',
      'refund',
      'luggage',
      'bicycle',
      'bike',
    ],
    description: 'prices, luggage and refunds',
    script: [{ say: fareAnswer }],
    suggestions: ['Change my booking', 'When does the night train leave?'],
  },
  {
    keywords: ['breakfast', 'berth', 'bed', 'cabin', 'pillow', 'wifi', 'shower'],
    description: 'life on board',
    script: [{ say: onBoardAnswer }],
    suggestions: ['What does a ticket cost?', 'I lost my scarf'],
  },
  {
    keywords: ['human', 'person', 'phone', 'call', 'help me'],
    description: 'people who can help',
    script: [
      {
        say: 'A person answers at **+351 210 555 019**, all night, or in carriage 4 of each train.',
      },
    ],
  },
  {
    keywords: ['hello', 'hi', 'hey', 'good evening', 'good morning'],
    description: 'a greeting',
    script: [
      {
        say: 'Good evening, and welcome to Vesper. I know the timetable, your booking and the lost property office.',
      },
    ],
    suggestions: ['When does the night train leave?', 'Change my booking', 'I lost my scarf'],
  },
  {
    keywords: ['*'],
    script: [{ say: unknownAnswer }],
    suggestions: ['When does the night train leave?', 'Change my booking', 'I lost my scarf'],
  },
  {
    card_action: 'change_booking',
    script: [
      { say: 'Done: booking **V-4812** is changed.\n\n{values}\n\nYour ticket is on its way.' },
    ],
  },
  { card_action: 'keep_booking', script: [{ say: 'All right, everything stays as it is.' }] },
  {
    card_action: 'call_me',
    script: [{ say: 'We will call you ten minutes before it leaves.' }],
  },
  { card_action: 'choose_', script: [{ say: 'A good choice. I have kept a berth for you.' }] },
];
