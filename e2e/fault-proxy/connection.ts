import type { Socket } from 'node:net';
import { Exchange } from './exchange.ts';
import type { AnswerFault, CutKind, SeenRequest } from './fault.ts';
import { Forwarder, write } from './forwarder.ts';
import { answerLength, type Head, MessageReader, requestLength } from './http-messages.ts';
import { planOf, replacementOf } from './plan.ts';
import type { Rules } from './rules.ts';
import { ServerSide, type ServerSideOptions } from './server-side.ts';

/** The part of the proxy that a connection uses. */
export interface ConnectionHost extends ServerSideOptions {
  readonly rules: Rules;
  onRequest(connection: Connection, method: string, path: string, head: Head): SeenRequest;
  onCut(connection: Connection, how: CutKind, pending: readonly SeenRequest[]): void;
  onClose(connection: Connection): void;
}

/** A client's connection with its connections to the server. */
export class Connection {
  readonly id: number;
  readonly #client: Socket;
  readonly #server: ServerSide;
  readonly #host: ConnectionHost;
  readonly #stop = new AbortController();
  /** Pending exchanges in request order, each with the forwarder of its response. */
  readonly #exchanges: Array<{ exchange: Exchange; response: Forwarder }> = [];
  #responseReader = this.#createResponseReader();
  #cutAs: CutKind | null = null;
  /** Whether the server has closed its side of the connection. */
  #hasEnded = false;

  constructor(id: number, client: Socket, host: ConnectionHost) {
    this.id = id;
    this.#client = client;
    this.#host = host;
    this.#server = new ServerSide(host, {
      onBytes: (bytes) => this.#forwardResponse(bytes),
      onEnd: () => this.#onServerEnd(),
      // A lost server connection resets the client's connection.
      onLoss: () => this.#cutAs ?? client.resetAndDestroy(),
      onEmpty: () => this.#settle(),
    });
    client.setNoDelay(true);
    client.once('close', () => this.#onClientClose());
    client.on('error', () => this.#cutAs ?? this.#server.reset());
    this.#forwardRequests().catch(() => this.#cutAs ?? this.#server.reset());
  }

  /** How the connection was cut; null if it was not cut. */
  get cutAs(): CutKind | null {
    return this.#cutAs;
  }

  /** Requests with a pending response. */
  get requests(): readonly SeenRequest[] {
    return this.#exchanges.map(({ exchange }) => exchange.request);
  }

  cut(how: CutKind): void {
    if (this.#cutAs !== null) return;
    this.#cutAs = how;
    this.#stop.abort();
    const requests = this.requests;
    this.#finishAll();
    const sockets = [this.#client, ...this.#server.sockets];
    if (how === 'reset') for (const socket of sockets) socket.resetAndDestroy();
    if (how === 'fin') for (const socket of sockets) socket.destroySoon();
    if (how === 'half-open') this.#server.resetLater();
    this.#host.onCut(this, how, requests);
  }

  /** Destroys the sockets of both sides, also after a cut. */
  destroy(): void {
    this.#stop.abort();
    this.#client.destroy();
    this.#server.destroy();
  }

  async #forwardRequests(): Promise<void> {
    const reader = new MessageReader(requestLength);
    let forwarder: Forwarder | null = null;
    let exchange: Exchange | null = null;
    for await (const chunk of this.#client.iterator({ destroyOnReturn: false })) {
      // After a cut, further data of the client is discarded.
      if (this.#cutAs) continue;
      for (const part of reader.read(chunk)) {
        if (part.type === 'head') {
          exchange = this.#begin(part.head);
          forwarder = this.#forwarderTo('server', exchange);
        }
        if (!exchange || !forwarder) continue;
        if (part.type === 'end') {
          await forwarder.flush();
          await this.#onRequestEnd(exchange);
        } else {
          if (exchange.duplicate) exchange.recorded.push(part.bytes);
          await forwarder.forward(part.bytes, part.type);
        }
      }
    }
    if (this.#cutAs) return void this.#client.destroy();
    if (reader.pending.length > 0) await write(this.#server.socket, reader.pending);
    this.#server.end();
  }

  #begin(head: Head): Exchange {
    const [method = '', path = ''] = head.line.split(' ');
    const request = this.#host.onRequest(this, method, path, head);
    const exchange = new Exchange(request, this.#host.rules);
    this.#exchanges.push({ exchange, response: this.#forwarderTo('client', exchange) });
    return exchange;
  }

  #forwarderTo(end: 'server' | 'client', { appliedFaults }: Exchange): Forwarder {
    return new Forwarder({
      plan: planOf(appliedFaults, end === 'server' ? 'request' : 'answer'),
      clock: this.#host.clock,
      signal: this.#stop.signal,
      target: () => (end === 'server' ? this.#server.socket : this.#client),
      onCut: (how) => this.cut(how),
    });
  }

  async #onRequestEnd(exchange: Exchange): Promise<void> {
    exchange.isForwarded = true;
    if (this.#cutAs) return;
    if (exchange.duplicate === 'first')
      this.#server.sendAndDiscard(Buffer.concat(exchange.recorded));
    const replacement = replacementOf(exchange.appliedFaults);
    if (replacement && !replacement.reachesServer) await this.#sendReplacement(replacement);
  }

  async #forwardResponse(bytes: Buffer): Promise<void> {
    if (this.#cutAs || this.#repeatRequest()) return;
    for (const part of this.#responseReader.read(bytes)) {
      const current = this.#exchanges[0];
      if (part.type === 'end') await this.#onResponseEnd();
      else if (current) await current.response.forward(part.bytes, part.type);
      else await write(this.#client, part.bytes);
    }
  }

  /**
   * For a `duplicate` fault with `second`, discards the first response, and repeats the request on a new
   * connection. Returns whether it did so.
   */
  #repeatRequest(): boolean {
    const exchange = this.#exchanges[0]?.exchange;
    if (exchange?.duplicate !== 'second' || !exchange.isForwarded || exchange.recorded.length === 0)
      return false;
    this.#responseReader = this.#createResponseReader();
    this.#server.replace().write(Buffer.concat(exchange.recorded.splice(0)));
    return true;
  }

  #createResponseReader(): MessageReader {
    return new MessageReader((head) =>
      answerLength(head, this.#exchanges[0]?.exchange.request.method ?? ''),
    );
  }

  async #onResponseEnd(): Promise<void> {
    const current = this.#exchanges[0];
    if (!current) return;
    await current.response.flush();
    const replacement = replacementOf(current.exchange.appliedFaults);
    if (replacement) await this.#sendReplacement(replacement);
    else this.#exchanges.shift()?.exchange.finish();
  }

  /** Ends the current response, because a response without a length ends with the connection. */
  async #onServerEnd(): Promise<void> {
    this.#hasEnded = true;
    if (this.#cutAs) return this.#server.destroy();
    const current = this.#exchanges[0];
    const replacement = current && replacementOf(current.exchange.appliedFaults);
    // The response of an `answer` fault may still be in transit to the client.
    if (replacement && !replacement.reachesServer) return;
    await this.#onResponseEnd();
    if (!this.#cutAs) this.#client.end();
  }

  async #sendReplacement({ status, headers = {}, body = '' }: AnswerFault): Promise<void> {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const length = `content-length: ${Buffer.byteLength(body)}\r\n`;
    const response = Buffer.from(`HTTP/1.1 ${status} \r\n${lines.join('')}${length}\r\n${body}`);
    if (!this.#cutAs) await write(this.#client, response);
    this.#exchanges.shift()?.exchange.finish();
    if (this.#hasEnded) this.#client.end();
  }

  #onClientClose(): void {
    this.#finishAll();
    if (this.#cutAs !== 'half-open') this.#server.destroy();
    this.#stop.abort();
    this.#settle();
  }

  #settle(): void {
    if (this.#client.destroyed && this.#server.sockets.length === 0) this.#host.onClose(this);
  }

  #finishAll(): void {
    for (const { exchange } of this.#exchanges.splice(0)) exchange.finish();
  }
}
