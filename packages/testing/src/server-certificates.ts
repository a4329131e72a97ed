import { chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAuthority, issueCertificate, type KeyPair } from '@sluice/system/authority';
import pg from 'pg';
import type { OwnServer } from './own-servers.ts';

const day = 24 * 60 * 60_000;

export interface ServerCertificates {
  /** in files, since settings name files */
  ca: string;
  otherCa: string;
  valid: KeyPair;
  /** for another host */
  foreign: KeyPair;
  expired: KeyPair;
}

/** Certificates of a server at 127.0.0.1, with the files of their authority and of one that has issued none, in `folder`. */
export async function serverCertificates(folder: string): Promise<ServerCertificates> {
  const validity = { from: new Date(Date.now() - 10 * day), days: 30 };
  const here = { dns: ['localhost'], addresses: ['127.0.0.1'] };
  const [authority, other] = await Promise.all([
    createAuthority('Servers of tests', validity),
    createAuthority('Other servers', validity),
  ]);
  const [ca, otherCa] = [join(folder, 'ca.crt'), join(folder, 'other-ca.crt')];
  await Promise.all([writeFile(ca, authority.certificate), writeFile(otherCa, other.certificate)]);
  const [valid, foreign, expired] = await Promise.all([
    issueCertificate(authority, here, validity),
    // an address that is checked as if it were a name would take this one
    issueCertificate(authority, { dns: ['localhost', 'elsewhere.example'], addresses: [] }, validity),
    issueCertificate(authority, here, { from: validity.from, days: 5 }),
  ]);
  return { ca, otherCa, valid, foreign, expired };
}

/** Has a PostgreSQL server of the caller's own show this certificate from the next connection on; undefined: go without TLS. */
export async function showCertificate(server: OwnServer, pair: KeyPair | undefined): Promise<void> {
  const data = join(server.folder, 'data');
  const { uid, gid } = await stat(data);
  for (const [name, text] of [
    ['server.crt', pair?.certificate],
    ['server.key', pair?.private_key],
  ] as const) {
    const file = join(data, name);
    await writeFile(file, text ?? '', { mode: 0o600 });
    await chown(file, uid, gid);
  }
  const client = new pg.Client({ connectionString: server.url, ssl: false });
  await client.connect();
  try {
    await client.query(`ALTER SYSTEM SET ssl = ${pair ? 'on' : 'off'}`);
    await client.query('SELECT pg_reload_conf()');
    // the reload arrives a moment later
    const isDone = `SELECT current_setting('ssl') = '${pair ? 'on' : 'off'}' AS done`;
    while (!(await client.query<{ done: boolean }>(isDone)).rows[0]?.done);
  } finally {
    await client.end();
  }
}
