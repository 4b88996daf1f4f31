import { describe, expect, it } from 'vitest';
import { parseResponse, serialize } from './http-connection.ts';

const parse = (text: string) => parseResponse(Buffer.from(text));

describe('parseResponse', () => {
  it('parses a response with content-length', () => {
    const response = parse('HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\nbody');

    expect(response?.status).toBe(201);
    expect(response?.body.toString()).toBe('body');
  });

  it('parses a chunked response', () => {
    const response = parse(
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nbo\r\n2\r\ndy\r\n0\r\n\r\n',
    );

    expect(response?.body.toString()).toBe('body');
  });

  it.each([
    'HTTP/1.1 200 OK\r\ncontent-le',
    'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nbod',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nbo\r\n0\r\n',
  ])('returns null for the incomplete response %j', (part) => {
    expect(parse(part)).toBeNull();
  });
});

describe('serialize', () => {
  it('sets content-length in bytes', () => {
    const request = serialize({ method: 'POST', path: '/x', body: { a: 'é' } }).toString();

    expect(request).toContain('\r\ncontent-length: 10\r\n');
    expect(request.endsWith('\r\n\r\n{"a":"é"}')).toBe(true);
  });
});
