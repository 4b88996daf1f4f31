import { onAccount, signInAs } from './account.ts';

const label = 'Sign in as Ada';

/** A button that signs in as one of the example customers, for chats that wait for somebody to. */
export function signInButton(): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button sign-in';
  button.textContent = label;
  button.addEventListener('click', () => void signInAs('ada'));
  return button;
}

/** Puts the button into every chat of the page that is locked because nobody is signed in. */
export function startSignInOffer(): void {
  let isNobody = false;
  const offers = new Map<EventTarget, HTMLButtonElement>();
  const withdraw = () => {
    for (const button of offers.values()) button.remove();
    offers.clear();
  };
  const locked = new Set<HTMLElement>();
  const offer = () => {
    if (!isNobody) return withdraw();
    for (const chat of locked) {
      if (offers.has(chat)) continue;
      const button = signInButton();
      button.slot = 'footer';
      chat.append(button);
      offers.set(chat, button);
    }
  };
  addEventListener('inlay-auth-change', ({ target, detail }) => {
    if (!(target instanceof HTMLElement)) return;
    if (detail.status === 'revoked') locked.add(target);
    else locked.delete(target);
    offer();
  });
  onAccount(({ person }) => {
    isNobody = person === null;
    offer();
  });
}
