import { InlayError } from '../errors.ts';
import { requestInit, sendRequest } from '../http/request.ts';
import { withTimeout } from '../wait.ts';
import { attempt } from './attempt.ts';
import type { DiagnosisContext } from './check-session.ts';
import { factsOf } from './facts.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

/** Time limit of the stream, in milliseconds. The platform sends it within one second. */
const limit = 10_000;
/** Number of messages that the platform sends, with pauses between them. */
const sent = 3;
/** Shortest total of the pauses, in milliseconds, of 500. Less indicates buffering. */
const leastSpread = 200;

/** Checks whether the messages of a stream arrive one by one. */
export async function checkStreaming(
  context: DiagnosisContext,
  signal: AbortSignal,
): Promise<Finding> {
  const first = await receive(context, signal);
  // Repeated once, because a busy page reads late as well.
  return judge(isHeldBack(first) ? await receive(context, signal) : first);
}

interface Reception {
  /** Arrival time of each message, in milliseconds. */
  readonly arrivals: readonly number[];
  readonly error: InlayError | null;
  /** Whether the stream ended normally. */
  readonly ended: boolean;
}

async function receive(
  { ports, platform }: DiagnosisContext,
  signal: AbortSignal,
): Promise<Reception> {
  const arrivals: number[] = [];
  let ended = false;
  const { error } = await attempt(() =>
    platform.withToken(
      (token) =>
        withTimeout(ports.clock, limit, signal, late, async (part) => {
          const { headers } = requestInit(token);
          // Sent by resumed streams: a proxy that blocks the header prevents resuming.
          const resumed = { ...headers, accept: 'text/event-stream', 'last-event-id': '0' };
          const url = platform.url('/embed/stream_check');
          const { body } = await sendRequest(ports.fetch, url, { headers: resumed, signal: part });
          for await (const count of messagesIn(body)) {
            while (arrivals.length < count) arrivals.push(ports.clock.mono());
          }
          ended = true;
        }),
      signal,
    ),
  );
  return { arrivals, error, ended };
}

/** Counts messages, and reports the count after each chunk. */
async function* messagesIn(body: ReadableStream<Uint8Array> | null): AsyncGenerator<number> {
  const reader = body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(brokenOff);
      if (done) return;
      text += decoder.decode(value, { stream: true });
      yield text.split('"stream_check"').length - 1;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function spreadOf({ arrivals }: Reception): number {
  return (arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0);
}

function isHeldBack(reception: Reception): boolean {
  return reception.arrivals.length >= sent && spreadOf(reception) < leastSpread;
}

const remedy =
  'Switch buffering off for /agent/v1 in every proxy on the way, for example proxy_buffering off in nginx, and compression of text/event-stream. docs/troubleshooting.md has the setting of each kind of proxy.';

function judge(reception: Reception): Finding {
  const { arrivals, error, ended } = reception;
  const facts = { messages: arrivals.length, spreadMilliseconds: Math.round(spreadOf(reception)) };
  if (error && error.status !== null) {
    return warning(
      `The platform did not open the stream that this is measured with (${error.status}).`,
      error.status === 404
        ? 'Bring the platform up to the version of this client.'
        : 'Look again in a moment; if it stays, look at the platform’s log.',
      factsOf(error),
    );
  }
  if (arrivals.length < sent) {
    const all = ended || arrivals.length > 0;
    return failed(
      all
        ? `The stream ended after ${arrivals.length} of ${sent} messages.`
        : 'Nothing of a stream arrives, though plain requests are answered: something on the way waits for its end, or lets no stream through.',
      all
        ? 'Raise the read time-out of the proxies on the way to 60 seconds or more, and see that they let long answers through.'
        : remedy,
      facts,
    );
  }
  if (!isHeldBack(reception))
    return ok('Messages arrive one after another, as they are sent.', facts);
  return failed(
    'Messages arrive all at once, at the end: something between this browser and the platform collects a stream before it passes it on. Answers then appear late and in one piece.',
    remedy,
    facts,
  );
}

function late(): InlayError {
  return new InlayError('NETWORK_ERROR', 'The stream did not end within 10 seconds.');
}

function brokenOff(): never {
  throw new InlayError('NETWORK_ERROR', 'The stream broke off.');
}
