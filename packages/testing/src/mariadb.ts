import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '@sluice/embedded';
import { optionalProgram } from './debian-server.ts';
import { testFolder } from './folder.ts';
import { answersOn, restartable, writeLocalhostPair } from './optional-servers.ts';

const program = {
  name: 'mariadb',
  packages: ['mariadb-server-core', 'mariadb-common'],
  path: 'usr/sbin/mariadbd',
};

/** A server of MariaDB with an empty database. */
export interface MariadbServer {
  port: number;
  database: string;
  /** one that may do anything */
  user: { username: string; password: string };
  /** PEM: the authority of its certificate, which is for localhost */
  ca: string;
  /** ends it as a power cut would */
  kill(): Promise<void>;
  /** starts it again with the same data */
  start(): Promise<void>;
}

const user = { username: 'ada', password: 'correct-horse-battery' };
const database = 'shop';

/** Starts MariaDB. Null, after one line that says so, where there is none (`TEST_MYSQL`). */
export async function startMariadb(): Promise<MariadbServer | null> {
  const command = await optionalProgram(program, 'TEST_MYSQL');
  if (command === null) return null;
  const [folder, port] = [await testFolder(), await freePort()];
  const ca = await writeLocalhostPair(folder);
  const files = await sharedFiles(command);
  if (!files) {
    console.warn(`Tests against MariaDB are left out: the files of ${command} were not found`);
    return null;
  }
  const { share, tables } = files;
  const common = [
    '--no-defaults',
    `--datadir=${folder}/data`,
    `--lc-messages-dir=${share}`,
    `--character-sets-dir=${share}/charsets`,
    ...(process.getuid?.() === 0 ? ['--user=root'] : []),
    '--innodb-buffer-pool-size=8M',
    '--innodb-log-file-size=8M',
  ];
  await mkdir(join(folder, 'data'), { mode: 0o700 });
  await makeData(command, common, tables);
  const mariadb = {
    name: 'MariaDB',
    command,
    args: [
      ...common,
      ...['--bind-address=127.0.0.1', `--port=${port}`, `--socket=${folder}/socket`],
      ...[`--pid-file=${folder}/pid`, '--skip-name-resolve', '--max-allowed-packet=2M'],
      ...[`--ssl-cert=${folder}/certificate.pem`, `--ssl-key=${folder}/key.pem`],
      ...[`--ssl-ca=${folder}/certificate.pem`],
    ],
    logFile: join(folder, 'mariadb.log'),
  };
  // it says its version as soon as a client has connected
  const server = await restartable(mariadb, () => answersOn(port, /./s));
  return { port, database, user, ca, ...server };
}

/** Its files, whose names are others from release 11 on: a fetched program has them beside it, an installed one where Debian puts them. */
async function sharedFiles(command: string): Promise<{ share: string; tables: string[] } | null> {
  for (const root of [dirname(command), '/'])
    for (const name of ['mariadb', 'mysql']) {
      const share = join(root, 'usr/share', name);
      const read = (part: string) => readFile(join(share, `${name}_system_tables${part}.sql`), 'utf8');
      const tables = await Promise.all(['', '_data'].map(read)).catch(() => null);
      if (tables) return { share, tables };
    }
  return null;
}

/** Makes the server's own tables, its user and the database. */
async function makeData(command: string, args: readonly string[], tables: readonly string[]): Promise<void> {
  const statements = [
    'CREATE DATABASE mysql;',
    'USE mysql;',
    ...tables,
    'FLUSH PRIVILEGES;',
    `CREATE DATABASE ${database};`,
    `CREATE USER '${user.username}'@'%' IDENTIFIED BY '${user.password}';`,
    `GRANT ALL ON *.* TO '${user.username}'@'%' WITH GRANT OPTION;`,
    '',
  ];
  const child = spawn(command, [...args, '--bootstrap', '--silent-startup'], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-2_000)));
  child.stdin.on('error', () => undefined);
  child.stdin.end(statements.join('\n'));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`MariaDB could not make its tables: ${said}`);
}
