import type { MentionOption } from '@inlay/elements';
import { allowOrigins } from '@inlay/elements/define';
import { onUserChange } from '../shared/account.ts';
import { getToken } from '../shared/get-token.ts';
import { pageTools } from '../shared/page-tools.ts';
import { platform } from '../shared/platform.ts';
import { pin, unpinAll } from './pins.ts';

// Lets attributes name the platform, which has another origin.
allowOrigins(platform);

export const chat = document.querySelector('inlay-chat');
if (chat) {
  chat.configure({
    getToken,
    tools: pageTools,
    commands: [
      {
        name: 'timetable',
        description: 'Tonight’s trains to a city',
        takesInput: true,
        prompt: 'Which trains run tonight to {input}?',
      },
      {
        name: 'weather',
        description: 'The weather at your destination',
        prompt: 'What is the weather?',
      },
      { name: 'pins', description: 'Remove all pins from this page', run: unpinAll },
      { name: 'clear', description: 'Start a new conversation', run: () => chat.newConversation() },
    ],
    findMentions: async (query, { signal }) => {
      const response = await fetch(`/api/mentions?${new URLSearchParams({ query })}`, { signal });
      const found: MentionOption[] = response.ok ? await response.json() : [];
      return found;
    },
    messageActions: [
      {
        id: 'pin',
        label: 'Pin',
        icon: 'M12 17v5M8 4h8l-1 7 3 3v3H6v-3l3-3z',
        run: ({ text }) => pin(text),
      },
    ],
  });
  // Messages with a card number are not sent.
  chat.addEventListener('inlay-message-request', (event) => {
    if (!/\b(?:\d[ -]?){15}\d\b/.test(event.detail.text)) return;
    event.preventDefault();
    alert('Please never send the number of your card.');
  });
  // After another user has signed in, drops the data of the previous user.
  onUserChange(() => chat.reset());
}
