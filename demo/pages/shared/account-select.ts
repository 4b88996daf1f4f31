import { onAccount, signInAs } from './account.ts';

const nobody = 'nobody';

/** The account menu in the header, which changes the user without a page load. */
export function startAccountSelect(): void {
  const select = document.querySelector<HTMLSelectElement>('#account');
  if (!select) return;

  onAccount(({ person, people }) => {
    const options = people.map(({ id, name }) => new Option(name, id));
    select.replaceChildren(...options, new Option('Nobody', nobody));
    select.value = person?.id ?? nobody;
    select.disabled = false;
  });
  select.addEventListener('change', () => {
    void signInAs(select.value === nobody ? null : select.value);
  });
}
