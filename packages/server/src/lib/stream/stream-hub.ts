import { idPrefix, type ProblemCode, problems } from '@inlay/protocol';
import type { AgentRegistry } from '../agents/agent-registry.ts';
import type { Caller } from '../auth/caller.ts';
import type { BusMessage } from '../bus/bus.ts';
import { isoTime } from '../clock.ts';
import type { EventLog } from '../events/event-log.ts';
import { UserTurns } from '../limits/user-turns.ts';
import { describeError } from '../log/logger.ts';
import { newId } from '../random.ts';
import type { ServiceOptions } from '../service-options.ts';
import { Channel, type ChannelDeps } from './channel.ts';
import { CredentialConnections } from './credential-connections.ts';
import { drain } from './drain.ts';
import { frame } from './frame.ts';
import { MissedEventPoll } from './missed-event-poll.ts';
import { Reader } from './reader.ts';
import { RevocationWatch } from './revocation-watch.ts';
import { StreamGate } from './stream-gate.ts';

/**
 * Milliseconds without writes after which a heartbeat is sent. Proxies time out after 60 s or more.
 */
const heartbeatInterval = 15_000;
/**
 * Maximum lifetime of a stream in milliseconds, which moves clients to newer processes and ends the
 * streams of vanished clients. Each stream ends after a random 80 to 100 % of it, so that streams
 * that were opened together do not reconnect together.
 */
const maxStreamLifetime = 600_000;
/** Milliseconds between two ticks, and the number of ticks in which each stream is visited once. */
const tickInterval = 50;
const ticksPerRound = 20;

/**
 * Maximum pages that are read at a time, by all replays of this process together. The embedded store
 * works synchronously, and a client that reads fast never makes a replay wait: without turns, all replays
 * would run to their end before other requests are handled.
 */
const maximumPageReads = 4;

/** A long poll of a session's log. */
export interface LongPoll {
  readonly caller: Caller;
  /** Called when the credential has ended or the server stops. */
  readonly stop: () => void;
}

/** When a stream ends, and its channel. */
interface OpenStream {
  readonly rotateAt: number;
  /** Null until the stream joins the channel of its session. */
  channel: Channel | null;
}

interface HubServices
  extends Pick<
    ServiceOptions,
    'bus' | 'clock' | 'config' | 'log' | 'metrics' | 'random' | 'store'
  > {
  readonly agents: AgentRegistry;
  readonly events: EventLog;
}

/** All open streams and long polls of this process, by session and by credential. */
export class StreamHub {
  /** Rate limit for new streams. Call `gate.enter` before `register`. */
  readonly gate: StreamGate;
  readonly #services: HubServices;
  readonly #channels = new Map<string, Channel>();
  readonly #channelDeps: ChannelDeps;
  readonly #connections: CredentialConnections<Reader | LongPoll>;
  readonly #openStreams = new Map<Reader, OpenStream>();
  readonly #longPolls = new Set<LongPoll>();
  readonly #watch: RevocationWatch;
  readonly #unsubscribe: () => void;
  #cancelTick: () => void = () => {};
  /** Iterator over the streams that were not visited in the current round. */
  #unvisited: Iterator<[Reader, OpenStream]>;
  #isTicking = false;

  constructor(services: HubServices) {
    this.#services = services;
    this.#unvisited = this.#openStreams.entries();
    this.#connections = new CredentialConnections(services.clock, (connections, code) => {
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
      pageReads: new UserTurns(maximumPageReads),
      replayBytes: services.config.limits.request.replay_page_bytes,
      onError: (error) => this.#report(error),
    };
    this.gate = new StreamGate(services, services.config.limits.process.stream_opens_per_second);
    this.#unsubscribe = services.bus.subscribe((message) => this.#handle(message));
    const missedEvents = new MissedEventPoll(services, this.#channels);
    this.#watch = new RevocationWatch(services, {
      callers: () => this.#connections.callers(),
      end: (credentialId, code, storedAt) => this.#endCredential(credentialId, code, storedAt),
      poll: () => missedEvents.poll(),
    });
  }

  /** Number of open streams. */
  get size(): number {
    return this.#openStreams.size;
  }

  /**
   * Registers a stream. From then on every revocation ends it. The caller must validate the token
   * again after this call, to detect a revocation between its first check and the registration.
   */
  register(reader: Reader): void {
    this.#connections.add(reader);
    const [byte = 0] = this.#services.random.bytes(1);
    const rotateAt = reader.openedAt + maxStreamLifetime * (0.8 + (0.2 * byte) / 255);
    const stream: OpenStream = { rotateAt, channel: null };
    this.#openStreams.set(reader, stream);
    if (!this.#isTicking) this.#tick();
    reader.onClose(() => {
      this.#connections.remove(reader);
      this.#openStreams.delete(reader);
      stream.channel?.leave(reader);
      if (stream.channel) this.#leave(stream.channel);
    });
  }

  /** Replays the events of a session after `reader.lastSeq` to a stream, then sends live events. */
  async join(reader: Reader, sessionId: string): Promise<void> {
    const stream = this.#openStreams.get(reader);
    // The client may disconnect before the stream joins.
    if (!stream) return;
    stream.channel = this.#enter(sessionId);
    await stream.channel.join(reader);
  }

  /**
   * Registers a long poll. As with `register`, the caller must validate the token after this call.
   *
   * @returns The session's channel, and a function that removes the long poll.
   * @throws `SERVICE_UNAVAILABLE` if the server is stopping.
   */
  registerLongPoll(
    longPoll: LongPoll,
    sessionId: string,
  ): { channel: Channel; release: () => void } {
    this.gate.requireOpen();
    this.#connections.add(longPoll);
    this.#longPolls.add(longPoll);
    const channel = this.#enter(sessionId);
    return {
      channel,
      release: () => {
        this.#connections.remove(longPoll);
        this.#longPolls.delete(longPoll);
        this.#leave(channel);
      },
    };
  }

  /** Ends a stream whose credential is not valid, with a `session.error` event. */
  end(reader: Reader, code: ProblemCode): void {
    reader.end(this.#finalFrame(code));
  }

  /**
   * Ends streams gradually and all long polls immediately, and accepts no new ones. For a server that
   * is about to stop.
   *
   * @param signal Ends the remaining streams immediately when aborted.
   * @param mayEnd Returns false for the sessions whose streams stay open; by default, all are ended.
   */
  async drain(signal: AbortSignal, mayEnd: (sessionId: string) => boolean = () => true) {
    this.gate.close();
    for (const longPoll of [...this.#longPolls]) longPoll.stop();
    const streams = [...this.#openStreams]
      .filter(([, { channel }]) => !channel || mayEnd(channel.sessionId))
      .map(([reader]) => reader);
    await drain(streams, {
      clock: this.#services.clock,
      seconds: this.#services.config.streams.drain_seconds,
      signal,
    });
  }

  /** Ends all streams and long polls immediately. Clients reconnect and resume. */
  close(): void {
    this.gate.close();
    this.#unsubscribe();
    this.#watch.close();
    this.#cancelTick();
    for (const longPoll of [...this.#longPolls]) longPoll.stop();
    for (const reader of [...this.#openStreams.keys()]) reader.end();
  }

  /**
   * Returns the channel of a session, after incrementing its number of users. `#leave` closes the
   * channel when its last user leaves.
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

  #endCredential(id: string, code: ProblemCode, storedAt: number | null): void {
    const { clock, metrics } = this.#services;
    const ended = this.#connections.endCredential(id, code);
    // The clock of the process that stored the end may be ahead.
    if (storedAt !== null) metrics?.countRevokedStreams(ended, Math.max(clock.now() - storedAt, 0));
  }

  #handle(message: BusMessage): void {
    if (message.kind === 'session_events' || message.kind === 'session_delta') {
      this.#channels.get(message.sessionId)?.handleMessage(message);
    }
  }

  /**
   * Sends heartbeats, and ends streams at the end of their lifetime. Visits only some streams per
   * tick, because a visit to all of them would block the event loop.
   */
  #tick(): void {
    const now = this.#services.clock.now();
    for (
      let remaining = Math.ceil(this.#openStreams.size / ticksPerRound);
      remaining > 0;
      remaining -= 1
    ) {
      const next = this.#unvisited.next();
      if (next.done) {
        this.#unvisited = this.#openStreams.entries();
        break;
      }
      const [reader, { rotateAt }] = next.value;
      if (now >= rotateAt) reader.end();
      else reader.sendHeartbeat(heartbeatInterval);
    }
    this.#isTicking = this.#openStreams.size > 0;
    if (this.#isTicking) {
      this.#cancelTick = this.#services.clock.after(tickInterval, () => this.#tick());
    }
  }

  /**
   * Encodes the `session.error` event for streams whose credential has ended. The event has no SSE id,
   * because it is not in the log.
   */
  #finalFrame(code: ProblemCode): Buffer {
    const event = {
      type: 'session.error',
      id: newId(this.#services.random, idPrefix.event),
      processed_at: isoTime(this.#services.clock.now()),
      error: {
        type: code === 'AUTHENTICATION_ERROR' ? 'authentication_error' : 'embed_token_error',
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
