/** A customer of Vesper, as their own page may know them. */
export interface Person {
  id: string;
  name: string;
  role: string;
}

export interface Account {
  /** Who is signed in; null: nobody. */
  person: Person | null;
  /** The example customers that one can sign in as. */
  people: Person[];
}

type Listener = (account: Account) => void;

const listeners = new Set<Listener>();
let latest: Account | null = null;

/** Calls back now, if it is known, and whenever another person signs in or out on this page. */
export function onAccount(listener: Listener): void {
  listeners.add(listener);
  if (latest) listener(latest);
}

/** Calls back when the person changes; not for the one who was there first. */
export function onPersonChange(listener: (person: Person | null) => void): void {
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

/** Signs in as one of the example customers; null signs out. The page is not loaded again. */
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
