import { idPrefix, type ProblemCode, problems } from '@inlay/protocol';
import type { EndUserCaller } from '../auth/caller.ts';
import type { BusMessage } from '../bus/bus.ts';
import type { Services } from '../deps.ts';
import type { EventLog } from '../events/event-log.ts';
import { describeError } from '../log/logger.ts';
import { isoTime } from '../ports/clock.ts';
import { newId } from '../ports/random.ts';
import { Channel, type ChannelPorts } from './channel.ts';
import { drain } from './drain.ts';
import { frame } from './frame.ts';
import { IssuanceConnections } from './issuance-connections.ts';
import { MissedEventPoll } from './missed-event-poll.ts';
import { Reader } from './reader.ts';
import { RevocationWatch } from './revocation-watch.ts';
import { StreamGate } from './stream-gate.ts';

/** Milliseconds of silence after which a comment is sent. Proxies cut at 60 s and more. */
const heartbeatInterval = 15_000;
/**
 * Milliseconds after which a stream is ended for its client to come back: a share of this between
 * 0.8 and 1, so that streams opened together do not return together. It moves clients to newer
 * processes, and forgets those that nobody is left to read.
 */
const longestStream = 600_000;
/** Milliseconds between two looks at some of the streams, and looks until all had their turn. */
const tickInterval = 50;
const ticksOfRound = 20;

/** A request that waits for a session's log to go on. */
export interface Wait {
  readonly caller: EndUserCaller;
  /** Called when it shall wait no longer: its token has ended, or the server stops. */
  readonly stop: () => void;
}

/** An open stream. */
interface Open {
  readonly rotateAt: number;
  /** Of its session, which it has joined. */
  channel: Channel | null;
}

/** Every open stream of this process, and every request that waits, by session and by issuance. */
export class StreamHub {
  /** Whoever opens a stream asks here first. */
  readonly gate: StreamGate;
  readonly #services: Services;
  readonly #channels = new Map<string, Channel>();
  readonly #channelPorts: ChannelPorts;
  readonly #held: IssuanceConnections<Reader | Wait>;
  readonly #open = new Map<Reader, Open>();
  readonly #waits = new Set<Wait>();
  readonly #watch: RevocationWatch;
  readonly #unsubscribe: () => void;
  #cancelTick: () => void = () => {};
  /** Those that have not been looked at in this round. */
  #unseen: Iterator<[Reader, Open]>;
  #isTicking = false;

  constructor(services: Services, events: EventLog) {
    this.#services = services;
    this.#unseen = this.#open.entries();
    this.#held = new IssuanceConnections(services.clock, (held, code) => {
      // The same for all: a token may hold thousands of streams open.
      const lastWord = this.#lastWord(code);
      for (const each of held) {
        if (each instanceof Reader) each.end(lastWord);
        else each.stop();
      }
    });
    this.#channelPorts = {
      events,
      askForBeginning: (sessionId) =>
        void services.bus
          .publish({ kind: 'session_joined', sessionId })
          .catch((error: unknown) => this.#report(error)),
      replayBytes: services.config.limits.request.replay_page_bytes,
      onError: (error) => this.#report(error),
    };
    this.gate = new StreamGate(services, services.config.limits.process.stream_opens_per_second);
    this.#unsubscribe = services.bus.subscribe((message) => this.#hear(message));
    const missedEvents = new MissedEventPoll(services, events, this.#channels);
    this.#watch = new RevocationWatch(services, {
      callers: () => this.#held.callers(),
      end: (issuanceId, code) => this.#held.endIssuance(issuanceId, code),
      poll: (tolerance) => missedEvents.catchUpOnce(tolerance),
    });
  }

  /** How many streams are open. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Takes a stream in. From the return on every revocation reaches it; the caller checks the token
   * once more then, for one that came between the first check and this.
   */
  register(reader: Reader): void {
    this.#held.add(reader);
    const [byte = 0] = this.#services.random.bytes(1);
    const rotateAt = reader.openedAt + longestStream * (0.8 + (0.2 * byte) / 255);
    const open: Open = { rotateAt, channel: null };
    this.#open.set(reader, open);
    if (!this.#isTicking) this.#tick();
    reader.onClose(() => {
      this.#held.remove(reader);
      this.#open.delete(reader);
      open.channel?.leave(reader);
      if (open.channel) this.#leave(open.channel);
    });
  }

  /** Gives a stream its session: what it has not had, and everything that comes. */
  async join(reader: Reader, sessionId: string): Promise<void> {
    const open = this.#open.get(reader);
    // It has closed before there was anything to join.
    if (!open) return;
    open.channel = this.#enter(sessionId);
    await open.channel.join(reader);
  }

  /**
   * Takes a request in that waits for its session, and gives the session's channel and what lets go
   * of it. As with `register`, the caller checks the token after this. Throws `SERVICE_UNAVAILABLE`
   * where the server is about to stop.
   */
  wait(wait: Wait, sessionId: string): { channel: Channel; release: () => void } {
    this.gate.requireOpen();
    this.#held.add(wait);
    this.#waits.add(wait);
    const channel = this.#enter(sessionId);
    return {
      channel,
      release: () => {
        this.#held.remove(wait);
        this.#waits.delete(wait);
        this.#leave(channel);
      },
    };
  }

  /** Ends a stream because its token did. */
  end(reader: Reader, code: ProblemCode): void {
    reader.end(this.#lastWord(code));
  }

  /**
   * Ends every stream little by little and takes no more, for a server that is about to stop. What
   * waits is answered at once. Resolves when the last stream was ended: at once when `hurry` is aborted.
   */
  async drain(hurry: AbortSignal): Promise<void> {
    this.gate.close();
    for (const wait of [...this.#waits]) wait.stop();
    await drain([...this.#open.keys()], {
      clock: this.#services.clock,
      seconds: this.#services.config.streams.drain_seconds,
      signal: hurry,
    });
  }

  /** Ends every stream, for a server that stops. Their clients come back, and resume. */
  close(): void {
    this.gate.close();
    this.#unsubscribe();
    this.#watch.close();
    this.#cancelTick();
    for (const wait of [...this.#waits]) wait.stop();
    for (const reader of [...this.#open.keys()]) reader.end();
  }

  /** A session's channel is there while somebody follows the session. */
  #enter(sessionId: string): Channel {
    const channel = this.#channels.get(sessionId) ?? this.#openChannel(sessionId);
    channel.followers += 1;
    return channel;
  }

  #leave(channel: Channel): void {
    channel.followers -= 1;
    if (channel.followers > 0) return;
    this.#channels.delete(channel.sessionId);
    channel.close();
  }

  #openChannel(sessionId: string): Channel {
    const followed = this.#services.bus.follow(sessionId);
    const channel = new Channel(sessionId, followed, this.#channelPorts);
    this.#channels.set(sessionId, channel);
    return channel;
  }

  #hear(message: BusMessage): void {
    if (message.kind === 'session_events' || message.kind === 'session_delta') {
      this.#channels.get(message.sessionId)?.hear(message);
    }
  }

  /** Runs while there is a stream to look at, and looks at some: comments for all would take long. */
  #tick(): void {
    const now = this.#services.clock.now();
    for (let left = Math.ceil(this.#open.size / ticksOfRound); left > 0; left -= 1) {
      const next = this.#unseen.next();
      if (next.done) {
        this.#unseen = this.#open.entries();
        break;
      }
      const [reader, { rotateAt }] = next.value;
      if (now >= rotateAt) reader.end();
      else reader.beat(heartbeatInterval);
    }
    this.#isTicking = this.#open.size > 0;
    if (this.#isTicking) {
      this.#cancelTick = this.#services.clock.after(tickInterval, () => this.#tick());
    }
  }

  /** Why streams end whose token did. It belongs to their connections, and so bears no id. */
  #lastWord(code: ProblemCode): Buffer {
    const event = {
      type: 'session.error',
      id: newId(this.#services.random, idPrefix.event),
      processed_at: isoTime(this.#services.clock.now()),
      error: {
        type: 'embed_token_error',
        code,
        message: problems[code].title,
        retry_status: { type: 'terminal' },
      },
    };
    return frame(event);
  }

  #report(error: unknown): void {
    this.#services.log.error('stream failed', describeError(error));
  }
}
