import { createHash } from 'node:crypto';
import { createPlatformClient, type PlatformClient } from '@inlay/node';
import type { Random, RunningServer } from '@inlay/server';
import { startPlatform } from '../start-platform.ts';
import { type Followed, follow } from './follow.ts';
import { pageSays, tools, turns } from './script.ts';
import { SteppedClock } from './stepped-clock.ts';

const origin = 'https://app.example.com';
const apiKey = 'sk-service-of-the-recording-and-no-other';
const deltas = 'event_deltas[]=agent.message&event_deltas[]=agent.thinking';

/** What happened in the session, in order. `text` is what went over the wire. */
export type Step =
  /** The person did something, and the platform answered so. */
  | { do: 'input'; body: unknown; answer: string }
  /** A frame went to every stream. */
  | { do: 'frame'; text: string }
  /** The person's stream ended with its token. */
  | { do: 'expire'; text: string }
  /** The person came back with this `Last-Event-ID`, and got this ahead of the frames that follow. */
  | { do: 'resume'; after: string; text: string };

export interface Recording {
  sessionId: string;
  /** The answers of `/embed/config`, one for each of the person's tokens. */
  configs: string[];
  /** What every stream begins with. */
  greeting: string;
  /** What the stream that makes the session says before all events of the log. */
  created: string;
  steps: Step[];
}

/** Lets a real platform play the script, and writes down what it sends. */
export async function record(): Promise<Recording> {
  const clock = new SteppedClock();
  const server = await start(clock);
  const recorder = new Recorder(server, clock);
  try {
    return await recorder.run();
  } finally {
    recorder.close();
    await server.stop();
  }
}

/** Plays the person, and looks over their shoulder with a second stream, which is never cut. */
class Recorder {
  readonly #address: string;
  readonly #clock: SteppedClock;
  readonly #platform: PlatformClient;
  readonly #steps: Step[] = [];
  readonly #configs: string[] = [];
  #token = { id: '', token: '' };
  #sessionId = '';
  #mine: Followed | null = null;
  #watched: Followed | null = null;

  constructor(server: RunningServer, clock: SteppedClock) {
    this.#address = server.baseUrl;
    this.#clock = clock;
    this.#platform = createPlatformClient({ baseUrl: server.baseUrl, apiKey });
  }

  async run(): Promise<Recording> {
    let head = { greeting: '', created: '' };
    for (const { says, script, expiresAfter } of turns) {
      const from = this.#steps.length;
      await this.#platform.agents.update('demo', {
        model: { provider: 'scripted', script, delay_ms: 6, first_delay_ms: 200 },
        keep_version: true,
      });
      const event = { type: 'user.message', content: [{ type: 'text', text: says }] };
      if (expiresAfter === null) {
        head = await this.#begin(event);
      } else {
        // Long enough for a sign of life on the idle stream.
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
    this.#mine?.close();
    this.#watched?.close();
  }

  /** The first message makes the session, and the answer to it is the session's stream. */
  async #begin(event: object): Promise<{ greeting: string; created: string }> {
    await this.#renew();
    const body = { initial_events: [event] };
    this.#steps.push({ do: 'input', body, answer: '' });
    this.#mine = await follow(this.#url(`/sessions?${deltas}`), {
      ...this.#init(body),
      headers: { ...this.#init(body).headers, accept: 'text/event-stream' },
    });
    await this.#clock.advance(0);
    const [greeting = '', created = '', ...events] = framesOf(this.#mine.text);
    this.#sessionId = /"(ses_[^"]+)"/.exec(created)?.[1] ?? '';
    const watcher = await this.#issue();
    this.#watched = await follow(
      this.#url(`/sessions/${this.#sessionId}/events/stream?${deltas}`),
      { headers: { ...headersOf(watcher.token), 'last-event-id': '0' } },
      (text) => {
        for (const frame of framesOf(text)) {
          if (frame !== greeting) this.#steps.push({ do: 'frame', text: frame });
        }
      },
    );
    await this.#clock.advance(0);
    if (this.#frames(0) !== events.join('')) throw new Error('the two streams began differently');
    return { greeting, created };
  }

  /** Ends the person's token in the middle of an answer, and comes back a little later with a new one. */
  async #expire(): Promise<void> {
    const stream = this.#mine;
    const before = stream?.text.length ?? 0;
    await this.#platform.embedTokens.expire(this.#token.id);
    await this.#clock.advance(0);
    this.#steps.push({ do: 'expire', text: stream?.text.slice(before) ?? '' });
    await this.#clock.advance(40);
    await this.#renew();
    const after = stream?.lastId() ?? '';
    this.#mine = await follow(this.#url(`/sessions/${this.#sessionId}/events/stream?${deltas}`), {
      headers: { ...headersOf(this.#token.token), 'last-event-id': after },
    });
    await this.#clock.advance(0);
    this.#steps.push({ do: 'resume', after, text: this.#mine.text });
  }

  /** Lets the run go on to its end, doing what it asks the person and the page to do. */
  async #finish(from: number): Promise<void> {
    for (let looked = from; ; ) {
      const news = this.#steps.slice(looked);
      looked = this.#steps.length;
      const idle = news.map(eventOf).find((event) => event?.type === 'session.status_idle');
      if (!idle) {
        await this.#clock.advance(100);
        continue;
      }
      if (idle.stop_reason?.type !== 'requires_action') return;
      const events = this.#steps.map(eventOf);
      const asks = events.find((event) => event?.id === idle.stop_reason?.event_ids?.[0]);
      await this.#send(
        asks?.type === 'agent.custom_tool_use'
          ? {
              type: 'user.custom_tool_result',
              custom_tool_use_id: asks.id,
              content: [{ type: 'text', text: pageSays }],
            }
          : { type: 'user.tool_confirmation', tool_use_id: asks?.id, result: 'allow' },
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

  /** Gets the person the next token, and asks what the widget would ask about it. */
  async #renew(): Promise<void> {
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

function start(clock: SteppedClock): Promise<RunningServer> {
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
    { apiKey, clock, random: repeatable() },
  );
}

/** Gives the same ids in every recording. */
function repeatable(): Random {
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
