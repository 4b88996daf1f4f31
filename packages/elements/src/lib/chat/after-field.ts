// What a chat wants as soon as its field is there, for one file of the build: what stands where nothing
// was said, and what is done with and told of what was.
export { Announcer } from '../announcer/announcer.ts';
export { InlayWelcome } from '../welcome/welcome.ts';
export { entryAnswers } from './entry-answers.ts';
export { deleteConversation, exportConversation, forgetPerson } from './rights.ts';
