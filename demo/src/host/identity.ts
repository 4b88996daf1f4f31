import type { Identity } from '@inlay/node';
import type { Person } from './people.ts';

/** Converts a user to the identity that the platform issues a token for. */
export function identityOf(person: Person | null): Identity | null {
  if (!person) return null;
  return {
    external_user_id: person.id,
    system_message: [{ type: 'text', text: person.context }],
    metadata: { role: person.role },
  };
}
