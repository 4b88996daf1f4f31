import { onTestFinished } from 'vitest';
import type { App } from '../app.ts';
import { createHttpServer, type HttpServerOptions } from '../http/http-server.ts';

/** Serves an app on a free local port until the test ends, for tests that need a real connection. */
export async function listen(
  app: App,
  options: HttpServerOptions = {},
): Promise<{
  url: string;
  /** Returns the number of open connections of the server. */
  connections(): Promise<number>;
  close(): Promise<void>;
}> {
  const server = createHttpServer(app, options);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server has no port.');
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${address.port}`,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    close,
  };
}
