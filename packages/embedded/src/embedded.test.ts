import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { commandLineOf, isRoot, unprivilegedUser } from '@sluice/system';
import { testFolder } from '@sluice/testing';
import pg from 'pg';
import { CannotStart, startNats, startPostgres } from './index.ts';

let folder: string;
beforeEach(async () => {
  folder = await testFolder();
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

describe('PostgreSQL', () => {
  test('is stopped first when a former run has left it behind, and its data are kept', async () => {
    const leftover = await startPostgres({ folder });
    await query(leftover.url, 'create table kept (id int)');
    const next = await startPostgres({ folder });
    await leftover.exited;
    expect(await query(next.url, 'select * from kept')).toEqual([]);
    await next.stop();
  });

  test('starts although the process id of its former run now is another program of ours', async () => {
    await (await startPostgres({ folder })).stop();
    const bystander = spawn('sleep', ['60']);
    await writeFile(join(folder, 'data/postmaster.pid'), `${bystander.pid}\n`);
    const server = await startPostgres({ folder });
    expect(bystander.exitCode).toBeNull();
    bystander.kill();
    await server.stop();
  });

  test('begins anew when the creation of its data folder was interrupted', async () => {
    await mkdir(join(folder, 'data.unfinished/base'), { recursive: true });
    const server = await startPostgres({ folder });
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  test('keeps its password in a file for the owner alone and off every command line', async () => {
    const server = await startPostgres({ folder });
    const password = (await readFile(join(folder, 'password'), 'utf8')).trim();
    expect(server.url).toContain(password);
    expect(await commandLineOf(server.pid)).not.toContain(password);
    await expect(query(server.url.replace(password, 'guess'), 'select 1')).rejects.toThrow('password');
    await server.stop();
  });
});

describe('nats-server', () => {
  test('is stopped first when a former run has left it behind', async () => {
    const leftover = await startNats({ folder });
    const next = await startNats({ folder });
    await leftover.exited;
    await next.stop();
  });

  // who is not root has nothing to leave, and only Linux tells whose a process is in /proc
  const asRoot = isRoot && process.platform === 'linux' ? test : test.skip;
  asRoot("is not root, also on a folder that is root's from before", async () => {
    await mkdir(join(folder, 'store/jetstream'), { recursive: true });
    const server = await startNats({ folder });
    expect((await stat(`/proc/${server.pid}`)).uid).toBe(unprivilegedUser);
    expect((await stat(join(folder, 'store/jetstream'))).uid).toBe(unprivilegedUser);
    await server.stop();

    const backup = `${folder}.backup`;
    await cp(join(folder, 'store'), backup, { recursive: true });
    await rm(join(folder, 'store'), { recursive: true });
    await cp(backup, join(folder, 'store'), { recursive: true });
    await rm(backup, { recursive: true });
    const restored = await startNats({ folder });
    expect((await stat(join(folder, 'store/jetstream'))).uid).toBe(unprivilegedUser);
    await restored.stop();
  });

  test('says in one sentence that its port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const start = startNats({ folder, port });
    await expect(start).rejects.toThrow(CannotStart);
    await expect(start).rejects.toThrow(/^nats-server did not start: .*address already in use.*\.$/);
    other.close();
  });
});
