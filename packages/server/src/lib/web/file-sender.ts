import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
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

/** A file in memory. All responses share its content. */
interface WebFile {
  content: Uint8Array<ArrayBuffer>;
  /** Value of the `etag` header. */
  tag: string;
}

/**
 * Reads and sends the files that are built for browsers. Each file is read once, and again when it has
 * changed.
 */
export interface FileSender {
  /** Returns a file; null if there is none. */
  read(...path: string[]): Promise<WebFile | null>;
  /** Sends a file in the smallest encoding that the client accepts; null if there is none. */
  send(c: Context<AppEnv>, ...path: string[]): Promise<Response | null>;
}

export function createFileSender(webDirectory: string): FileSender {
  const cache = new Map<string, { version: string; file: Promise<WebFile | null> }>();
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
    c.header('etag', file.tag);
    return c.body(file.content);
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

  async function read(...path: string[]): Promise<WebFile | null> {
    // Rejects `..` and separators in names, so that no path leads out of the directory.
    if (!path.every((part) => /^[\w-][\w.-]*$/.test(part))) return null;
    const name = join(webDirectory, ...path);
    const stats = await stat(name).catch(() => null);
    if (!stats?.isFile()) {
      cache.delete(name);
      return null;
    }
    const version = `${stats.mtimeMs} ${stats.ctimeMs} ${stats.size}`;
    const cached = cache.get(name);
    if (cached?.version === version) return cached.file;
    const file = readFile(name).then(toWebFile, () => null);
    cache.set(name, { version, file });
    return file;
  }
}

/** Adds the entity tag to the content of a file. */
export function toWebFile(content: Uint8Array): WebFile {
  const digest = createHash('sha256').update(content).digest('base64url');
  return { content: new Uint8Array(content), tag: `"${digest}"` };
}
