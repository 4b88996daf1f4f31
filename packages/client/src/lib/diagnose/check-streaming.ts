import { InlayError } from '../errors.ts';
import { requestInit, sendRequest } from '../http/request.ts';
import { withTimeout } from '../wait.ts';
import type { DiagnosisContext } from './check-access.ts';
import { checkModel } from './check-model.ts';
import {
  type Finding,
  factsOf,
  failedFinding,
  okFinding,
  tryAction,
  warningFinding,
} from './findings.ts';

/** Time limit of the stream, in milliseconds. The platform sends the whole stream within one second. */
const streamTimeout = 10_000;
/** Number of messages that the platform sends, with pauses between them. */
const messageCount = 3;
/**
 * Shortest time between the first and the last message without buffering, in milliseconds. The
 * platform's pauses add up to 500.
 */
const minSpread = 200;

/** Checks whether the messages of a stream arrive one by one, and what they say about the model. */
export async function checkStreaming(
  context: DiagnosisContext,
  signal: AbortSignal,
): Promise<{ streaming: Finding; model: Finding }> {
  const first = await receiveStream(context, signal);
  // The check is repeated once, because a busy page also reads messages late.
  const last = isBuffered(first) ? await receiveStream(context, signal) : first;
  return { streaming: findingOf(last), model: checkModel(last.text) };
}

interface ReceivedStream {
  /** Arrival time of each message, in milliseconds. */
  readonly arrivals: readonly number[];
  /** The received part of the stream. */
  readonly text: string;
  readonly error: InlayError | null;
  /** Whether the stream ended normally. */
  readonly ended: boolean;
}

async function receiveStream(
  { ports, platform }: DiagnosisContext,
  signal: AbortSignal,
): Promise<ReceivedStream> {
  const arrivals: number[] = [];
  let text = '';
  let ended = false;
  const { error } = await tryAction(() =>
    platform.withToken(
      (token) =>
        withTimeout(ports.clock, streamTimeout, signal, timeoutError, async (attemptSignal) => {
          const { headers } = requestInit(token);
          // Sends the header of resumed streams as well, because a proxy may block it.
          const resumed = { ...headers, accept: 'text/event-stream', 'last-event-id': '0' };
          const url = platform.url('/embed/stream_check');
          const { body } = await sendRequest(ports.fetch, url, {
            headers: resumed,
            signal: attemptSignal,
          });
          for await (const piece of readText(body)) {
            text += piece;
            const count = text.split('"stream_check"').length - 1;
            while (arrivals.length < count) arrivals.push(ports.clock.mono());
          }
          ended = true;
        }),
      signal,
    ),
  );
  return { arrivals, text, error, ended };
}

async function* readText(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  const reader = body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(streamError);
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function spreadOf({ arrivals }: ReceivedStream): number {
  return (arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0);
}

function isBuffered(stream: ReceivedStream): boolean {
  return stream.arrivals.length >= messageCount && spreadOf(stream) < minSpread;
}

const bufferingRemedy =
  'Turn off buffering for /agent/v1 in every proxy, for example proxy_buffering off in nginx, and compression of text/event-stream. docs/troubleshooting.md lists the setting of each kind of proxy.';

function findingOf(stream: ReceivedStream): Finding {
  const { arrivals, error, ended } = stream;
  const facts = { messages: arrivals.length, spreadMilliseconds: Math.round(spreadOf(stream)) };
  if (error && error.status !== null) {
    return warningFinding(
      `The platform did not open the test stream (${error.status}).`,
      error.status === 404
        ? 'Update the platform to the version of this client.'
        : 'Run the diagnosis again. If the problem persists, check the platform’s log.',
      factsOf(error),
    );
  }
  if (arrivals.length < messageCount) {
    const hasBegun = ended || arrivals.length > 0;
    return failedFinding(
      hasBegun
        ? `The stream ended after ${arrivals.length} of ${messageCount} messages.`
        : 'No data of a stream arrives, although plain requests succeed: a proxy waits for the end of the stream, or blocks streams.',
      hasBegun
        ? 'Raise the read timeout of the proxies to 60 seconds or more, and check that they allow long responses.'
        : bufferingRemedy,
      facts,
    );
  }
  if (!isBuffered(stream)) return okFinding('Messages arrive one by one, as they are sent.', facts);
  return failedFinding(
    'Messages arrive all at once, at the end: a proxy between this browser and the platform buffers streams. Answers then appear late and in one piece.',
    bufferingRemedy,
    facts,
  );
}

function timeoutError(): InlayError {
  return new InlayError('NETWORK_ERROR', 'The stream did not end within 10 seconds.');
}

function streamError(): never {
  throw new InlayError('NETWORK_ERROR', 'The stream was interrupted.');
}
