import { keyGrantKey, tokenHash } from '@sluice/contracts';
import { client, eventually, makeSigningKeys, putGrant, testKeys, aGrant } from '@sluice/testing';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { mainApi } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi();
const a = on.tenants();

interface StoredGrant extends Record<string, unknown> {
  settled: boolean;
  content: object | null;
}

const stored = async (tenant: TestTenant, token: string): Promise<StoredGrant | undefined> => {
  const rows = await on.sql(
    'SELECT content, settled_version IS NOT DISTINCT FROM version AS settled FROM grants WHERE key = $1',
    [keyGrantKey(tenant.id, tokenHash(token))],
  );
  return rows[0] as StoredGrant | undefined;
};

const stream = () => `KV_${on.topology.buckets.grants}`;
const subjectOf = (key: string) => `$KV.${on.topology.buckets.grants}.${key}`;

async function standing(key: string) {
  return await (
    await jetstreamManager(on.nats)
  ).streams.getMessage(stream(), { last_by_subj: subjectOf(key) });
}

const status = async (tenant: TestTenant, token: string, replica = 0) =>
  (await client(on.replica(replica).url, token).get(tenant.path)).status;

test('a grant that was changed in NATS alone is set right, as is one that has no row', async () => {
  const tenant = await a.tenant();
  const key = keyGrantKey(tenant.id, tokenHash(tenant.key));
  const forged = keyGrantKey(tenant.id, tokenHash('forged'));
  const before = await standing(key);
  await jetstream(on.nats).publish(subjectOf(key), 'nonsense');
  await putGrant(on, forged, aGrant({ tenant_id: tenant.id }));
  // a replica that starts compares, and so do all from time to time
  await on.sql('UPDATE grant_bucket SET complete = false, epoch = epoch + 1');
  await eventually(
    async () => {
      expect((await standing(key))?.string()).not.toBe('nonsense');
      expect((await standing(forged))?.header.get('KV-Operation')).toBe('DEL');
      for (const replica of [0, 1]) expect(await status(tenant, tenant.key, replica)).toBe(200);
    },
    { timeoutMs: 20_000 },
  );
  expect(before).not.toBeNull();
});

test('what a killed replica has stored and not published is published by others', async () => {
  const tenant = await a.tenant();
  await on.sql(
    `UPDATE grants SET content = NULL, version = nextval('grant_versions'), changed_at = now() - interval '1 minute'
     WHERE key = $1`,
    [keyGrantKey(tenant.id, tokenHash(tenant.key))],
  );
  for (const replica of [0, 1])
    await eventually(async () => expect(await status(tenant, tenant.key, replica)).toBe(401), {
      timeoutMs: 15_000,
    });
  await eventually(async () => expect(await stored(tenant, tenant.key)).toMatchObject({ settled: true }));
});

test('an older state of a grant never follows a newer one', async () => {
  const tenant = await a.tenant();
  const key = keyGrantKey(tenant.id, tokenHash(tenant.key));
  const former = await standing(key);
  await eventually(async () => expect(await stored(tenant, tenant.key)).toMatchObject({ settled: true }));
  // as of a replica that was frozen before it published what it had read
  await expect(
    jetstream(on.nats).publish(subjectOf(key), 'older', {
      expect: { lastSubjectSequence: (former?.seq ?? 0) - 1 },
    }),
  ).rejects.toMatchObject({ code: 10_071 });
});

test('a deletion that is repeated waits for the removal like the first', async () => {
  const tenant = await a.tenant();
  const made = await tenant.admin.post<{ id: number; token: string }>(`${tenant.path}/api_keys`, {
    name: 'short-lived',
    permissions: { tenant: ['info:read'] },
    expiry_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const { id, token } = made.body;
  expect((await tenant.admin.delete(`${tenant.path}/api_keys/${id}`)).status).toBe(204);
  // as when the first was answered with 503: stored, and not known to be in force
  await on.sql('UPDATE grants SET settled_version = NULL, changed_at = now() WHERE key = $1', [
    keyGrantKey(tenant.id, tokenHash(token)),
  ]);
  expect((await tenant.admin.delete(`${tenant.path}/api_keys/${id}`)).status).toBe(404);
  expect(await stored(tenant, token)).toMatchObject({ settled: true, content: null });
});

test('grants that have long expired are taken away', async () => {
  const tenant = await a.tenant();
  const key = keyGrantKey(tenant.id, tokenHash('expired'));
  const content = aGrant({
    tenant_id: tenant.id,
    expires_at: new Date(Date.now() - 86_400_000).toISOString(),
  });
  await on.sql("INSERT INTO grants (key, content, expires_at) VALUES ($1, $2, now() - interval '1 day')", [
    key,
    JSON.stringify(content),
  ]);
  await on.start();
  await eventually(
    async () =>
      expect(await on.sql('SELECT content FROM grants WHERE key = $1', [key])).toEqual([{ content: null }]),
    { timeoutMs: 15_000 },
  );
});

test('with another signing key all grants are signed again', async () => {
  const tenant = await a.tenant();
  const key = keyGrantKey(tenant.id, tokenHash(tenant.key));
  const signedBy = async () => {
    const head = (await standing(key))?.string().split('.')[0] ?? '';
    return (JSON.parse(Buffer.from(head, 'base64url').toString() || '{}') as { kid?: string }).kid;
  };
  expect(await signedBy()).toBe('main-api:test');
  const next = makeSigningKeys(['main-api']).signing.get('main-api') ?? '';
  const signing = next.replace('main-api:test', 'main-api:next');
  const [known, added] = [testKeys.trusted, signing].map(
    (set) => (JSON.parse(set) as { keys: object[] }).keys,
  );
  const trusted = JSON.stringify({ keys: [...(known ?? []), ...(added ?? [])] });
  await on.stopAll();
  const rotated = await on.start({ SIGNING_KEYS: signing, TRUSTED_KEYS: trusted });
  await eventually(async () => expect(await signedBy()).toBe('main-api:next'), { timeoutMs: 15_000 });
  await eventually(async () =>
    expect((await client(rotated.url, tenant.key).get(tenant.path)).status).toBe(200),
  );
});
