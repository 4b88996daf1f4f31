import { idPrefix, type ProblemCode, problems } from '@inlay/protocol';
import type { AgentRegistry } from '../agents/agent-registry.ts';
import type { EndUserCaller } from '../auth/caller.ts';
import type { BusMessage } from '../bus/bus.ts';
import { isoTime } from '../clock.ts';
import type { EventLog } from '../events/event-log.ts';
import { describeError } from '../log/logger.ts';
import { newId } from '../random.ts';
import type { ServiceOptions } from '../service-options.ts';
import { Channel, type ChannelDeps } from './channel.ts';
import { drain } from './drain.ts';
import { frame } from './frame.ts';
import { IssuanceConnections } from './issuance-connections.ts';
import { MissedEventPoll } from './missed-event-poll.ts';
import { Reader } from './reader.ts';
import { RevocationWatch } from './revocation-watch.ts';
import { StreamGate } from './stream-gate.ts';

/**
 * Milliseconds without writes after which a heartbeat is sent. Proxies time out after 60 s or more.
 */
const heartbeatInterval = 15_000;
/**
 * Maximum lifetime of a stream in milliseconds. Each stream ends after a random 80 to 100 % of it,
 * so that streams opened together do not reconnect together. This moves clients to newer processes
 * and frees streams of vanished clients.
 */
const maxStreamLifetime = 600_000;
/** Milliseconds between two ticks, and the number of ticks in which each stream is visited once. */
const tickInterval = 50;
const ticksOfRound = 20;

/** A long poll of a session's log. */
export interface LongPoll {
  readonly caller: EndUserCaller;
  /** Called when the token has ended or the server stops. */
  readonly stop: () => void;
}

/** State of an open stream. */
interface Open {
  readonly rotateAt: number;
  /** The channel that the stream has joined; null before. */
  channel: Channel | null;
}

interface HubServices
  extends Pick<ServiceOptions, 'bus' | 'clock' | 'config' | 'log' | 'random' | 'store'> {
  readonly agents: AgentRegistry;
  readonly events: EventLog;
}

/** All open streams and long polls of this process, by session and by token issuance. */
export class StreamHub {
  /** Rate limit for new streams. Call `gate.enter` before `register`. */
  readonly gate: StreamGate;
  readonly #services: HubServices;
  readonly #channels = new Map<string, Channel>();
  readonly #channelDeps: ChannelDeps;
  readonly #connections: IssuanceConnections<Reader | LongPoll>;
  readonly #open = new Map<Reader, Open>();
  readonly #waits = new Set<LongPoll>();
  readonly #watch: RevocationWatch;
  readonly #unsubscribe: () => void;
  #cancelTick: () => void = () => {};
  /** Iterator over the streams that were not visited in this round. */
  #unvisited: Iterator<[Reader, Open]>;
  #isTicking = false;

  constructor(services: HubServices) {
    this.#services = services;
    this.#unvisited = this.#open.entries();
    this.#connections = new IssuanceConnections(services.clock, (connections, code) => {
      // Built once, because one token may have thousands of streams.
      const finalFrame = this.#finalFrame(code);
      for (const connection of connections) {
        if (connection instanceof Reader) connection.end(finalFrame);
        else connection.stop();
      }
    });
    this.#channelDeps = {
      events: services.events,
      requestPartialEvent: (sessionId) =>
        void services.bus
          .publish({ kind: 'session_joined', sessionId })
          .catch((error: unknown) => this.#report(error)),
      replayBytes: services.config.limits.request.replay_page_bytes,
      onError: (error) => this.#report(error),
    };
    this.gate = new StreamGate(services, services.config.limits.process.stream_opens_per_second);
    this.#unsubscribe = services.bus.subscribe((message) => this.#handle(message));
    const missedEvents = new MissedEventPoll(services, this.#channels);
    this.#watch = new RevocationWatch(services, {
      callers: () => this.#connections.callers(),
      end: (issuanceId, code) => this.#connections.endIssuance(issuanceId, code),
      poll: (tolerance) => missedEvents.catchUpOnce(tolerance),
    });
  }

  /** Number of open streams. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Registers a stream. From then on every revocation ends it. The caller must validate the token
   * again after this call, to detect a revocation between its first check and the registration.
   */
  register(reader: Reader): void {
    this.#connections.add(reader);
    const [byte = 0] = this.#services.random.bytes(1);
    const rotateAt = reader.openedAt + maxStreamLifetime * (0.8 + (0.2 * byte) / 255);
    const open: Open = { rotateAt, channel: null };
    this.#open.set(reader, open);
    if (!this.#isTicking) this.#tick();
    reader.onClose(() => {
      this.#connections.remove(reader);
      this.#open.delete(reader);
      open.channel?.leave(reader);
      if (open.channel) this.#leave(open.channel);
    });
  }

  /** Replays the events of a session that a stream lacks, then sends it live events. */
  async join(reader: Reader, sessionId: string): Promise<void> {
    const open = this.#open.get(reader);
    // The stream was closed before it could join.
    if (!open) return;
    open.channel = this.#enter(sessionId);
    await open.channel.join(reader);
  }

  /**
   * Registers a long poll. As with `register`, the caller must validate the token after this call.
   *
   * @returns The session's channel, and a function that removes the long poll.
   * @throws `SERVICE_UNAVAILABLE` if the server is stopping.
   */
  wait(wait: LongPoll, sessionId: string): { channel: Channel; release: () => void } {
    this.gate.requireOpen();
    this.#connections.add(wait);
    this.#waits.add(wait);
    const channel = this.#enter(sessionId);
    return {
      channel,
      release: () => {
        this.#connections.remove(wait);
        this.#waits.delete(wait);
        this.#leave(channel);
      },
    };
  }

  /** Ends a stream whose token is no longer valid. */
  end(reader: Reader, code: ProblemCode): void {
    reader.end(this.#finalFrame(code));
  }

  /**
   * Ends all streams gradually, responds to all long polls at once, and accepts no new ones. For a
   * server that is about to stop.
   *
   * @param hurry Ends the remaining streams at once when aborted.
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

  /** Ends all streams at once, for a server that stops. Clients reconnect and resume. */
  close(): void {
    this.gate.close();
    this.#unsubscribe();
    this.#watch.close();
    this.#cancelTick();
    for (const wait of [...this.#waits]) wait.stop();
    for (const reader of [...this.#open.keys()]) reader.end();
  }

  /**
   * Returns the channel of a session, and counts a user of it. The `#leave` of the last user closes
   * it.
   */
  #enter(sessionId: string): Channel {
    const channel = this.#channels.get(sessionId) ?? this.#openChannel(sessionId);
    channel.users += 1;
    return channel;
  }

  #leave(channel: Channel): void {
    channel.users -= 1;
    if (channel.users > 0) return;
    this.#channels.delete(channel.sessionId);
    channel.close();
  }

  #openChannel(sessionId: string): Channel {
    const subscription = this.#services.bus.follow(sessionId);
    const channel = new Channel(sessionId, subscription, this.#channelDeps);
    this.#channels.set(sessionId, channel);
    return channel;
  }

  #handle(message: BusMessage): void {
    if (message.kind === 'session_events' || message.kind === 'session_delta') {
      this.#channels.get(message.sessionId)?.handleMessage(message);
    }
  }

  /** Visits some streams per tick, because visiting all at once would block the event loop. */
  #tick(): void {
    const now = this.#services.clock.now();
    for (let remaining = Math.ceil(this.#open.size / ticksOfRound); remaining > 0; remaining -= 1) {
      const next = this.#unvisited.next();
      if (next.done) {
        this.#unvisited = this.#open.entries();
        break;
      }
      const [reader, { rotateAt }] = next.value;
      if (now >= rotateAt) reader.end();
      else reader.sendHeartbeat(heartbeatInterval);
    }
    this.#isTicking = this.#open.size > 0;
    if (this.#isTicking) {
      this.#cancelTick = this.#services.clock.after(tickInterval, () => this.#tick());
    }
  }

  /**
   * The `session.error` event for streams whose token ended. It is not part of the log: no SSE id.
   */
  #finalFrame(code: ProblemCode): Buffer {
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
