import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { buildEntries } from './build-children.ts';
import { HttpConnection } from './http-connection.ts';
import type { Answer, Answers, Question } from './questions.ts';

/** A measured server process on 127.0.0.1. */
export interface Child {
  readonly port: number;
  /** Milliseconds from its start to its first response. */
  readonly startedIn: number;
  ask<Name extends Question>(question: Name): Promise<Answers[Name]>;
  stop(): Promise<void>;
}

export interface ChildOptions {
  kind: 'bare' | 'platform';
  environment?: Record<string, string>;
}

/** Starts a process, and resolves after its first response. */
export async function startChild({ kind, environment = {} }: ChildOptions): Promise<Child> {
  const entries = await buildEntries();
  const port = await freePort();
  const started = performance.now();
  const child = spawn(process.execPath, ['--expose-gc', '--import', entries.probe, entries[kind]], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { PATH: process.env.PATH, PORT: String(port), HOST: '127.0.0.1', ...environment },
  });
  const exit = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await exit;
  };
  const errors = collectErrors(child);
  const early = exit.then(() => {
    throw new Error(`The ${kind} process exited unexpectedly:\n${errors()}`);
  });
  // Prevents an unhandled rejection: after the start, the exit is caused by `stop`.
  early.catch(() => {});

  try {
    await Promise.race([untilAnswered(port), early]);
  } catch (error) {
    await stop();
    throw error;
  }
  const startedIn = performance.now() - started;
  let asked = 0;
  return {
    port,
    startedIn,
    ask(question) {
      asked += 1;
      child.send({ id: asked, question });
      return Promise.race([answerTo<typeof question>(child, asked), early]);
    },
    stop,
  };
}

function collectErrors(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (more: string) => {
    text = (text + more).slice(-4000);
  });
  return () => text;
}

async function answerTo<Name extends Question>(child: ChildProcess, id: number) {
  for (;;) {
    const [message] = (await once(child, 'message')) as [{ id: number; answer: Answer }];
    if (message.id === id) return message.answer as Answers[Name];
  }
}

/** Sends requests until one succeeds, for an exact start time. */
async function untilAnswered(port: number): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    try {
      const connection = await HttpConnection.open(port);
      const { status } = await connection.request({ method: 'GET', path: '/meta/v1/health' });
      connection.close();
      if (status === 200) return;
      throw new Error(`/meta/v1/health answers ${status}.`);
    } catch (error) {
      if (!isRefused(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  throw new Error('The process did not respond within 30 seconds.');
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}
