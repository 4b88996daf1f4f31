import { duration, type Lane, type Tone } from './describe.ts';
import { createElement } from './dom.ts';
import type { TimelineEntry } from './timeline.ts';

/** Maximum number of marks in a lane. Older marks are omitted. */
const maxMarks = 200;

const lanes: readonly Lane[] = ['token', 'stream', 'requests'];

const laneLabels: Readonly<Record<Lane, string>> = {
  token: 'Token',
  stream: 'Stream',
  requests: 'Requests',
};

interface LaneState {
  readonly tone: Tone;
  readonly text: string;
}

/** Creates the overview above the table: for each lane, a track and the current state in words. */
export function createStrip() {
  const rows = lanes.map((lane) => {
    const track = createElement('div', { class: 'track', 'aria-hidden': 'true' });
    const state = createElement('span', { class: 'state' });
    return { lane, track, state };
  });
  const strip = createElement('div', { class: 'strip' });
  for (const { lane, track, state } of rows) {
    strip.append(createElement('span', { class: 'name' }, laneLabels[lane]), track, state);
  }
  const update = (entries: readonly TimelineEntry[]) => {
    const start = entries[0]?.time ?? 0;
    const end = Math.max(entries.at(-1)?.time ?? 0, start + 1000);
    const place = (time: number) => `${(((time - start) / (end - start)) * 100).toFixed(2)}%`;
    for (const { lane, track, state } of rows) {
      const laneEntries = entries.filter((entry) => entry.lane === lane);
      const { tone, text } = stateOf[lane](laneEntries);
      state.dataset.tone = tone;
      state.textContent = text;
      track.replaceChildren(
        ...activePeriods(laneEntries, end).map(({ from, to }) => {
          const bar = createElement('i', { class: 'bar', 'data-tone': 'good' });
          bar.style.insetInlineStart = place(from);
          bar.style.insetInlineEnd = `${(100 - Number.parseFloat(place(to))).toFixed(2)}%`;
          return bar;
        }),
        ...laneEntries.slice(-maxMarks).map((entry) => {
          const mark = createElement('i', { 'data-tone': entry.tone });
          mark.style.insetInlineStart = place(entry.time);
          return mark;
        }),
      );
    }
  };
  return { element: strip, update };
}

/** Returns the periods in which a token was valid or a stream was open, in milliseconds since the epoch. */
function activePeriods(entries: readonly TimelineEntry[], end: number) {
  const open = new Map<string, number>();
  const result: { from: number; to: number }[] = [];
  const close = (key: string, to: number) => {
    const from = open.get(key);
    if (from !== undefined) result.push({ from, to });
    open.delete(key);
  };
  for (const { activity, time, client } of entries) {
    if (activity.type === 'token_issued') {
      close(`token ${client}`, time);
      open.set(`token ${client}`, time);
    }
    if (activity.type === 'token_rejected') close(`token ${client}`, time);
    if (activity.type === 'stream_open') open.set(`${client} ${activity.stream}`, time);
    if (activity.type === 'stream_end') close(`${client} ${activity.stream}`, time);
  }
  for (const key of [...open.keys()]) close(key, end);
  return result;
}

const emptyState: LaneState = { tone: 'neutral', text: 'nothing yet' };

const stateOf: Readonly<Record<Lane, (entries: readonly TimelineEntry[]) => LaneState>> = {
  token(entries) {
    const last = entries.findLast(({ activity }) => activity.type !== 'token_retry');
    if (!last) return emptyState;
    const { activity, tone } = last;
    if (activity.type === 'auth') return { tone, text: activity.status };
    if (activity.type === 'token_accepted') {
      return { tone, text: `${activity.token}, valid for ${duration(activity.lifetimeMs)}` };
    }
    return { tone, text: last.title.replace(/^Token /, '') };
  },
  stream(entries) {
    const last = entries.findLast(({ activity }) => activity.type !== 'stream_event');
    if (!last) return emptyState;
    const events = entries.reduce(
      (sum, { activity, count }) => sum + (activity.type === 'stream_event' ? count : 0),
      0,
    );
    const isOpen = last.activity.type === 'stream_open';
    const word = isOpen ? 'open' : last.activity.type === 'stream_end' ? 'closed' : 'interrupted';
    const isBad = last.tone === 'bad' || last.tone === 'warning';
    return {
      tone: isOpen ? 'good' : isBad ? last.tone : 'neutral',
      text: `${word}, ${events} ${events === 1 ? 'event' : 'events'}`,
    };
  },
  requests(entries) {
    if (entries.length === 0) return emptyState;
    const failed = entries.filter(({ tone }) => tone === 'bad').length;
    const { length } = entries;
    return {
      tone: failed > 0 ? 'bad' : 'neutral',
      text: failed > 0 ? `${length}, ${failed} failed` : `${length}, none failed`,
    };
  },
};
