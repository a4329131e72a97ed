import { createHash } from 'node:crypto';
import pg from 'pg';
import { handedOver } from './environment.ts';

/** What many databases of a run begin with. */
export interface Template {
  name: string;
  /** Makes it in a database that is empty. */
  make: (pool: pg.Pool) => Promise<unknown>;
}

const made = new Set<string>();

/** The name of the database with a template, which the first of a run who asks makes: a copy of it costs a third of making it. */
export async function templateDatabase(server: string, template: Template): Promise<string> {
  const name = `${prefixOf(handedOver('SLUICE_TEST_FOLDER'))}${template.name}`;
  if (!made.has(name)) await unlessMade(server, name, template.make);
  made.add(name);
  return name;
}

async function unlessMade(server: string, name: string, make: Template['make']): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    // of several workers one makes it; the lock goes with the connection
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rows } = await client.query('select from pg_database where datname = $1', [name]);
    if (rows.length > 0) return;
    const unfinished = `${name}_unfinished`;
    await client.query(`drop database if exists ${unfinished} with (force)`);
    await client.query(`create database ${unfinished} strategy file_copy`);
    const url = new URL(server);
    url.pathname = `/${unfinished}`;
    const pool = new pg.Pool({ connectionString: url.href });
    try {
      await make(pool);
    } finally {
      await pool.end();
    }
    await client.query(`alter database ${unfinished} rename to ${name}`);
  } finally {
    await client.end();
  }
}

/** Removes the templates of a run from a server that outlives it. @param folder the run's */
export async function dropTemplates(server: string, folder: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefixOf(folder)],
    );
    for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
  } finally {
    await client.end();
  }
}

/** A server may have templates of other runs, of other sources. */
const prefixOf = (folder: string) =>
  `template_${createHash('sha256').update(folder).digest('hex').slice(0, 12)}_`;
