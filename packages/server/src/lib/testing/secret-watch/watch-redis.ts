import { once } from 'node:events';
import { connect } from 'node:net';
import { watchWritten } from './secret-watch.ts';

/** Records all commands that a local Redis receives. Resolves when Redis has ended. */
export async function watchRedis(port: number): Promise<void> {
  if (!process.env.INLAY_SECRET_WATCH) return;
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let commands = '';
  socket.on('data', (text) => {
    commands += text;
  });
  // Killing Redis resets the connection.
  socket.on('error', () => {});
  socket.write('MONITOR\r\n');
  await once(socket, 'close');
  watchWritten('the commands of Redis', commands);
}
