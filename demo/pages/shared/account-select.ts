import { onAccount, signInAs } from './account.ts';

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
    void signInAs(select.value === noUser ? null : select.value);
  });
}
