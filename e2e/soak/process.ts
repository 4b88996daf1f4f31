import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Answered, Question, Questions } from './messages.ts';

export interface ProcessOptions {
  /** Named in errors. */
  name: string;
  /** Modules loaded before the entry. */
  imports?: string[];
  entry: string;
  environment?: Record<string, string>;
  /** Told each line that it writes to standard error. */
  onLine?: (line: string) => void;
}

/** A process of the run, which answers questions. */
export class AskableProcess {
  readonly #child: ChildProcess;
  readonly #name: string;
  readonly #exit: Promise<unknown>;
  readonly #waiting = new Map<number, (answered: Answered) => void>();
  #asked = 0;
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
    this.#child.on('message', (answered: Answered) => {
      this.#waiting.get(answered.id)?.(answered);
      this.#waiting.delete(answered.id);
    });
    this.#child.on('exit', () => {
      for (const [id, tell] of this.#waiting) tell({ id, error: this.#lastWords });
      this.#waiting.clear();
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

  get #lastWords(): string {
    const { exitCode, signalCode } = this.#child;
    return `${this.#name} ended (${signalCode ?? exitCode}):\n${this.#lastLines.join('\n')}`;
  }

  async ask<Name extends Question>(
    question: Name,
    given: Questions[Name]['given'],
  ): Promise<Questions[Name]['answer']> {
    if (!this.isRunning) throw new Error(this.#lastWords);
    this.#asked += 1;
    const id = this.#asked;
    const answered = new Promise<Answered>((resolve) => this.#waiting.set(id, resolve));
    // A process that ends meanwhile is told of by its exit.
    this.#child.send({ id, question, given }, () => {});
    const { answer, error } = await answered;
    if (error !== undefined) throw new Error(`${this.#name}: ${error}`);
    return answer as Questions[Name]['answer'];
  }

  /** Resolves when it is gone. It gets so many milliseconds for a clean end. */
  async end(signal: 'SIGTERM' | 'SIGKILL', patience = 20_000): Promise<void> {
    if (!this.isRunning) return;
    this.#child.kill(signal);
    const late = setTimeout(() => this.#child.kill('SIGKILL'), patience);
    await this.#exit;
    clearTimeout(late);
  }
}
