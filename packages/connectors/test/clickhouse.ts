import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, testFolder } from '@sluice/testing';
import { startProgram } from './program.ts';

export interface TestClickhouse {
  url: string;
  password: string;
  query(statement: string): Promise<unknown[]>;
  remove(): Promise<void>;
}

/** ClickHouse, with nothing in it. Null, after a line that says so, where `clickhouse-server` is not installed. */
export async function startClickhouse(): Promise<TestClickhouse | null> {
  const [folder, port, password] = [await testFolder(), await freePort(), 's3cret-of-ada'];
  await Promise.all(['data', 'tmp'].map((name) => mkdir(join(folder, name))));
  const config = join(folder, 'config.xml');
  await writeFile(config, configOf(folder, port));
  await writeFile(join(folder, 'users.xml'), usersOf(password));
  const url = `http://127.0.0.1:${port}`;
  const query = async (statement: string) => {
    const authorization = `Basic ${Buffer.from(`default:${password}`).toString('base64')}`;
    const answer = await fetch(url, { method: 'POST', headers: { authorization }, body: statement });
    const body = await answer.text();
    if (!answer.ok) throw new Error(body);
    const lines = body.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as unknown);
  };
  const remove = await startProgram('clickhouse-server', [`--config-file=${config}`], () => fetch(url));
  return remove && { ...{ url, password, query, remove } };
}

const configOf = (folder: string, port: number) => `<yandex>
  <logger><level>warning</level><console>1</console></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${port}</http_port>
  <path>${folder}/data/</path>
  <tmp_path>${folder}/tmp/</tmp_path>
  <mark_cache_size>5000000</mark_cache_size>
  <users_config>users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
</yandex>`;

const usersOf = (password: string) => `<yandex>
  <profiles><default /></profiles>
  <quotas><default /></quotas>
  <users>
    <default>
      <password>${password}</password>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
    </default>
  </users>
</yandex>`;
