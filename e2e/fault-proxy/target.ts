/**
 * Parses the URL of the server.
 *
 * @throws {TypeError} If it is not an `http:` URL with a host.
 */
export function targetOf(target: string): { host: string; port: number } {
  const url = URL.canParse(target) ? new URL(target) : null;
  if (url?.protocol !== 'http:' || url.hostname === '') {
    throw new TypeError(
      `The target is "${target}". Give the server's address as http://<host>:<port>; TLS is not supported.`,
    );
  }
  // `localhost` may resolve to ::1, where a server that listens on IPv4 only is not reachable.
  const host = url.hostname === 'localhost' ? '127.0.0.1' : url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(url.port || 80) };
}
