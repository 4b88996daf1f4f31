/** An example of a feature: the message, and what it shows. */
export interface Example {
  /** Message that the button sends. */
  say?: string;
  /** Instruction for an action of the user; the button focuses the text field. */
  type?: string;
  see: string;
}

export interface ThingGroup {
  title: string;
  examples: readonly Example[];
}

/** Examples of all features of the chat. */
export const exampleGroups: readonly ThingGroup[] = [
  {
    title: 'Answers',
    examples: [
      { say: 'A tour of what you can write', see: 'all of Markdown, with code and a table' },
      {
        say: 'A document with maths',
        see: 'formulas, footnotes, a picture that waits for a click',
      },
      { say: 'Name your sources', see: 'numbers in the text, and the list behind them' },
      { say: 'A puzzle', see: 'thoughts, folded away when they end' },
      { say: 'A very long answer', see: 'the line that you read stays where it is' },
      { say: 'Something in Arabic and Hebrew', see: 'both directions in one answer' },
    ],
  },
  {
    title: 'Tools and approvals',
    examples: [
      { say: 'What is the weather?', see: 'a tool of the platform, and what to ask next' },
      {
        say: 'Send an invitation',
        see: 'what will happen in plain words; reload before you decide',
      },
      { say: 'Open my ticket', see: 'a tool of this page: the ticket below comes into view' },
      { say: 'Which page am I on?', see: 'another one: the page tells the agent' },
    ],
  },
  {
    title: 'Cards',
    examples: [
      { say: 'Change my booking', see: 'a form, answered once, still there after a reload' },
      { say: 'Which trains run tonight?', see: 'a list to choose from' },
      { say: 'Last half-year as a chart', see: 'a chart with its numbers, a table, a picture' },
    ],
  },
  {
    title: 'In the text field',
    examples: [
      { type: '/', see: 'commands of this page: /timetable, /pins, /clear' },
      { type: '@', see: 'bookings and colleagues, found by Vesper’s backend' },
      { type: '↑', see: 'what you said before, in an empty field' },
      { type: 'Drop a file', see: 'or paste it, or press the clip: at most three, of 2 MB' },
      { type: 'Balanced ▾', see: 'how to answer: brief, or thorough with its thoughts' },
      { type: '4111 1111 1111 1111', see: 'this page holds back what looks like a card number' },
    ],
  },
  {
    title: 'Below a message',
    examples: [
      { type: 'Edit', see: 'say it in other words; the arrows lead back to the first version' },
      { type: 'Regenerate', see: 'another answer to the same question' },
      { type: 'Thumbs', see: 'and why' },
      { type: 'Pin', see: 'a button of this page’s own: the answer comes to stand below' },
      { type: 'Select a line', see: 'and quote it' },
    ],
  },
  {
    title: 'The conversation',
    examples: [
      { type: 'List', see: 'top left: search, rename, archive, delete' },
      { type: 'More', see: 'top right: save as Markdown or JSON, delete, be forgotten' },
      { say: 'A slow answer', see: 'time to press stop, or Escape' },
      { say: 'Please fail', see: 'an answer that is interrupted, with a way to continue' },
      { say: 'Goodbye', see: 'the end of the conversation, with its reason' },
    ],
  },
];
