import type { Socket } from 'node:net';
import { Exchange, type SeenRequest } from './exchange.ts';
import type { AnswerFault, CutKind } from './fault.ts';
import { answerLength, type Head, MessageReader, requestLength } from './http-messages.ts';
import { planOf, replacementOf } from './plan.ts';
import type { Rules } from './rules.ts';
import { ServerSide, type ServerSideOptions } from './server-side.ts';
import { Way, write } from './way.ts';

/** The part of the proxy that a connection uses. */
export interface ConnectionHost extends ServerSideOptions {
  readonly rules: Rules;
  seeRequest(connection: Connection, method: string, path: string): SeenRequest;
  onCut(connection: Connection, how: CutKind, under: readonly SeenRequest[]): void;
  onClose(connection: Connection): void;
}

/** A client's connection with its connections to the server. */
export class Connection {
  readonly id: number;
  readonly #client: Socket;
  readonly #server: ServerSide;
  readonly #host: ConnectionHost;
  readonly #stop = new AbortController();
  /** Pending exchanges in request order, each with the channel of its response. */
  readonly #exchanges: Array<{ exchange: Exchange; answer: Way }> = [];
  #answers = this.#answerReader();
  #cutAs: CutKind | null = null;
  /** Whether the server has closed its side of the connection. */
  #hasEnded = false;

  constructor(id: number, client: Socket, host: ConnectionHost) {
    this.id = id;
    this.#client = client;
    this.#host = host;
    this.#server = new ServerSide(host, {
      onBytes: (bytes) => this.#passAnswer(bytes),
      onEnd: () => this.#endAnswers(),
      // A lost server connection resets the client's connection.
      onLoss: () => this.#cutAs ?? client.resetAndDestroy(),
      onEmpty: () => this.#settle(),
    });
    client.setNoDelay(true);
    client.once('close', () => this.#onClientClose());
    client.on('error', () => this.#cutAs ?? this.#server.reset());
    this.#passRequests().catch(() => this.#cutAs ?? this.#server.reset());
  }

  /** How the connection was cut; null while it is open. */
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
    if (how === 'half-open') this.#server.forgetLater();
    this.#host.onCut(this, how, requests);
  }

  /** Destroys both sides in any state. */
  destroy(): void {
    this.#stop.abort();
    this.#client.destroy();
    this.#server.destroy();
  }

  async #passRequests(): Promise<void> {
    const reader = new MessageReader(requestLength);
    let way: Way | null = null;
    let exchange: Exchange | null = null;
    for await (const chunk of this.#client.iterator({ destroyOnReturn: false })) {
      // After a cut, further data and its end are discarded.
      if (this.#cutAs) continue;
      for (const piece of reader.read(chunk)) {
        if (piece.type === 'head') {
          exchange = this.#begin(piece.head);
          way = this.#wayTo('server', exchange);
        }
        if (!exchange || !way) continue;
        if (piece.type === 'end') {
          await way.end();
          await this.#onAsked(exchange);
        } else {
          if (exchange.doubling) exchange.recorded.push(piece.bytes);
          await way.pass(piece.bytes, piece.type);
        }
      }
    }
    if (this.#cutAs) return void this.#client.destroy();
    if (reader.pending.length > 0) await write(this.#server.socket, reader.pending);
    this.#server.end();
  }

  #begin(head: Head): Exchange {
    const [method = '', path = ''] = head.line.split(' ');
    const request = this.#host.seeRequest(this, method, path);
    const exchange = new Exchange(request, this.#host.rules);
    this.#exchanges.push({ exchange, answer: this.#wayTo('client', exchange) });
    return exchange;
  }

  #wayTo(end: 'server' | 'client', { strikes }: Exchange): Way {
    return new Way({
      plan: planOf(strikes, end === 'server' ? 'request' : 'answer'),
      clock: this.#host.clock,
      signal: this.#stop.signal,
      target: () => (end === 'server' ? this.#server.socket : this.#client),
      onCut: (how) => this.cut(how),
    });
  }

  async #onAsked(exchange: Exchange): Promise<void> {
    exchange.isAsked = true;
    if (this.#cutAs) return;
    if (exchange.doubling === 'first') this.#server.sendAside(Buffer.concat(exchange.recorded));
    const replacement = replacementOf(exchange.strikes);
    if (replacement && !replacement.reachesServer) await this.#answerInstead(replacement);
  }

  async #passAnswer(bytes: Buffer): Promise<void> {
    if (this.#cutAs || this.#asksAgain()) return;
    for (const piece of this.#answers.read(bytes)) {
      const current = this.#exchanges[0];
      if (piece.type === 'end') await this.#onAnswered();
      else if (current) await current.answer.pass(piece.bytes, piece.type);
      else await write(this.#client, piece.bytes);
    }
  }

  /** Whether to discard this response and repeat its request on a new connection. */
  #asksAgain(): boolean {
    const exchange = this.#exchanges[0]?.exchange;
    if (exchange?.doubling !== 'second' || !exchange.isAsked || exchange.recorded.length === 0)
      return false;
    this.#answers = this.#answerReader();
    this.#server.replace().write(Buffer.concat(exchange.recorded.splice(0)));
    return true;
  }

  #answerReader(): MessageReader {
    return new MessageReader((head) =>
      answerLength(head, this.#exchanges[0]?.exchange.request.method ?? ''),
    );
  }

  async #onAnswered(): Promise<void> {
    const current = this.#exchanges[0];
    if (!current) return;
    await current.answer.end();
    const replacement = replacementOf(current.exchange.strikes);
    if (replacement) await this.#answerInstead(replacement);
    else this.#exchanges.shift()?.exchange.finish();
  }

  /** Ends the current response: closing the connection delimits a response without a length. */
  async #endAnswers(): Promise<void> {
    this.#hasEnded = true;
    if (this.#cutAs) return this.#server.destroy();
    const current = this.#exchanges[0];
    const replacement = current && replacementOf(current.exchange.strikes);
    // A replacement response is not the server's, and may still be in transit.
    if (replacement && !replacement.reachesServer) return;
    await this.#onAnswered();
    if (!this.#cutAs) this.#client.end();
  }

  async #answerInstead({ status, headers = {}, body = '' }: AnswerFault): Promise<void> {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const length = `content-length: ${Buffer.byteLength(body)}\r\n`;
    const answer = Buffer.from(`HTTP/1.1 ${status} \r\n${lines.join('')}${length}\r\n${body}`);
    if (!this.#cutAs) await write(this.#client, answer);
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
