import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { aDeployment, eventually } from '@sluice/testing';
import { secretBox, secretKeysSchema } from '@sluice/system/secrets';
import { supervisor } from '#test/region.ts';

const region = supervisor({ replicas: 1 });

test('logins of all times are sealed under a new key, and main-api gets its copies of them anew', async () => {
  const shape = aDeployment();
  await region.apply(shape);
  const former = region.environment['SECRETS_KEYS'] ?? '';
  const newest = `newest:${randomBytes(32).toString('base64')}`;
  const boxOf = (keys: string) => secretBox(secretKeysSchema.parse(keys));
  const count = 'SELECT count(*)::int AS count FROM deployments WHERE id = $1';
  await eventually(async () => expect(await region.sql(count, [shape.id])).toEqual([{ count: 1 }]));
  for (const name of ['user-a', 'user-b'])
    await region.sql(
      `INSERT INTO former_credentials (deployment_id, username, sealed_password, valid_to) VALUES ($1, $2, $3, now() + interval '1 day')`,
      [shape.id, name, await boxOf(former).seal(name)],
    );
  const revision = async () =>
    (
      await region.sql<{ at: string }>('SELECT access_revision AS at FROM deployments WHERE id = $1', [
        shape.id,
      ])
    )[0]?.at;
  const before = await revision();

  const program = fileURLToPath(new URL('./reseal.ts', import.meta.url));
  const env = { ...region.environment, SECRETS_KEYS: `${newest},${former}` };
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
  expect(stdout).toContain('former_credentials.sealed_password: 2 encrypted anew.\n');
  expect(stdout).toContain('deployments.sealed_password: 1 encrypted anew.\n');
  const sealed = await region.sql<{ username: string; sealed_password: string }>(
    'SELECT username, sealed_password FROM former_credentials WHERE deployment_id = $1',
    [shape.id],
  );
  for (const { username, sealed_password } of sealed)
    expect(await boxOf(newest).open(sealed_password)).toBe(username);
  expect(Number(await revision())).toBeGreaterThan(Number(before));
});
