import type { Activity } from '../activity/activity.ts';
import { safeCode, safeType } from '../activity/redact.ts';
import { describe, type Lane, type Tone } from './describe.ts';

/** An entry of the timeline: an activity, or consecutive events of the same type. */
export interface TimelineEntry {
  /** Time of the activity, in milliseconds since the epoch. */
  readonly time: number;
  readonly lane: Lane;
  readonly tone: Tone;
  readonly title: string;
  readonly detail: string;
  /** Number of the client on this page, from 1. */
  readonly client: number;
  /** Number of consecutive repetitions; above 1 only for events of a stream. */
  readonly count: number;
  readonly activity: Activity;
}

/** The content of `Inspector.export()`. It contains no token, code, secret or message text. */
export interface InspectorExport {
  /** Time of the export (RFC 3339). */
  readonly exported_at: string;
  /** The origin of the page. */
  readonly page: string;
  /** Number of older entries that the limit has removed. */
  readonly removed: number;
  readonly entries: readonly ({
    readonly time: string;
    readonly lane: Lane;
    readonly client: number;
    readonly count: number;
  } & Activity)[];
}

/** A ring buffer of entries: a new entry removes the oldest one when the limit is reached. */
export class Timeline {
  readonly limit: number;
  #entries: TimelineEntry[] = [];
  #removed = 0;

  /** @param limit Number of entries that are kept. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** The entries, oldest first. */
  get entries(): readonly TimelineEntry[] {
    return this.#entries;
  }

  /** Number of entries that the limit has removed. */
  get removed(): number {
    return this.#removed;
  }

  /** Adds an entry, or counts a repeated event of a stream. */
  add(reported: Activity, client: number, time: number): void {
    const activity = withoutFreeText(reported);
    const last = this.#entries.at(-1);
    const isRepeated =
      activity.type === 'stream_event' &&
      last?.activity.type === 'stream_event' &&
      last.client === client &&
      last.activity.stream === activity.stream &&
      last.activity.eventType === activity.eventType;
    const count = isRepeated ? last.count + 1 : 1;
    const entry = { time, client, count, activity, ...describe(activity, count) };
    if (isRepeated) this.#entries[this.#entries.length - 1] = entry;
    else this.#entries.push(entry);
    if (this.#entries.length <= this.limit) return;
    this.#entries.shift();
    this.#removed += 1;
  }

  clear(): void {
    this.#entries = [];
    this.#removed = 0;
  }

  /** Returns the entries as data. */
  export(page: string, now: number): InspectorExport {
    return {
      exported_at: new Date(now).toISOString(),
      page,
      removed: this.#removed,
      entries: this.#entries.map(({ time, lane, client, count, activity }) => ({
        time: new Date(time).toISOString(),
        lane,
        client,
        count,
        ...activity,
      })),
    };
  }
}

/** Replaces texts of other services, such as unknown codes, which could quote a secret. */
function withoutFreeText(activity: Activity): Activity {
  if (activity.type === 'unknown_event') {
    return { ...activity, eventType: safeType(activity.eventType) };
  }
  if ('code' in activity && activity.code !== null) {
    return { ...activity, code: safeCode(activity.code) };
  }
  return activity;
}
