import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Context } from 'hono';
import { parseAccept } from 'hono/utils/accept';
import type { AppEnv } from '../http/env.ts';

const contentTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Encodings that `npm run build:web` writes next to each file, smallest first. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Reads and sends the files that are built for browsers. */
export interface FileSender {
  /** Returns the content of a file; null if there is none. */
  read(...path: string[]): Promise<Buffer | null>;
  /** Sends a file in the smallest encoding that the client accepts; null if there is none. */
  send(c: Context<AppEnv>, ...path: string[]): Promise<Response | null>;
}

export function createFileSender(webDirectory: string): FileSender {
  return { read, send };

  async function send(c: Context<AppEnv>, ...path: string[]): Promise<Response | null> {
    const { file, encoding } = await readEncoded(c.req.header('accept-encoding') ?? '', path);
    if (!file) return null;
    c.header('vary', 'Accept-Encoding', { append: true });
    if (encoding) c.header('content-encoding', encoding);
    c.header(
      'content-type',
      contentTypes[extname(path.at(-1) ?? '')] ?? 'application/octet-stream',
    );
    return c.body(new Uint8Array(file));
  }

  /** Reads the smallest encoding of a file that the client accepts (RFC 9110, section 12.5.3). */
  async function readEncoded(accept: string, path: readonly string[]) {
    const accepted = parseAccept(accept).filter(({ q }) => q > 0);
    for (const [encoding, suffix] of encodings) {
      if (!accepted.some(({ type }) => type === encoding || type === '*')) continue;
      const file = await read(...path.slice(0, -1), `${path.at(-1)}${suffix}`);
      if (file) return { file, encoding };
    }
    return { file: await read(...path), encoding: null };
  }

  async function read(...path: string[]): Promise<Buffer | null> {
    // Rejects `..` and separators in names, so that no path leads out of the directory.
    if (!path.every((part) => /^[\w-][\w.-]*$/.test(part))) return null;
    return readFile(join(webDirectory, ...path)).catch(() => null);
  }
}
