import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { secretBox, secretKeysSchema } from '@sluice/system/secrets';
import { auditService } from '#test/audit-service.ts';

const on = auditService({ replicas: 1 });

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [gone, former, newest] = [newKey('gone'), newKey('former'), newKey('newest')];
const boxOf = (...keys: string[]) => secretBox(secretKeysSchema.parse(keys.join(',')));

/** The command as an operator runs it, with these keys, the newest first. */
async function reseal(keys: string[]) {
  const program = fileURLToPath(new URL('./reseal.ts', import.meta.url));
  const environment = { ...on.environment, SECRETS_KEYS: keys.join(',') };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program], { env: environment });
    return { said: stdout, failed: '' };
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return { said: stdout, failed: stderr };
  }
}

const insert = (tenant: number, sealed: string) =>
  on.sql(
    `INSERT INTO sinks (tenant_id, kind, sealed_settings, destination, enabled, interval_seconds, position)
     VALUES ($1, 'https', $2, 'https://siem.example.com', false, 10, 0)`,
    [tenant, sealed],
  );
const sealedOf = async (tenant: number) =>
  (
    await on.sql<{ sealed: string }>('SELECT sealed_settings AS sealed FROM sinks WHERE tenant_id = $1', [
      tenant,
    ])
  )[0]?.sealed ?? '';

test('the settings of all sinks can be encrypted under a new key, so that the former one can go; who is left over is named', async () => {
  // more than are read at a time
  for (let tenant = 1; tenant <= 501; tenant++)
    await insert(tenant, await boxOf(former).seal(`of ${tenant}`));
  await insert(700, await boxOf(newest).seal('of 700'));
  const untouched = await sealedOf(700);
  expect(await reseal([newest, former])).toEqual({
    said: 'sinks.sealed_settings: 501 encrypted anew.\n',
    failed: '',
  });
  for (const tenant of [1, 500, 501, 700])
    expect(await boxOf(newest).open(await sealedOf(tenant))).toBe(`of ${tenant}`);
  expect(await sealedOf(700)).toBe(untouched);

  await insert(600, await boxOf(gone).seal('of 600'));
  await insert(601, 'nothing that was sealed');
  await on.sql('UPDATE sinks SET sealed_settings = $1 WHERE tenant_id = 700', [
    await boxOf(former).seal('of 700'),
  ]);
  const { said, failed } = await reseal([newest, former]);
  expect(said).toBe('sinks.sealed_settings: 1 encrypted anew.\n');
  expect(failed).toMatch(/No key opens sinks\.sealed_settings of 600, 601\.\n$/);
  expect(await boxOf(newest).open(await sealedOf(700))).toBe('of 700');
});
