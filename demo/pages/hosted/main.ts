import hostedLink from '../../src/host/hosted-link.ts?raw';
import { onAccount } from '../shared/account.ts';
import { showCode } from '../shared/code.ts';
import html from './embed.html?raw';

const problems: Record<string, string> = {
  'signed-out': 'No one is signed in. Sign in at the top of the page, then press the link again.',
  blocked: 'The night desk is closed for this account.',
  unavailable: 'The night desk can’t be reached right now. Try again in a moment.',
};

const problem = problems[new URLSearchParams(location.search).get('problem') ?? ''];
const notice = document.querySelector<HTMLElement>('#problem');
if (notice && problem) {
  notice.hidden = false;
  notice.textContent = problem;
}

onAccount(({ customer }) => {
  const recipient = document.querySelector('#recipient');
  if (recipient) recipient.textContent = customer?.name ?? '(no one is signed in)';
});

showCode([
  { name: 'letter.html', source: html },
  { name: 'backend/hosted-link.ts', source: hostedLink },
]);
