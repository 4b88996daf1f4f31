import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startConversation } from '../testing/process-conversation.ts';
import { runCommand, startProcess } from '../testing/server-process.ts';
import { isType, message } from '../testing/setup-conversation.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const run = (data: string, ...args: string[]) => runCommand(args, { INLAY_DATA: data });

describe('inlay-server backup', () => {
  it('copies conversations, files and keys while the server writes, to a file from which a server starts', async () => {
    const data = temporaryFolder();
    const server = await startProcess(data);
    const { stdout } = await run(data, 'keys', 'create', 'billing');
    const key = stdout.trim().split(': ')[1] ?? '';
    const { token, session, file, content } = await startConversation(server, 'hello');
    const backup = join(temporaryFolder(), 'backup.db');

    const isDone = run(data, 'backup', backup).then((result) => ({ result }));
    const results: Awaited<typeof isDone>[] = [];
    void isDone.then((done) => results.push(done));
    while (results.length === 0) {
      const created = await server.call(token, 'POST', '/sessions', {
        initial_events: [message('during the backup')],
      });
      expect(created.status).toBe(200);
    }

    expect(results[0]?.result).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^Backed up .* MB, with the contents of 1 file\.\n$/),
      stderr: '',
    });
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(backup, '..'))).toEqual(['backup.db']);
    const restoredData = temporaryFolder();
    copyFileSync(backup, join(restoredData, 'inlay.db'));
    const restored = await startProcess(restoredData);
    const restoredContent = await restored.call(token, 'GET', `/files/${file}/content`);
    expect(await restoredContent.text()).toBe(content);
    const replayed = await restored.follow(token, session);
    await replayed.until(isType('session.status_idle'));
    expect(replayed.seen.map(({ data: event }) => event.type)).toContain('agent.message');
    expect((await restored.call(key, 'GET', '/embed_tokens')).status).toBe(200);

    // A restored store has its files in the database.
    const second = await run(restoredData, 'backup', join(restoredData, 'second.db'));
    expect(second.stdout).toContain('with the contents of 1 file.');
  });

  it('keeps nothing of a backup that fails, such as on a full disk', async () => {
    const data = temporaryFolder();
    await run(data, 'keys', 'create');
    const folder = temporaryFolder();

    // Writes of more than 64 KiB fail with an error, instead of a signal.
    const limit = `trap '' XFSZ; ulimit -f 128`;
    const failed = await runCommand(
      ['backup', join(folder, 'backup.db')],
      { INLAY_DATA: data },
      limit,
    );

    expect(failed).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('could not be written'),
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('overwrites no file, and refuses what it cannot back up', async () => {
    const data = temporaryFolder();
    await run(data, 'keys', 'create');
    const folder = temporaryFolder();
    const existing = join(folder, 'existing.db');
    writeFileSync(existing, 'mine');
    const active = join(folder, 'active.db');
    writeFileSync(`${active}.part`, 'of another backup');

    const errors = [
      await run(data, 'backup', existing),
      await run(data, 'backup', active),
      await run(data, 'backup'),
      await run(temporaryFolder(), 'backup', join(folder, 'new.db')),
      await runCommand(['backup', join(folder, 'new.db')], {
        INLAY_DATA: data,
        DATABASE_URL: 'postgres://inlay:secret@127.0.0.1:1/inlay',
      }),
    ].map(({ stderr }) => stderr);

    expect(errors).toEqual([
      expect.stringContaining('exists already'),
      expect.stringContaining('another backup is writing this file'),
      expect.stringContaining('Usage'),
      expect.stringContaining('There is no store'),
      expect.stringContaining('pg_dump'),
    ]);
    expect(readFileSync(existing, 'utf8')).toBe('mine');
    expect(readFileSync(`${active}.part`, 'utf8')).toBe('of another backup');
    expect(existsSync(join(folder, 'new.db'))).toBe(false);
  });
});
