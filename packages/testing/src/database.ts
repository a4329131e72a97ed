import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { handedOver } from './environment.ts';

export interface TestDatabase {
  url: string;
  /** removes it, disconnecting whoever is still in it */
  drop(): Promise<void>;
}

/** A fresh, empty database for the caller alone, on the PostgreSQL of this test run. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = handedOver('TEST_POSTGRES_URL');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asSuperuser(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => asSuperuser(server, `drop database if exists ${name} with (force)`),
  };
}

async function asSuperuser(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
