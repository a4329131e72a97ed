import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, freePort, testFolder } from '@sluice/testing';
import { startProgram } from './program.ts';

export interface TestInfluxdb {
  url: string;
  password: string;
  query(statement: string): Promise<Row[]>;
  remove(): Promise<void>;
}

type Row = Record<string, unknown>;
interface Result {
  results?: { series?: { tags?: Row; columns: string[]; values: unknown[][] }[] }[];
  error?: string;
}

/** InfluxDB 1, with the database `shop`. Null, after a line that says so, where `influxd` is not installed. */
export async function startInfluxdb(): Promise<TestInfluxdb | null> {
  const [folder, port, password] = [await testFolder(), await freePort(), 's3cret-of-ada'];
  const file = join(folder, 'influxdb.conf');
  await writeFile(file, configOf(folder, port, await freePort()));
  const url = `http://127.0.0.1:${port}`;
  const authorization = `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`;
  const query = async (q: string): Promise<Row[]> => {
    const body = new URLSearchParams({ q, db: 'shop', epoch: 'ns' });
    const answer = await fetch(`${url}/query`, { method: 'POST', headers: { authorization }, body });
    const { results, error } = (await answer.json()) as Result;
    if (error !== undefined) throw new Error(error);
    return (results?.[0]?.series ?? []).flatMap(({ tags, columns, values }) =>
      values.map((row) => ({ ...tags, ...Object.fromEntries(columns.map((name, at) => [name, row[at]])) })),
    );
  };
  const remove = await startProgram('influxd', ['-config', file], () => fetch(`${url}/ping`));
  if (!remove) return null;
  await eventually(() => query(`CREATE USER ada WITH PASSWORD '${password}' WITH ALL PRIVILEGES`));
  await query('CREATE DATABASE shop');
  return { ...{ url, password, query, remove } };
}

const configOf = (folder: string, port: number, ownPort: number) => `
reporting-disabled = true
bind-address = "127.0.0.1:${ownPort}"
[meta]
dir = "${folder}/meta"
[data]
dir = "${folder}/data"
wal-dir = "${folder}/wal"
[http]
bind-address = "127.0.0.1:${port}"
auth-enabled = true
[monitor]
store-enabled = false
`;
