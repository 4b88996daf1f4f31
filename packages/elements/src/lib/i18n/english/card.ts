import type { Plural } from '../plural.ts';

/** What `inlay-card` says. */
export const cardWords = {
  card: 'Card',
  cardRequired: 'required',
  cardChoose: 'Please choose',
  cardMissing: 'Please fill this in.',
  cardMissingChoice: 'Please choose one.',
  cardMissingCheck: 'Please tick this to go on.',
  cardNotEmail: 'Please enter an e-mail address, such as name@example.com.',
  cardNotNumber: 'Please enter a number.',
  cardNotDate: 'Please enter a date.',
  cardTooSmall: 'Please enter {min} or more.',
  cardTooLarge: 'Please enter {max} or less.',
  cardTooLong: {
    one: 'At most {count} character.',
    other: 'At most {count} characters.',
  } as Plural,
  cardSending: 'Sending',
  cardSent: 'Sent',
  cardConflict: 'This was answered somewhere else. What counts is shown here.',
  cardChosen: 'Chosen',
  cardNoValue: 'No answer',
  cardProblems: { one: '1 field needs a look.', other: '{count} fields need a look.' } as Plural,
} as const;
