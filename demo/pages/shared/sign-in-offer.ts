import { onAccount, signInAs } from './account.ts';

const label = 'Sign in as Ada';

/** Creates a button that signs in as an example customer. */
export function signInButton(): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button sign-in';
  button.textContent = label;
  button.addEventListener('click', () => void signInAs('ada'));
  return button;
}

/** Adds a sign-in button to every chat of the page that is locked because no user is signed in. */
export function startSignInOffer(): void {
  let isSignedOut = false;
  const buttons = new Map<EventTarget, HTMLButtonElement>();
  const removeButtons = () => {
    for (const button of buttons.values()) button.remove();
    buttons.clear();
  };
  const lockedChats = new Set<HTMLElement>();
  const update = () => {
    if (!isSignedOut) return removeButtons();
    for (const chat of lockedChats) {
      if (buttons.has(chat)) continue;
      const button = signInButton();
      button.slot = 'footer';
      chat.append(button);
      buttons.set(chat, button);
    }
  };
  addEventListener('inlay-auth-change', ({ target, detail }) => {
    if (!(target instanceof HTMLElement)) return;
    if (detail.status === 'revoked') lockedChats.add(target);
    else lockedChats.delete(target);
    update();
  });
  onAccount(({ customer }) => {
    isSignedOut = customer === null;
    update();
  });
}
