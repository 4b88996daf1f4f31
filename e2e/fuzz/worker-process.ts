import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { CallName, Calls, ReplyMessage } from './calls.ts';

export interface ProcessOptions {
  /** Name in error messages. */
  name: string;
  /** Modules loaded before the entry. */
  imports?: string[];
  entry: string;
  environment?: Record<string, string>;
  /** Called with each line of standard error. */
  onLine?: (line: string) => void;
}

/** A child process that answers calls. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #name: string;
  readonly #exit: Promise<unknown>;
  readonly #pending = new Map<number, (reply: ReplyMessage) => void>();
  #lastId = 0;
  #lastLines: string[] = [];

  constructor({ name, imports = [], entry, environment = {}, onLine }: ProcessOptions) {
    this.#name = name;
    const loaded = ['tsx', ...imports].flatMap((module) => ['--import', module]);
    this.#child = spawn(
      process.execPath,
      ['--expose-gc', '--conditions=source', ...loaded, entry],
      {
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        env: { PATH: process.env.PATH, ...environment },
      },
    );
    this.#exit = once(this.#child, 'exit');
    this.#child.on('message', (reply: ReplyMessage) => {
      this.#pending.get(reply.id)?.(reply);
      this.#pending.delete(reply.id);
    });
    this.#child.on('exit', () => {
      for (const [id, resolve] of this.#pending) resolve({ id, error: this.#exitReason });
      this.#pending.clear();
    });
    const { stderr } = this.#child;
    if (!stderr) throw new Error('expected a pipe');
    createInterface({ input: stderr }).on('line', (line) => {
      this.#lastLines = [...this.#lastLines.slice(-19), line];
      onLine?.(line);
    });
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get #exitReason(): string {
    const { exitCode, signalCode } = this.#child;
    return `${this.#name} ended (${signalCode ?? exitCode}):\n${this.#lastLines.join('\n')}`;
  }

  async call<Name extends CallName>(name: Name): Promise<Calls[Name]> {
    if (!this.isRunning) throw new Error(this.#exitReason);
    this.#lastId += 1;
    const id = this.#lastId;
    const reply = new Promise<ReplyMessage>((resolve) => this.#pending.set(id, resolve));
    // Send errors are ignored, because the `exit` listener ends the pending calls with an error.
    this.#child.send({ id, name }, () => {});
    const { result, error } = await reply;
    if (error !== undefined) throw new Error(`${this.#name}: ${error}`);
    return result as Calls[Name];
  }

  /** Sends the signal, and SIGKILL after the timeout. Resolves when the process has exited. */
  async end(signal: 'SIGTERM' | 'SIGKILL', timeoutMs = 20_000): Promise<void> {
    if (!this.isRunning) return;
    this.#child.kill(signal);
    const late = setTimeout(() => this.#child.kill('SIGKILL'), timeoutMs);
    await this.#exit;
    clearTimeout(late);
  }
}
