import { spawn } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  client,
  compiledCode,
  eventually,
  freePort,
  ownNats,
  ownPostgres,
  serverCertificates,
  showCertificate,
  testFolder,
  testKeys,
} from '@sluice/testing';

test('a start waits while PostgreSQL or NATS shows no certificate that it trusts, says why, and goes on once a file is right', async () => {
  const folder = await testFolder();
  const certificates = await serverCertificates(folder);
  const [cert_file, key_file] = [join(folder, 'nats.crt'), join(folder, 'nats.key')];
  await writeFile(cert_file, certificates.valid.certificate);
  await writeFile(key_file, certificates.valid.private_key, { mode: 0o644 });
  const [postgres, nats] = await Promise.all([
    ownPostgres(),
    ownNats(undefined, { tls: { cert_file, key_file, handshake_first: 'auto' } }),
  ]);
  await showCertificate(postgres, certificates.expired);
  const [natsCa, databaseCa] = [join(folder, 'nats-ca.crt'), join(folder, 'database-ca.crt')];
  const port = await freePort();
  const service = spawn(process.execPath, [fileURLToPath(new URL('main.ts', import.meta.url))], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...compiledCode(),
      DATABASE_URL: postgres.url,
      DATABASE_TLS_CA_FILE: databaseCa,
      NATS_URL: nats.url,
      NATS_TLS_CA_FILE: natsCa,
      SIGNING_KEYS: testKeys.signing.get('main-api') ?? '',
      TRUSTED_KEYS: testKeys.trusted,
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  service.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const said = (server: string, reason: RegExp) =>
    eventually(
      () => {
        const about = output.split('\n').filter((line) => line.includes(server));
        expect(about.join('\n')).toMatch(reason);
      },
      { timeoutMs: 20_000 },
    );
  try {
    await said('NATS cannot be reached', /nats-ca\.crt doesn't exist/);
    await copyFile(certificates.otherCa, natsCa);
    await said('NATS cannot be reached', /unable to verify|local issuer/);
    await copyFile(certificates.ca, natsCa);
    await said('PostgreSQL', /ENOENT: .*database-ca\.crt/);
    await copyFile(certificates.ca, databaseCa);
    await said('PostgreSQL', /certificate has expired/);
    await showCertificate(postgres, certificates.foreign);
    await said('PostgreSQL', /is not in the cert's list/);
    await showCertificate(postgres, certificates.valid);
    const listens = async () =>
      expect((await client(`http://127.0.0.1:${port}`).get('/healthz')).status).toBe(200);
    await eventually(listens, { timeoutMs: 25_000 });
  } finally {
    service.kill('SIGKILL');
    await Promise.all([postgres.remove(), nats.remove()]);
  }
}, 90_000);
