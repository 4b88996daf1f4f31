/** A customer of the host site, the train company Vesper, who has an account. */
export interface Customer {
  /** Used as `external_user_id`. */
  id: string;
  name: string;
  role: string;
  /** Facts for the agent, set by Vesper's backend and not by the page. */
  context: string;
  /** The user's bookings, which messages can mention. */
  bookings: readonly { id: string; label: string; description: string }[];
}

export const customers: readonly Customer[] = [
  {
    id: 'ada',
    name: 'Ada Lindqvist',
    role: 'Night Card holder',
    context:
      'The traveller is Ada Lindqvist, holder of a Night Card. ' +
      'Her next journey is booking VN-4172: Lisbon to Madrid, coach 12, cabin 5, one lower berth.',
    bookings: [
      { id: 'VN-4172', label: 'VN-4172', description: 'Lisbon to Madrid, Friday, 4 December' },
      { id: 'V-4812', label: 'V-4812', description: 'Lisbon to Madrid, Sunday, 14 March' },
    ],
  },
  {
    id: 'linus',
    name: 'Linus Okafor',
    role: 'Group organiser',
    context:
      'The traveller is Linus Okafor, who books for a school orchestra of 24. ' +
      'His next journey is booking VN-5038: Milan to Vienna, coaches 21 and 22.',
    bookings: [
      { id: 'VN-5038', label: 'VN-5038', description: 'Milan to Vienna, coaches 21 and 22' },
    ],
  },
];

export const findCustomer = (id: unknown) =>
  customers.find((customer) => customer.id === id) ?? null;
