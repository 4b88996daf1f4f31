import * as z from 'zod';
import { dayMs } from '../clock.ts';

/**
 * Minimum days between the announcement and the removal of a route (docs/conformance.md, 9).
 */
const minimumDays = 90;

/** A date or a date-time. */
const DateOrTime = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: 'must be an ISO 8601 date or time, such as 2026-07-01',
});

/**
 * Announces the removal of a route. The responses of the route have deprecation headers; from `sunset`
 * on, it returns 404.
 */
export const Deprecation = z
  .strictObject({
    /** When the deprecation was announced. */
    since: DateOrTime,
    /** When the route is removed: at least 90 days after `since`. */
    sunset: DateOrTime,
    /** URL of the migration guide. */
    link: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
    /** The route that replaces this one: a URL, or a path of this server. */
    successor: z
      .string()
      .regex(/^(?:https?:\/\/|\/)[\x21\x23-\x3b\x3d\x3f-\x7e]+$/, 'must be a URL or a path')
      .optional(),
  })
  .refine(({ since, sunset }) => Date.parse(sunset) - Date.parse(since) >= minimumDays * dayMs, {
    path: ['sunset'],
    message: `must be at least ${minimumDays} days after \`since\``,
  });
export type Deprecation = z.output<typeof Deprecation>;
