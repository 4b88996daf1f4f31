import type { Activity } from '../activity/activity.ts';

/** The lane of the timeline that an entry belongs to. */
export type Lane = 'token' | 'stream' | 'requests';

export type Tone = 'neutral' | 'good' | 'warning' | 'bad';

interface Description {
  readonly lane: Lane;
  readonly tone: Tone;
  readonly title: string;
  readonly detail: string;
}

/**
 * Describes an activity in words.
 *
 * @param count Number of consecutive events of the same type that one entry stands for.
 */
export function describe(activity: Activity, count = 1): Description {
  const [lane, tone, title, detail] = descriptionParts(activity, count);
  return { lane, tone, title, detail };
}

function descriptionParts(activity: Activity, count: number): [Lane, Tone, string, string] {
  switch (activity.type) {
    case 'auth':
      return [
        'token',
        authTones[activity.status] ?? 'bad',
        `Access: ${activity.status}`,
        activity.code ?? '',
      ];
    case 'token_issued':
      return [
        'token',
        'good',
        activity.token === 1 ? 'Token 1 issued' : `Token ${activity.token} issued (refresh)`,
        'First use of a new token',
      ];
    case 'token_accepted':
      return [
        'token',
        'good',
        `Token ${activity.token} accepted`,
        `Valid for ${duration(activity.lifetimeMs)}`,
      ];
    case 'token_rejected':
      return [
        'token',
        'bad',
        `Token ${activity.token} ${rejectionTexts.get(activity.code) ?? 'rejected'}`,
        activity.code,
      ];
    case 'token_retry':
      return [
        'token',
        activity.degraded ? 'warning' : 'bad',
        'Token request failed',
        `${activity.code}, retry in ${duration(activity.delayMs)}`,
      ];
    case 'request': {
      const { method, path, status, code, durationMs, requestId } = activity;
      const details = [code, duration(durationMs), requestId].filter((each) => each !== null);
      const isAborted = code === 'ABORTED';
      return [
        'requests',
        code === null || isAborted ? 'neutral' : status === null || status >= 400 ? 'bad' : 'good',
        `${status ?? (isAborted ? 'stopped' : 'failed')} ${method} ${path}`,
        details.join(' · '),
      ];
    }
    case 'stream_open':
      return [
        'stream',
        'good',
        activity.after ? `Stream ${activity.stream} resumed` : `Stream ${activity.stream} opened`,
        activity.after === null
          ? 'New conversation'
          : activity.after > 0
            ? `After event ${activity.after}`
            : 'From the first event',
      ];
    case 'stream_event':
      return [
        'stream',
        'neutral',
        `${activity.eventType}${count > 1 ? ` ×${count}` : ''}`,
        [
          `Stream ${activity.stream}`,
          activity.seq === null ? 'live' : `event ${activity.seq}`,
        ].join(' · '),
      ];
    case 'stream_end':
      return [
        'stream',
        activity.cause === 'network' ? 'bad' : 'neutral',
        `Stream ${activity.stream} ${endTexts[activity.cause]}`,
        `Open for ${duration(activity.durationMs)}`,
      ];
    case 'stream_retry':
      return [
        'stream',
        'warning',
        `Stream reconnects in ${duration(activity.delayMs)}`,
        activity.code,
      ];
    case 'stream_buffered':
      return ['stream', 'warning', 'A proxy buffers streams', 'The client polls the log'];
    case 'send_refused':
      return ['requests', 'bad', 'An event was refused', activity.code];
    case 'send_retry':
      return [
        'requests',
        'warning',
        'Sending failed',
        `${activity.code}, retry in ${duration(activity.delayMs)}`,
      ];
    case 'unknown_event':
      return ['stream', 'warning', 'Unknown event skipped', activity.eventType];
    case 'invalid_event':
      return ['stream', 'bad', 'Invalid event skipped', activity.fault];
    case 'listener_error':
      return ['requests', 'bad', 'A listener failed', activity.name];
    case 'unexpected_error':
      return ['requests', 'bad', 'The client failed', activity.eventId ?? ''];
  }
}

const authTones: Readonly<Record<string, Tone>> = {
  ok: 'good',
  refreshing: 'neutral',
  offline: 'warning',
};

const rejectionTexts: ReadonlyMap<string, string> = new Map([
  ['EMBED_TOKEN_EXPIRED', 'expired (401)'],
  ['EMBED_TOKEN_REVOKED', 'revoked (401)'],
]);

const endTexts = {
  client: 'closed by the page',
  platform: 'closed by the platform',
  network: 'disconnected',
} as const;

/** Formats milliseconds: `84 ms`, `3.2 s`, `9 min 58 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const totalSeconds = Math.round(seconds);
  const minutes = Math.floor(totalSeconds / 60);
  return totalSeconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${totalSeconds % 60} s`;
}
