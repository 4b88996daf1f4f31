import { onAccount, signInAs } from './account.ts';

const label = 'Sign in as Ada';

/** A button that signs in as one of the example customers, for a chat that is locked without a user. */
export function signInButton(): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button sign-in';
  button.textContent = label;
  button.addEventListener('click', () => void signInAs('ada'));
  return button;
}

/** Adds the button to every chat of the page that is locked because no user is signed in. */
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
