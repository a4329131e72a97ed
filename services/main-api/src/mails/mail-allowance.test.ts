import { randomUUID } from 'node:crypto';
import { client, type Answer } from '@sluice/testing';
import { mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi({ environment: { MAILS_PER_ADDRESS: '3', MAILS_PER_TENANT: '6' } });
const second = on.replica(1);
const a = on.tenants();

/** Lets time go by for all allowances. */
const age = (seconds: number) =>
  on.sql('UPDATE mail_allowances SET whole_at = whole_at - make_interval(secs => $1)', [seconds]);
const someone = () => `${randomUUID()}@example.com`;
const invite = (tenant: TestTenant, email: string, { url }: { url: string } = on.replica()) =>
  client(url, tenant.key).post(`${tenant.path}/invitations`, { email });
const takeBack = async (tenant: TestTenant, id: unknown) =>
  expect((await tenant.admin.delete(`${tenant.path}/invitations/${Number(id)}`)).status).toBe(204);
const requestCode = (tenant: TestTenant, division: number) =>
  tenant.admin.put(`${tenant.path}/request_code`, {
    action: { action_type: 'delete_division', payload: { tenant_id: tenant.id, division_id: division } },
  });

test('an address is mailed to three times a day, however often an invitation is taken back', async () => {
  const tenant = await a.tenant();
  const email = someone();
  for (const spelled of [email, email.toUpperCase(), email]) {
    const { status, body } = await invite(tenant, spelled);
    expect(status).toBe(201);
    await takeBack(tenant, body['id']);
  }
  const refused = await invite(tenant, email);
  expect(refusal(refused)).toBe('429 too_many_mails');
  // the next part of the day is a third of it
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(7.9 * 60 * 60);
  expect(wait).toBeLessThanOrEqual(8 * 60 * 60);
  // nothing is left of what was refused, and another address is another matter
  expect((await tenant.admin.get(`${tenant.path}/invitations`)).body['total_results']).toBe(0);
  expect((await invite(tenant, someone())).status).toBe(201);

  await age(wait - 60);
  expect((await invite(tenant, email)).status).toBe(429);
  await age(61);
  expect((await invite(tenant, email)).status).toBe(201);
});

test('addresses that lead to one mailbox are counted as one', async () => {
  const tenant = await a.tenant();
  const name = randomUUID();
  const dotted = `${name.slice(0, 4)}.${name.slice(4)}`;
  for (const email of [`${name}@gmail.com`, `${name}+a@GMail.com`, `${dotted}@googlemail.com`])
    expect((await invite(tenant, email)).status).toBe(201);
  expect(refusal(await invite(tenant, `${name}+b@gmail.com`))).toBe('429 too_many_mails');
  // it is mailed to as it was written
  const { body } = await tenant.admin.get(`${tenant.path}/invitations`);
  expect(JSON.stringify(body['items'])).toContain(`${name}+a@GMail.com`);
});

test('nor does another tenant reset it', async () => {
  const email = someone();
  for (let i = 0; i < 3; i++) expect((await invite(await a.tenant(), email)).status).toBe(201);
  expect(refusal(await invite(await a.tenant(), email))).toBe('429 too_many_mails');
});

test('a tenant sends six in a day, of which two replicas at once give no more', async () => {
  const tenant = await a.tenant();
  const answered = async (replica: { url: string }): Promise<Answer> => {
    const answer = await invite(tenant, someone(), replica);
    // a busy database has changed nothing
    return answer.status === 503 ? await answered(replica) : answer;
  };
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => answered(i % 2 === 0 ? second : on.replica())),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(6);
  expect(answers.filter(({ body }) => body['code'] === 'too_many_mails')).toHaveLength(6);
  // its codes are mails as well
  expect(refusal(await requestCode(tenant, tenant.division))).toBe('429 too_many_mails');
});

test('codes for deletions count for the address that they go to', async () => {
  const tenant = await a.tenant();
  const divisions = [tenant.division];
  for (const name of ['b', 'c', 'd']) {
    const { body } = await tenant.admin.post(`${tenant.path}/divisions`, { name });
    divisions.push(Number(body['id']) as typeof tenant.division);
  }
  const answers = [];
  for (const division of divisions) answers.push(await requestCode(tenant, division));
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 429]);
});
