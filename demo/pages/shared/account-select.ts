import { loadAccount, onAccount, signInAs } from './account.ts';

const noUser = 'nobody';

/** Starts the account menu in the header, which changes the user without a page load. */
export function startAccountSelect(): void {
  const select = document.querySelector<HTMLSelectElement>('#account');
  if (!select) return;

  onAccount(({ customer, customers }) => {
    const options = customers.map(({ id, name }) => new Option(name, id));
    select.replaceChildren(...options, new Option('Nobody', noUser));
    select.value = customer?.id ?? noUser;
    select.disabled = false;
  });
  select.addEventListener('change', () => {
    if (select.value === noUser) void signOut();
    else void signInAs(select.value);
  });
}

/** Signs out, and says if the platform could not end the user's conversations. */
async function signOut(): Promise<void> {
  const problem = document.querySelector('#sign-out-problem');
  problem?.replaceChildren();
  try {
    await signInAs(null);
  } catch {
    const retry = document.createElement('button');
    retry.className = 'button quiet';
    retry.textContent = 'Try again';
    retry.addEventListener('click', () => void signOut());
    problem?.append(
      'You are signed out of this site, but the platform does not respond: the chat can still be open ' +
        'in other windows. ',
      retry,
    );
    await loadAccount();
  }
}
