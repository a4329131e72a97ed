import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sender } from '@sluice/contracts';
import { freePort, natsPublicKey, newNatsSeed, startNats, type ServerProcess } from '@sluice/embedded';
import pg from 'pg';
import { natsUsers } from './nats-users.ts';
import type { Layer } from './replica-process.ts';

/** A NATS on one port, whose data can be exchanged. */
export async function replaceableNats(folder: string, senders: readonly Sender[], upgrading: boolean) {
  const port = await freePort();
  const { users, environmentOf } = natsUsers(senders, undefined, upgrading);
  const operatorSeed = newNatsSeed();
  const startOne = () =>
    startNats({ folder, port, users: [...users, { nkey: natsPublicKey(operatorSeed) }] });
  let nats: ServerProcess = await startOne();
  const [store, backup] = [join(folder, 'store'), `${folder}-backup`];
  const start = async () => {
    nats = await startOne();
  };
  return {
    url: nats.url,
    operatorSeed,
    environmentOf,
    start,
    stop: () => nats.stop(),
    async backUp() {
      await nats.stop();
      await cp(store, backup, { recursive: true });
      await start();
    },
    async restore(from: 'backup' | 'nothing') {
      await nats.stop();
      await rm(store, { recursive: true, force: true });
      if (from === 'backup') await cp(backup, store, { recursive: true });
      await start();
    },
    process: () => nats.pid,
  };
}

/** Databases that can be exchanged for a copy of what they were. */
export function replaceableDatabases(server: string) {
  const copy = async (from: string, to: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    // a database that is copied has no client, not even this process
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [from]);
    await client.query(`DROP DATABASE IF EXISTS "${to}" WITH (FORCE)`);
    await client.query(`CREATE DATABASE "${to}" TEMPLATE "${from}"`);
    await client.end();
  };
  return {
    backUp: (layer: Layer) => copy(layer, `${layer}-backup`),
    restore: (layer: Layer) => copy(`${layer}-backup`, layer),
  };
}
