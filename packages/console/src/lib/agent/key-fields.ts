import type { PublishableKeyResource } from '@inlay/protocol';
import type { Field, FieldGroup } from './fields.ts';

/**
 * The settings of a publishable key.
 *
 * @param key Null for a new one, for which all settings have a default.
 */
export function keyGroups(key: PublishableKeyResource | null): readonly FieldGroup[] {
  // The API cannot remove a setting again.
  const isSet = (name: string) => (key?.[name] ?? null) !== null;
  const number = (name: string, label: string, hint?: string): Field => ({
    pointer: `/${name}`,
    label,
    type: 'number',
    isNullable: !isSet(name),
    ...(hint && { hint }),
  });
  return [
    {
      title: 'Key',
      ...(key === null && { hint: 'Empty fields get the defaults of the platform.' }),
      fields: [
        { pointer: '/name', label: 'Name', type: 'text', hint: 'For you, such as “Shop”.' },
        {
          pointer: '/allowed_origins',
          label: 'Allowed origins',
          type: 'lines',
          isRequired: isSet('allowed_origins'),
          hint: 'One a line, each among those of the embed policy. By default all of them.',
        },
      ],
    },
    {
      title: 'All visitors, per UTC day',
      fields: [
        number('sessions_per_day', 'Conversations'),
        number('spend_cents_per_day', 'Spend in cents'),
        number('file_bytes_per_day', 'Bytes of files'),
        number('unsent_file_bytes', 'Bytes of files that were not sent'),
        number(
          'reserve_percent',
          'Reserve in percent',
          'Part of each quota for known visitors and networks.',
        ),
      ],
    },
    {
      title: 'One visitor',
      fields: [
        number('budget_cents', 'Budget of a conversation in cents'),
        number('sessions_per_visitor_per_day', 'Conversations per day'),
        number('spend_cents_per_visitor_per_day', 'Spend in cents per day'),
        number('refreshes_per_visitor_per_hour', 'Tokens per hour'),
      ],
    },
    {
      title: 'One network address',
      hint: 'An IPv4 address, or an IPv6 /64 network.',
      fields: [
        number('new_visitors_per_hour', 'New visitors per hour'),
        number('sessions_per_source_per_day', 'Conversations per day'),
        number('spend_cents_per_source_per_day', 'Spend in cents per day'),
        number('file_bytes_per_source_per_day', 'Bytes of files per day'),
      ],
    },
  ];
}
