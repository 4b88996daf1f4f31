import * as z from 'zod';

/** Days between the announcement of a route's end and the end (service reference, section 9). */
const leastDays = 90;

/** A day, or a moment. */
const Moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: 'must be a day or a moment of ISO 8601, such as 2026-07-01',
});

/** Announces that a route will go. Its answers say so, and from `sunset` on it is a 404. */
export const Deprecation = z
  .strictObject({
    /** When it was announced. */
    since: Moment,
    /** When it ends: 90 days later, or more. */
    sunset: Moment,
    /** What to do instead, for a person to read. */
    link: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
    /** The route that takes its place: an address, or a path of this server. */
    successor: z
      .string()
      .regex(/^(?:https?:\/\/|\/)[\x21\x23-\x3b\x3d\x3f-\x7e]+$/, 'must be an address or a path')
      .optional(),
  })
  .refine(({ since, sunset }) => Date.parse(sunset) - Date.parse(since) >= leastDays * 86_400_000, {
    path: ['sunset'],
    message: `must be at least ${leastDays} days after \`since\``,
  });
export type Deprecation = z.output<typeof Deprecation>;
