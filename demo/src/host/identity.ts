import type { Identity } from '@inlay/node';
import type { Customer } from './customers.ts';

/** Converts a customer to the identity for which the platform issues a token. Null for null. */
export function identityOf(customer: Customer | null): Identity | null {
  if (!customer) return null;
  return {
    external_user_id: customer.id,
    system_message: [{ type: 'text', text: customer.context }],
    metadata: { role: customer.role },
  };
}
