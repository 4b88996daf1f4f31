import { UsageReport } from '@inlay/protocol';
import * as z from 'zod';
import { dayMs, utcDay } from '../clock.ts';
import { filterQuery } from '../http/filters.ts';
import { type Route, route } from '../http/route.ts';
import type { Services } from '../services.ts';
import { groupColumns, readUsage, type UsageGroup } from './read-usage.ts';

/** Maximum days of a report. */
const maximumDays = 400;
/** Days of a report without `from`. */
const defaultDays = 30;

const names = Object.keys(groupColumns) as UsageGroup[];

const day = (description: string) =>
  z.iso.date('must be a day, such as 2026-01-31').optional().describe(description);

const GroupBy = z
  .union([z.string(), z.array(z.string())])
  .default('day')
  .transform((value) => [value].flat().flatMap((text) => text.split(',')))
  .pipe(
    z
      .array(z.enum(names, `must be of ${names.join(', ')}`))
      .max(2, 'must have at most two names')
      .refine((groups) => new Set(groups).size === groups.length, 'must not repeat a name'),
  )
  .describe(`One or two of ${names.join(', ')}, separated by a comma.`);

const Query = filterQuery({
  group_by: GroupBy,
  from: day(`First UTC day; by default ${defaultDays - 1} days before \`to\`.`),
  to: day('Last UTC day; by default today.'),
});

/** The route of the usage report. */
export function usageRoutes(services: Services): Route[] {
  return [
    route(
      {
        method: 'get',
        path: '/agent/v1/usage',
        audience: 'backend',
        tag: 'Usage',
        summary: 'Add up conversations, answers, ratings, tokens and cost',
        description:
          'A row has the sums of a day, an agent, a version, a model or a publishable key, or of a pair of them. In rows by `model`, amounts without a model call, such as messages and ratings, have `model: null`. Percentiles are estimated from counted times.',
        query: Query.superRefine(({ from, to }, context) => {
          const range = rangeOf({ from, to }, services.clock.now());
          const days = (Date.parse(range.to) - Date.parse(range.from)) / dayMs + 1;
          const message =
            days < 1
              ? 'must not be after `to`'
              : days > maximumDays
                ? `must be less than ${maximumDays} days before \`to\``
                : null;
          if (message) context.addIssue({ code: 'custom', path: ['from'], message });
        }),
        response: UsageReport,
      },
      async ({ query }) => {
        const { from, to } = rangeOf(query, services.clock.now());
        return { from, to, data: await readUsage(services, { groups: query.group_by, from, to }) };
      },
    ),
  ];
}

function rangeOf(
  { from, to = undefined }: { from?: string | undefined; to?: string | undefined },
  now: number,
): { from: string; to: string } {
  const last = to ?? utcDay(now);
  return { from: from ?? utcDay(Date.parse(last) - (defaultDays - 1) * dayMs), to: last };
}
