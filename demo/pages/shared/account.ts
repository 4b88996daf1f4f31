/** The part of a customer's data that the backend sends to the page. */
export interface Customer {
  id: string;
  name: string;
  role: string;
}

export interface Account {
  /** The signed-in customer; null if no user is signed in. */
  customer: Customer | null;
  /** All example customers. */
  customers: Customer[];
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
export function onUserChange(listener: (customer: Customer | null) => void): void {
  let previous: string | null | undefined;
  onAccount(({ customer }) => {
    const current = customer?.id ?? null;
    if (previous !== undefined && previous !== current) listener(customer);
    previous = current;
  });
}

export async function loadAccount(): Promise<void> {
  publish(await fetchAccount('/me'));
}

/** Signs in as an example customer without a page load. Null signs out. */
export async function signInAs(id: string | null): Promise<void> {
  publish(
    await (id === null
      ? fetchAccount('/logout', { method: 'POST' })
      : fetchAccount('/login', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ id }),
        })),
  );
}

async function fetchAccount(path: string, init?: RequestInit): Promise<Account> {
  const response = await fetch(path, init);
  if (!response.ok) throw new Error(`${path} responded with ${response.status}`);
  return response.json();
}

function publish(account: Account): void {
  latest = account;
  for (const listener of listeners) listener(account);
}
