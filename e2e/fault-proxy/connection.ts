import type { Socket } from 'node:net';
import type { Clock } from '../replay/clock.ts';
import { Exchange, type SeenRequest } from './exchange.ts';
import type { AnswerFault, CutKind } from './fault.ts';
import { answerLength, type Head, MessageReader, requestLength } from './http-messages.ts';
import { planOf, replacementOf } from './plan.ts';
import type { Rules } from './rules.ts';
import { Way, write } from './way.ts';

/** What a connection needs of the proxy. */
export interface ConnectionHost {
  readonly rules: Rules;
  readonly clock: Clock;
  /** Milliseconds after a half-open cut until the server's kernel gives up, as its TCP would. */
  readonly serverForgetsAfter: number;
  connect(): Socket;
  seeRequest(connection: Connection, method: string, path: string): SeenRequest;
  onCut(connection: Connection, how: CutKind, under: readonly SeenRequest[]): void;
  onClose(connection: Connection): void;
}

/** A client's connection, and the one to the server behind it. */
export class Connection {
  readonly id: number;
  readonly #client: Socket;
  readonly #host: ConnectionHost;
  readonly #stop = new AbortController();
  /** Whose answers are to come, in that order, each with the way that it takes. */
  readonly #exchanges: Array<{ exchange: Exchange; answer: Way }> = [];
  readonly #servers = new Set<Socket>();
  #server: Socket | null = null;
  #answers = this.#answerReader();
  #cutAs: CutKind | null = null;
  #stopForgetting = () => {};

  constructor(id: number, client: Socket, host: ConnectionHost) {
    this.id = id;
    this.#client = client;
    this.#host = host;
    client.setNoDelay(true);
    client.once('close', () => this.#onClientClose());
    client.on('error', () => this.#loseServers());
    this.#passRequests().catch(() => this.#loseServers());
  }

  /** How it was cut; null while it stands. */
  get cutAs(): CutKind | null {
    return this.#cutAs;
  }

  /** The requests whose answers are under way. */
  get requests(): readonly SeenRequest[] {
    return this.#exchanges.map(({ exchange }) => exchange.request);
  }

  cut(how: CutKind): void {
    if (this.#cutAs !== null) return;
    this.#cutAs = how;
    this.#stop.abort();
    const requests = this.requests;
    this.#finishAll();
    const sockets = [this.#client, ...this.#servers];
    if (how === 'reset') for (const socket of sockets) socket.resetAndDestroy();
    if (how === 'fin') for (const socket of sockets) socket.destroySoon();
    if (how === 'half-open') this.#forgetLater();
    this.#host.onCut(this, how, requests);
  }

  /** Ends both sides, whatever state they are in. */
  destroy(): void {
    this.#stop.abort();
    for (const socket of [this.#client, ...this.#servers]) socket.destroy();
  }

  async #passRequests(): Promise<void> {
    const reader = new MessageReader(requestLength);
    let way: Way | null = null;
    let exchange: Exchange | null = null;
    for await (const chunk of this.#client.iterator({ destroyOnReturn: false })) {
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
    if (reader.pending.length > 0) await write(this.#connected(), reader.pending);
    this.#server?.end();
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
      target: () => (end === 'server' ? this.#connected() : this.#client),
      onCut: (how) => this.cut(how),
    });
  }

  async #onAsked(exchange: Exchange): Promise<void> {
    exchange.isAsked = true;
    if (this.#cutAs) return;
    if (exchange.doubling === 'first') this.#sendAside(exchange);
    const replacement = replacementOf(exchange.strikes);
    if (replacement && !replacement.reachesServer) await this.#answerInstead(replacement);
  }

  /** The server gets the request once more, and nobody hears what it answers. */
  #sendAside(exchange: Exchange): void {
    const server = this.#addServer();
    server.on('error', () => {});
    server.resume();
    server.write(Buffer.concat(exchange.recorded));
  }

  #connected(): Socket {
    this.#server ??= this.#open();
    return this.#server;
  }

  #open(): Socket {
    const server = this.#addServer();
    // What breaks on one side breaks on the other.
    const lose = () => {
      if (!this.#cutAs && server === this.#server) this.#client.resetAndDestroy();
    };
    server.on('error', lose);
    this.#passAnswers(server).catch(lose);
    return server;
  }

  #addServer(): Socket {
    const server = this.#host.connect();
    this.#servers.add(server);
    server.once('close', () => {
      this.#servers.delete(server);
      this.#settle();
    });
    return server;
  }

  async #passAnswers(server: Socket): Promise<void> {
    for await (const chunk of server.iterator({ destroyOnReturn: false })) {
      if (this.#cutAs || server !== this.#server) continue;
      if (this.#retries(server)) continue;
      for (const piece of this.#answers.read(chunk)) {
        const current = this.#exchanges[0];
        if (!current) {
          await write(this.#client, piece.type === 'end' ? Buffer.alloc(0) : piece.bytes);
        } else if (piece.type === 'end') await this.#onAnswered();
        else await current.answer.pass(piece.bytes, piece.type);
      }
    }
    if (this.#cutAs || server !== this.#server) return void server.destroy();
    await this.#exchanges[0]?.answer.end();
    const replacement = this.#exchanges[0] && replacementOf(this.#exchanges[0].exchange.strikes);
    if (replacement?.reachesServer) await this.#answerInstead(replacement);
    if (!this.#cutAs) this.#client.end();
  }

  /** Whether this answer is thrown away, and its request sent again on a connection of its own. */
  #retries(server: Socket): boolean {
    const exchange = this.#exchanges[0]?.exchange;
    if (exchange?.doubling !== 'second' || !exchange.isAsked || exchange.recorded.length === 0)
      return false;
    this.#server = null;
    server.destroy();
    this.#answers = this.#answerReader();
    this.#connected().write(Buffer.concat(exchange.recorded.splice(0)));
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

  async #answerInstead({ status, headers = {}, body = '' }: AnswerFault): Promise<void> {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `HTTP/1.1 ${status} \r\n${lines.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n`;
    if (!this.#cutAs) await write(this.#client, Buffer.from(head + body));
    this.#exchanges.shift()?.exchange.finish();
  }

  #onClientClose(): void {
    this.#finishAll();
    if (this.#cutAs !== 'half-open') for (const server of this.#servers) server.destroy();
    this.#stop.abort();
    this.#settle();
  }

  #settle(): void {
    if (!this.#client.destroyed || this.#servers.size > 0) return;
    this.#stopForgetting();
    this.#host.onClose(this);
  }

  #finishAll(): void {
    for (const { exchange } of this.#exchanges.splice(0)) exchange.finish();
  }

  #loseServers(): void {
    if (this.#cutAs) return;
    for (const server of this.#servers) server.resetAndDestroy();
  }

  #forgetLater(): void {
    const { clock, serverForgetsAfter } = this.#host;
    if (serverForgetsAfter === Number.POSITIVE_INFINITY) return;
    this.#stopForgetting = clock.setTimeout(() => {
      for (const server of this.#servers) server.resetAndDestroy();
    }, serverForgetsAfter);
  }
}
