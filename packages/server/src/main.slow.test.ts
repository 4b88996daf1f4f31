import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ServerProcess, spawnServer, startProcess } from './lib/testing/server-process.ts';
import { isType, message } from './lib/testing/setup-conversation.ts';
import { testApiKey } from './lib/testing/setup-server.ts';
import { temporaryFolder } from './lib/testing/temporary-folder.ts';

/** Sends a part of a request body. A server that is stopping waits five seconds for the rest. */
async function sendIncompleteBody({ url }: ServerProcess) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(
    'POST /agent/v1/embed/exchange HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n{',
  );
  await once(socket, 'data');
}

/** Creates a session with a message, and opens its stream. */
async function startConversation(server: ServerProcess, text: string) {
  const { token } = await server.issue('ada');
  const created = await server.call(token, 'POST', '/sessions', {
    initial_events: [message(text)],
  });
  const { id } = (await created.json()) as { id: string };
  return { token, id, stream: await server.follow(token, id) };
}

describe('the server process', () => {
  it('S07: ends streams at SIGTERM so that the next process can complete the run without a lost event', async () => {
    const data = temporaryFolder();
    const first = await startProcess(data, { streams: { drain_seconds: 0 } });
    const { token, id, stream } = await startConversation(first, 'table');
    await stream.until(isType('event_delta'));

    first.child.kill('SIGTERM');
    const before = await stream.toEnd();
    expect(await first.exited).toBe(0);
    const second = await startProcess(data);
    const lastId = before.findLast((event) => event.id !== undefined)?.id;
    const resumed = await second.follow(token, id, lastId);
    await resumed.until(isType('session.status_idle'));

    const seqs = [...before, ...resumed.seen].flatMap(({ data }) =>
      'seq' in data ? data.seq : [],
    );
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    const types = resumed.seen.map(({ data }) => data.type);
    expect(types[0]).toBe('session.status_rescheduled');
    expect(types.filter((type) => type === 'agent.message')).toHaveLength(1);
  });

  it('starts successfully with the data of a killed process', async () => {
    const data = temporaryFolder();
    const first = await startProcess(data);
    first.child.kill('SIGKILL');
    await first.exited;

    const second = await startProcess(data);

    expect((await fetch(`${second.url}/meta/v1/health`)).status).toBe(200);
  });

  it('exits immediately after SIGINT, or after a second SIGTERM, despite requests in progress', async () => {
    const [interrupted, signaledTwice] = await Promise.all([
      startProcess(temporaryFolder()),
      startProcess(temporaryFolder()),
    ]);
    await Promise.all([sendIncompleteBody(interrupted), sendIncompleteBody(signaledTwice)]);

    const startedAt = performance.now();
    interrupted.child.kill('SIGINT');
    signaledTwice.child.kill('SIGTERM');
    // Two signals of the same kind in quick succession would be merged.
    const isResponding = () =>
      fetch(`${signaledTwice.url}/meta/v1/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isResponding).toBe(false);
    signaledTwice.child.kill('SIGTERM');

    expect(await interrupted.exited).toBe(0);
    expect(await signaledTwice.exited).toBe(1);
    // A graceful shutdown would have waited five seconds for the body.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('loads the YAML library when it receives the first workflow', async () => {
    const { url } = await startProcess(temporaryFolder());
    const create = (source: string) =>
      fetch(`${url}/automation/v1/workflows`, {
        method: 'POST',
        headers: { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ namespace: 'jobs', name: 'sync', source }),
      });

    expect((await create('do: [')).status).toBe(400);
    expect((await create('do: []')).status).toBe(200);
  });

  it('serves requests while the disk of its log is full', async () => {
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    const server = await spawnServer({}, { INLAY_DATA: temporaryFolder() }, full);
    onTestFinished(() => server.kill());

    for (let request = 0; request < 3; request += 1) await server.issue('ada');

    server.child.kill('SIGTERM');
    expect(await server.exited).toBe(0);
  });

  it('serves requests after the reader of its log has disconnected', async () => {
    const server = await startProcess(temporaryFolder());
    server.child.stderr?.destroy();

    for (let request = 0; request < 3; request += 1) await server.issue('ada');

    server.child.kill('SIGTERM');
    expect(await server.exited).toBe(0);
  });

  it('serves requests, and stops, while the reader of its log does not read', async () => {
    const server = await startProcess(temporaryFolder());
    server.child.stderr?.pause();

    // Their lines take more than the pipe and the buffer of its reader hold.
    for (let batch = 0; batch < 40; batch += 1) {
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => server.backend('GET', '/agents')),
      );
      expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    }
    server.child.kill('SIGTERM');

    expect(await server.exited).toBe(0);
  });

  it('has written the log lines of all answered requests when it is killed', async () => {
    const server = await startProcess(temporaryFolder());
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => server.backend('GET', '/agents')),
    );
    server.child.kill('SIGKILL');
    await once(server.child, 'close');

    const loggedIds = server
      .log()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).request);
    const requestIds = responses.map(({ headers }) => headers.get('x-request-id'));
    expect(loggedIds).toEqual(expect.arrayContaining(requestIds));
  });

  it('refuses `keys list` in a folder without a store, and creates none', () => {
    const folder = temporaryFolder();
    const program = fileURLToPath(new URL('../dist/inlay-server.js', import.meta.url));

    const { status, stderr } = spawnSync(process.execPath, [program, 'keys', 'list'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, INLAY_DATA: '', DATABASE_URL: '' },
    });

    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining(`There is no store in ${folder}/.inlay.`),
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});
