/** Scripted agent messages of the chats on the home page and in the playground. */
import type { Answer, Question } from '@inlay/client/testing';

const pace = 22;

const timetable: Answer = [
  { think: 'The guest wants the timetable. Two trains leave tonight.', delay_ms: 14 },
  {
    say:
      'Two trains leave for **Lisbon** tonight:\n\n' +
      '| Train | Departs | Arrives | Berth |\n|---|---|---|---:|\n' +
      '| Vesper 41 | 20:10 | 08:32 | €89 |\n| Vesper 43 | 22:45 | 10:50 | €69 |\n\n' +
      'Both have showers. *Vesper 43* has a breakfast car:\n\n' +
      '- coffee from 7:00\n- warm pastéis until they run out\n',
    delay_ms: pace,
  },
  { call: 'suggest_replies', input: { prompts: ['Change my booking', 'Cancel my booking'] } },
];

const card: Answer = [
  { say: 'Of course. Tell me what to change:', delay_ms: pace },
  {
    call: 'show_card',
    input: {
      title: 'Change booking V-4812',
      blocks: [
        { type: 'text', text: 'Madrid to **Lisbon**, 2 travellers' },
        {
          type: 'field',
          name: 'cabin',
          label: 'Cabin',
          kind: 'choice',
          options: [
            { value: 'single', label: 'Single, €129' },
            { value: 'double', label: 'Double, €89 each' },
          ],
          value: 'double',
          required: true,
        },
        { type: 'field', name: 'date', label: 'New date', kind: 'date', required: true },
        {
          type: 'buttons',
          buttons: [
            { label: 'Change it', action: 'change', style: 'primary' },
            { label: 'Keep it', action: 'keep', skips_fields: true },
          ],
        },
      ],
    },
  },
];

const approval: Answer = [
  { say: 'I can cancel booking V-4812. You decide:', delay_ms: pace },
  {
    call: 'cancel_booking',
    input: { booking: 'V-4812' },
    permission: 'ask',
    explanation: 'Cancels booking “V-4812” and refunds €178 to your card.',
    result: 'Refund of €178 started.',
    delay_ms: 700,
  },
  { say: 'Done. **€178** will be on your card within three days.', delay_ms: pace, when: 'ok' },
  { say: 'Nothing was cancelled. Your berths are waiting.', delay_ms: pace, when: 'error' },
];

const other: Answer = [
  {
    say:
      'I am a script inside this page, without a server and a model. I know three things:\n\n' +
      '1. **tonight’s trains**, streamed\n2. **change my booking**, a card\n' +
      '3. **cancel my booking**, a tool that needs your approval\n',
    delay_ms: pace,
  },
  {
    call: 'suggest_replies',
    input: { prompts: ['Which trains run tonight?', 'Change my booking', 'Cancel my booking'] },
  },
];

/** Selects an answer by keywords in the user message, like the scripted agent of the server. */
export function answerTo({ text }: Question): Answer {
  if (!text || text.startsWith('[Answer to the card]')) return 'Noted. Sleep well.';
  if (/cancel|refund|delete/i.test(text)) return approval;
  if (/booking|card|form|move|rebook/i.test(text)) return card;
  if (/train|tonight|lisbon|timetable|stream|table/i.test(text)) return timetable;
  return other;
}
