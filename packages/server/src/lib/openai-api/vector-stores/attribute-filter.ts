import type { AttributeFilter, Attributes } from './vector-store-requests.ts';

/**
 * Whether attributes match a filter. A missing attribute matches only `ne` and `nin`, and values of
 * different types are not equal and not ordered.
 */
export function matchesFilter(filter: AttributeFilter, attributes: Attributes): boolean {
  if ('filters' in filter) {
    const matches = (each: AttributeFilter) => matchesFilter(each, attributes);
    return filter.type === 'and' ? filter.filters.every(matches) : filter.filters.some(matches);
  }
  const actual = Object.hasOwn(attributes, filter.key) ? attributes[filter.key] : undefined;
  const { value } = filter;
  if (Array.isArray(value)) {
    const isListed = value.some((each) => each === actual);
    return filter.type === 'in' ? isListed : !isListed;
  }
  if (filter.type === 'eq') return actual === value;
  if (filter.type === 'ne') return actual !== value;
  if (actual === undefined || typeof actual !== typeof value) return false;
  const isBefore = actual < value;
  const isAfter = actual > value;
  if (filter.type === 'lt') return isBefore;
  if (filter.type === 'lte') return !isAfter;
  return filter.type === 'gt' ? isAfter : !isBefore;
}
