import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { optionalProgram } from './debian-server.ts';
import { testFolder } from './folder.ts';
import { answersOn, distinctPorts, restartable, writeLocalhostPair } from './optional-servers.ts';

const program = { name: 'redis', packages: ['redis-server', 'redis-tools'], path: 'usr/bin/redis-server' };

/** A server of Redis. */
export interface RedisServer {
  port: number;
  tlsPort: number;
  /** PEM: the authority of its certificate, which is for localhost */
  ca: string;
  /** one that may do anything; without a login a connection may do so as well */
  user: { username: string; password: string };
  /** ends it as a power cut would */
  kill(): Promise<void>;
  /** starts it again with the data that it had: each command is on the disk when it is answered */
  start(): Promise<void>;
}

const user = { username: 'ada', password: 'correct-horse-battery' };

/** Starts Redis. Null, after one line that says so, where there is none (`TEST_REDIS`). */
export async function startRedis(): Promise<RedisServer | null> {
  const command = await optionalProgram(program, 'TEST_REDIS');
  if (command === null) return null;
  const folder = await testFolder();
  const [port = 0, tlsPort = 0] = await distinctPorts(2);
  const ca = await writeLocalhostPair(folder);
  const file = join(folder, 'redis.conf');
  await writeFile(
    file,
    `bind 127.0.0.1
port ${port}
tls-port ${tlsPort}
tls-cert-file ${join(folder, 'certificate.pem')}
tls-key-file ${join(folder, 'key.pem')}
tls-auth-clients no
dir ${folder}
save ""
appendonly yes
appendfsync always
user ${user.username} on >${user.password} ~* &* +@all
`,
    { mode: 0o600 },
  );
  const redis = { name: 'Redis', command, args: [file], logFile: join(folder, 'redis.log') };
  const server = await restartable(redis, () => answersOn(port, /^\+PONG/, 'PING\r\n'));
  return { port, tlsPort, ca, user, ...server };
}
