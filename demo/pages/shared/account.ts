/** The part of a customer's data that the page may know. */
export interface Person {
  id: string;
  name: string;
  role: string;
}

export interface Account {
  /** The signed-in customer; null if no user is signed in. */
  person: Person | null;
  /** All example customers. */
  people: Person[];
}

type Listener = (account: Account) => void;

const listeners = new Set<Listener>();
let latest: Account | null = null;

/** Calls the listener with the current account, if it is known, and after each sign-in or sign-out. */
export function onAccount(listener: Listener): void {
  listeners.add(listener);
  if (latest) listener(latest);
}

/** Calls the listener when the user changes, but not for the first user. */
export function onUserChange(listener: (person: Person | null) => void): void {
  let before: string | null | undefined;
  onAccount(({ person }) => {
    const now = person?.id ?? null;
    if (before !== undefined && before !== now) listener(person);
    before = now;
  });
}

export async function loadAccount(): Promise<void> {
  tell(await ask('/me'));
}

/** Signs in as an example customer, or out for null, without a page load. */
export async function signInAs(id: string | null): Promise<void> {
  tell(
    await (id === null
      ? ask('/logout', { method: 'POST' })
      : ask('/login', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ id }),
        })),
  );
}

async function ask(path: string, init?: RequestInit): Promise<Account> {
  const response = await fetch(path, init);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

function tell(account: Account): void {
  latest = account;
  for (const listener of listeners) listener(account);
}
