import { createHash } from 'node:crypto';
import { createPlatformClient, type PlatformClient } from '@inlay/node';
import type { Random, RunningServer } from '@inlay/server';
import { startPlatform } from '../start-platform.ts';
import { type RecordedStream, recordStream } from './record-stream.ts';
import { readPageResult, tools, turns } from './script.ts';
import { SteppedClock } from './stepped-clock.ts';

const origin = 'https://app.example.com';
const apiKey = 'sk-service-of-the-recording-and-no-other';
const deltasQuery = 'event_deltas[]=agent.message&event_deltas[]=agent.thinking';

/** A step of the recorded session. `text` is the text of the stream. */
export type Step =
  /** The user sent `body`, and got `answer`, which is empty if the response is a stream. */
  | { do: 'input'; body: unknown; answer: string }
  /** The platform sent a frame to every stream. */
  | { do: 'frame'; text: string }
  /** The user's token expired, and the platform sent `text` and ended the stream. */
  | { do: 'expire'; text: string }
  /** The user reconnected with this `Last-Event-ID`, and got `text` before the following frames. */
  | { do: 'resume'; after: string; text: string };

export interface Recording {
  sessionId: string;
  /** Responses of `/embed/config`, one for each token of the user. */
  configs: string[];
  /** First frame of every stream. */
  greeting: string;
  /** Second frame of the stream that creates the session. The next frames are the events of the log. */
  created: string;
  steps: Step[];
}

/** Plays the script on a real platform, and records what the platform sends. */
export async function record(): Promise<Recording> {
  const clock = new SteppedClock();
  const server = await startRecordedPlatform(clock);
  const recorder = new Recorder(server, clock);
  try {
    return await recorder.run();
  } finally {
    recorder.close();
    await server.stop();
  }
}

/** Acts as the user, and records with a second stream, which is never interrupted. */
class Recorder {
  readonly #address: string;
  readonly #clock: SteppedClock;
  readonly #platform: PlatformClient;
  readonly #steps: Step[] = [];
  readonly #configs: string[] = [];
  #token = { id: '', token: '' };
  #sessionId = '';
  #userStream: RecordedStream | null = null;
  #watched: RecordedStream | null = null;

  constructor(server: RunningServer, clock: SteppedClock) {
    this.#address = server.baseUrl;
    this.#clock = clock;
    this.#platform = createPlatformClient({ baseUrl: server.baseUrl, apiKey });
  }

  async run(): Promise<Recording> {
    let head = { greeting: '', created: '' };
    for (const { message, script, expiresAfter } of turns) {
      const from = this.#steps.length;
      await this.#platform.agents.update('demo', {
        model: { provider: 'scripted', script, delay_ms: 6, first_delay_ms: 200 },
        keep_version: true,
      });
      const event = { type: 'user.message', content: [{ type: 'text', text: message }] };
      if (expiresAfter === null) {
        head = await this.#begin(event);
      } else {
        // In this time, the platform sends a keep-alive comment on the idle stream.
        await this.#clock.advance(16_000);
        await this.#send(event);
        await this.#clock.advance(expiresAfter);
        await this.#expire();
      }
      await this.#finish(from);
    }
    return { sessionId: this.#sessionId, configs: this.#configs, ...head, steps: this.#steps };
  }

  close(): void {
    this.#userStream?.close();
    this.#watched?.close();
  }

  /** Creates the session with the first message. The response is the stream of the session. */
  async #begin(event: object): Promise<{ greeting: string; created: string }> {
    await this.#issueToken();
    const body = { initial_events: [event] };
    this.#steps.push({ do: 'input', body, answer: '' });
    this.#userStream = await recordStream(this.#url(`/sessions?${deltasQuery}`), {
      ...this.#init(body),
      headers: { ...this.#init(body).headers, accept: 'text/event-stream' },
    });
    await this.#clock.advance(0);
    const [greeting = '', created = '', ...events] = framesOf(this.#userStream.text);
    this.#sessionId = /"(ses_[^"]+)"/.exec(created)?.[1] ?? '';
    const watcher = await this.#issue();
    this.#watched = await recordStream(
      this.#url(`/sessions/${this.#sessionId}/events/stream?${deltasQuery}`),
      { headers: { ...headersOf(watcher.token), 'last-event-id': '0' } },
      (text) => {
        for (const frame of framesOf(text)) {
          if (frame !== greeting) this.#steps.push({ do: 'frame', text: frame });
        }
      },
    );
    await this.#clock.advance(0);
    if (this.#frames(0) !== events.join('')) throw new Error('The two streams start differently');
    return { greeting, created };
  }

  /** Expires the user's token during an answer, and reconnects with a new one. */
  async #expire(): Promise<void> {
    const stream = this.#userStream;
    const before = stream?.text.length ?? 0;
    await this.#platform.embedTokens.expire(this.#token.id);
    await this.#clock.advance(0);
    this.#steps.push({ do: 'expire', text: stream?.text.slice(before) ?? '' });
    await this.#clock.advance(40);
    await this.#issueToken();
    const after = stream?.lastId() ?? '';
    this.#userStream = await recordStream(
      this.#url(`/sessions/${this.#sessionId}/events/stream?${deltasQuery}`),
      {
        headers: { ...headersOf(this.#token.token), 'last-event-id': after },
      },
    );
    await this.#clock.advance(0);
    this.#steps.push({ do: 'resume', after, text: this.#userStream.text });
  }

  /** Waits for the end of the run, and answers its tool calls and approval requests. */
  async #finish(from: number): Promise<void> {
    for (let checked = from; ; ) {
      const newSteps = this.#steps.slice(checked);
      checked = this.#steps.length;
      const idle = newSteps.map(eventOf).find((event) => event?.type === 'session.status_idle');
      if (!idle) {
        await this.#clock.advance(100);
        continue;
      }
      if (idle.stop_reason?.type !== 'requires_action') return;
      const events = this.#steps.map(eventOf);
      const pending = events.find((event) => event?.id === idle.stop_reason?.event_ids?.[0]);
      await this.#send(
        pending?.type === 'agent.custom_tool_use'
          ? {
              type: 'user.custom_tool_result',
              custom_tool_use_id: pending.id,
              content: [{ type: 'text', text: readPageResult }],
            }
          : { type: 'user.tool_confirmation', tool_use_id: pending?.id, result: 'allow' },
      );
    }
  }

  async #send(event: object): Promise<void> {
    const input: Step = { do: 'input', body: { events: [event] }, answer: '' };
    this.#steps.push(input);
    const url = this.#url(`/sessions/${this.#sessionId}/events`);
    input.answer = await textOf(await fetch(url, this.#init(input.body)));
    await this.#clock.advance(0);
  }

  /** Issues the next token of the user, and reads the configuration with it. */
  async #issueToken(): Promise<void> {
    this.#token = await this.#issue();
    const headers = headersOf(this.#token.token);
    this.#configs.push(await textOf(await fetch(this.#url('/embed/config'), { headers })));
  }

  #issue() {
    return this.#platform.embedTokens.issue({ agent: 'demo', external_user_id: 'ada' });
  }

  #init(body: unknown) {
    const headers = { ...headersOf(this.#token.token), 'content-type': 'application/json' };
    return { method: 'POST', headers, body: JSON.stringify(body) };
  }

  #url(path: string): string {
    return `${this.#address}/agent/v1${path}`;
  }

  #frames(from: number): string {
    return this.#steps
      .slice(from)
      .map((step) => (step.do === 'frame' ? step.text : ''))
      .join('');
  }
}

function startRecordedPlatform(clock: SteppedClock): Promise<RunningServer> {
  const unlimited = { requests_per_second: 1000, concurrent: 100 };
  return startPlatform(
    {
      agents: [
        {
          short_id: 'demo',
          name: 'Orders',
          model: { provider: 'scripted' },
          tools,
          embed: { allowed_origins: [origin], limits: unlimited },
        },
      ],
      limits: { api_key: unlimited, source: unlimited },
    },
    { apiKey, clock, random: deterministicRandom() },
  );
}

/** Generates the same bytes in every recording, so that the ids stay the same. */
function deterministicRandom(): Random {
  let counter = 0;
  return {
    bytes(count) {
      counter += 1;
      return createHash('shake256', { outputLength: count })
        .update(`recording ${counter}`)
        .digest();
    },
  };
}

function headersOf(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, origin };
}

function framesOf(text: string): string[] {
  return text.match(/[\s\S]*?\n\n/g) ?? [];
}

interface AnyEvent {
  type: string;
  id?: string;
  stop_reason?: { type: string; event_ids?: string[] };
}

function eventOf(step: Step): AnyEvent | null {
  const data = step.do === 'frame' ? /^data: (.*)$/m.exec(step.text)?.[1] : undefined;
  return data === undefined ? null : (JSON.parse(data) as AnyEvent);
}

async function textOf(response: Response): Promise<string> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`);
  return text;
}
