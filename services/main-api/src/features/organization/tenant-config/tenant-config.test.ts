import { fieldIssues, mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi({ replicas: 1 });
const region = on.region();
const a = on.tenants();

const open = {
  join_policy: 'open',
  block_external_invitations: false,
  enforce_domain_only_invitations: false,
};

/** Claims a domain for a tenant, as its founding does. */
async function withDomain(tenant: TestTenant): Promise<string> {
  const domain = `tenant-${tenant.id}.example`;
  await on.sql(
    "UPDATE tenants SET email_domain = $2, email_domain_verified_at = '2026-01-02' WHERE id = $1",
    [tenant.id, domain],
  );
  return domain;
}

test('a new tenant lets people in by invitation only, and has no domain', async () => {
  const acme = await a.tenant();
  const { body } = await acme.admin.get(`${acme.path}/config`);
  expect(body).toEqual({ ...open, join_policy: 'invite_only' });
});

test('a change is in force at once, with an event of what differs', async () => {
  const acme = await a.tenant();
  const email_domain = await withDomain(acme);
  const wanted = { ...open, block_external_invitations: true };
  const changed = await acme.admin.put(`${acme.path}/config`, wanted);
  expect(changed.status).toBe(204);
  expect((await acme.admin.get(`${acme.path}/config`)).body).toEqual({
    ...wanted,
    email_domain,
    email_domain_verified_at: '2026-01-02T00:00:00.000Z',
  });
  expect((await region.event('tenant_config_updated', changed.headers)).data).toEqual({
    changes: { join_policy: 'open', block_external_invitations: true },
    former: { join_policy: 'invite_only', block_external_invitations: false },
    tenant: 'Acme',
  });
});

test('values that are in force already publish no event', async () => {
  const acme = await a.tenant();
  const answers = [];
  for (const config of [open, open, { ...open, join_policy: 'request_to_join' }])
    answers.push(await acme.admin.put(`${acme.path}/config`, config));
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
  const last = answers.at(-1);
  if (last) await region.event('tenant_config_updated', last.headers);
  // events of a tenant come in order: the third is here, so the second would be
  expect(region.eventsOf('tenant_config_updated', { tenant_id: acme.id })).toHaveLength(2);
});

test.each(['block_external_invitations', 'enforce_domain_only_invitations'])(
  '%s needs a domain of the tenant',
  async (lock) => {
    const acme = await a.tenant();
    const wanted = { ...open, [lock]: true };
    expect(refusal(await acme.admin.put(`${acme.path}/config`, wanted))).toBe(
      '400 tenant_has_no_email_domain',
    );
    expect((await acme.admin.get(`${acme.path}/config`)).body).toMatchObject({ join_policy: 'invite_only' });
    await withDomain(acme);
    expect((await acme.admin.put(`${acme.path}/config`, wanted)).status).toBe(204);
  },
);

test.each([
  [{ join_policy: 'open', block_external_invitations: false }, 'required'],
  [{ ...open, enforce_domain_only_invitations: null }, 'wrong_type'],
  [{ ...open, join_policy: 'all' }, 'not_allowed'],
  [{ ...open, email_domain: 'example.com' }, 'unknown_field'],
])('%j is refused', async (body, code) => {
  const acme = await a.tenant();
  const answer = await acme.admin.put(`${acme.path}/config`, body);
  expect(fieldIssues(answer).join()).toContain(code);
});

test('reading needs settings:read, changing settings:manage', async () => {
  const acme = await a.tenant();
  const reader = await acme.with({ tenant: ['settings:read'] });
  const stranger = await acme.with({ tenant: ['info:manage'] });
  expect((await reader.get(`${acme.path}/config`)).status).toBe(200);
  expect(refusal(await reader.put(`${acme.path}/config`, open))).toBe('403 forbidden');
  expect(refusal(await stranger.get(`${acme.path}/config`))).toBe('403 forbidden');
});
