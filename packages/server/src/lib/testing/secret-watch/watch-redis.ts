import { once } from 'node:events';
import { connect } from 'node:net';
import { watchWritten } from './secret-watch.ts';

/** Notes all that a Redis on this machine is told from now on. Resolves when it has ended. */
export async function watchRedis(port: number): Promise<void> {
  if (!process.env.INLAY_SECRET_WATCH) return;
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let told = '';
  socket.on('data', (text) => {
    told += text;
  });
  // One that is killed breaks the connection off.
  socket.on('error', () => {});
  socket.write('MONITOR\r\n');
  await once(socket, 'close');
  watchWritten('what Redis was told', told);
}
