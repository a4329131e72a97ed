import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { handedOver } from './environment.ts';
import { templateDatabase, type Template } from './template.ts';

export interface TestDatabase {
  url: string;
  /** removes it and disconnects its clients */
  drop(): Promise<void>;
}

/** A fresh database for the caller alone, on the PostgreSQL of this test run: empty, or with a template. */
export async function testDatabase(template?: Template): Promise<TestDatabase> {
  const server = handedOver('TEST_POSTGRES_URL');
  const name = `test_${randomBytes(8).toString('hex')}`;
  const from = template ? ` template ${await templateDatabase(server, template)}` : '';
  await asSuperuser(server, `create database ${name}${from} strategy file_copy`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => drop(server, name),
  };
}

/** The same database by TCP, for tests of what is between. */
export function byTcp(databaseUrl: string): URL {
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  return url;
}

/** a role that all tests share, for services that do not work as the owner of their database */
const writer = 'sluice_test_writer';

/** The address of a test's database for a role that may do there only what it is given. */
export async function writerUrl(databaseUrl: string): Promise<string> {
  await asSuperuser(
    databaseUrl,
    `do $$ begin create role ${writer} login password '${writer}';
     exception when duplicate_object or unique_violation then null; end $$`,
  );
  const url = new URL(databaseUrl);
  url.username = writer;
  url.password = writer;
  return url.href;
}

const leavingLooks = 10;
const leavingMilliseconds = 20;

/** Whoever is just leaving may do so: a client that is told of its end after its pool has ended would end the test by that. */
async function drop(server: string, name: string): Promise<void> {
  for (let look = 0; look < leavingLooks; look++) {
    const users = await asSuperuser(server, `select from pg_stat_activity where datname = '${name}'`);
    if (users === 0) break;
    await pause(leavingMilliseconds);
  }
  await asSuperuser(server, `drop database if exists ${name} with (force)`);
}

/** @returns how many rows there were */
async function asSuperuser(server: string, statement: string): Promise<number> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return (await client.query(statement)).rows.length;
  } finally {
    await client.end();
  }
}

/** Does `work` while another connection holds the locks of a statement. */
export async function whileLocked<T>(url: string, statement: string, work: () => Promise<T>): Promise<T> {
  const locker = new pg.Client({ connectionString: url });
  await locker.connect();
  try {
    await locker.query(`BEGIN; ${statement}`);
    return await work();
  } finally {
    await locker.end();
  }
}
