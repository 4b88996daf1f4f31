/** A button that demonstrates a feature, with either a message or an instruction. */
export interface Example {
  /** Message that the button sends. */
  message?: string;
  /** Describes what the user must do. The button only focuses the text field. */
  instruction?: string;
  /** Description of what the example demonstrates. */
  shows: string;
}

export interface ExampleGroup {
  title: string;
  examples: readonly Example[];
}

/** Examples of all features of the chat. */
export const exampleGroups: readonly ExampleGroup[] = [
  {
    title: 'Answers',
    examples: [
      {
        message: 'A tour of what you can write',
        shows: 'all Markdown elements, with code and a table',
      },
      {
        message: 'A document with maths',
        shows: 'formulas, footnotes, and an image that loads after a click',
      },
      { message: 'Name your sources', shows: 'numbered references, and a list of sources' },
      { message: 'A puzzle', shows: 'reasoning, collapsed when it ends' },
      {
        message: 'A very long answer',
        shows: 'the scroll position stays stable while text arrives',
      },
      { message: 'Something in Arabic and Hebrew', shows: 'both directions in one answer' },
    ],
  },
  {
    title: 'Tools and approvals',
    examples: [
      { message: 'What is the weather?', shows: 'a server tool, and follow-up suggestions' },
      {
        message: 'Send an invitation',
        shows: 'an approval request, which survives a reload',
      },
      {
        message: 'Open my ticket',
        shows: 'a tool of this page, which scrolls to the ticket below',
      },
      { message: 'Which page am I on?', shows: 'a tool of this page, which returns its title' },
    ],
  },
  {
    title: 'Cards',
    examples: [
      { message: 'Change my booking', shows: 'a form, which keeps its answer after a reload' },
      { message: 'Which trains run tonight?', shows: 'a list to choose from' },
      {
        message: 'Last half-year as a chart',
        shows: 'a chart with its data, a table, and an image',
      },
    ],
  },
  {
    title: 'In the text field',
    examples: [
      { instruction: '/', shows: 'commands of this page: /timetable, /pins, /clear' },
      { instruction: '@', shows: 'bookings and colleagues from Vesper’s backend' },
      { instruction: '↑', shows: 'in an empty field: your previous message' },
      {
        instruction: 'Drop a file',
        shows: 'or paste it, or press the paper clip: up to three files of 2 MB',
      },
      { instruction: 'Balanced ▾', shows: 'response mode: brief, or thorough with reasoning' },
      {
        instruction: '4111 1111 1111 1111',
        shows: 'this page blocks messages that contain a card number',
      },
    ],
  },
  {
    title: 'Below a message',
    examples: [
      { instruction: 'Edit', shows: 'rephrase a message; the arrows switch between versions' },
      { instruction: 'Regenerate', shows: 'another answer to the same question' },
      { instruction: 'Thumbs', shows: 'rate an answer, and say why' },
      { instruction: 'Pin', shows: 'an action of this page: shows the answer below' },
      { instruction: 'Select a line', shows: 'quote it in your next message' },
    ],
  },
  {
    title: 'The conversation',
    examples: [
      { instruction: 'List', shows: 'top left: search, rename, archive, delete' },
      {
        instruction: 'More',
        shows: 'top right: export as Markdown or JSON, delete, delete my data',
      },
      { message: 'A slow answer', shows: 'stop it with the button or Escape' },
      { message: 'Please fail', shows: 'an interrupted answer, and how to retry' },
      { message: 'Goodbye', shows: 'the agent ends the conversation, with a reason' },
    ],
  },
];
