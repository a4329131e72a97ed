import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { type Answer, client, type Client, eventually, freePort, say } from '@sluice/testing';
import { type MainApi, fieldIssues, mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

/** what the replicas take the time to be: it stands still */
let instant = Date.now();
const clock = () => new Date(instant);
const later = (seconds: number) => (instant += seconds * 1000);

const on = mainApi({ clock });
const [replica, second] = [on.replica(0), on.replica(1)];
const region = on.region();
const mails = on.mails();
const a = on.tenants();
beforeEach(() => {
  instant = Date.now();
});

interface Acme extends TestTenant {
  email: string;
  /** asks for a code */
  ask(action: string, payload: object, from?: Client): Promise<Answer>;
  /** asks for a code for its first division, and reads it in the mail */
  divisionCode(count?: number): Promise<string>;
  divisionPath: string;
}

/** A tenant with a mailbox of its own and a protected division. */
async function acme(): Promise<Acme> {
  const tenant = await a.tenant();
  const email = `${randomUUID()}@example.com`;
  const divisionPath = `${tenant.path}/divisions/${tenant.division}`;
  expect((await tenant.admin.put(tenant.path, { email })).status).toBe(204);
  expect((await tenant.admin.put(divisionPath, { protected: true })).status).toBe(204);
  const ask: Acme['ask'] = (action_type, payload, from = tenant.admin) =>
    from.put(`${tenant.path}/request_code`, {
      action: { action_type, payload: { tenant_id: tenant.id, ...payload } },
    });
  return {
    ...tenant,
    email,
    divisionPath,
    ask,
    async divisionCode(count = 1) {
      expect((await ask('delete_division', { division_id: tenant.division })).status).toBe(204);
      return await mails.code(email, count);
    },
  };
}

/** A replica of its own process, with all that it logs. */
async function startLogged({ environment }: MainApi) {
  const program = fileURLToPath(new URL('../../../main.ts', import.meta.url));
  const port = await freePort();
  const child = spawn(process.execPath, [program], {
    env: { ...environment, PORT: String(port), LOG_LEVEL: 'debug' },
  });
  let lines = '';
  for (const output of [child.stdout, child.stderr])
    output.on('data', (chunk: Buffer) => (lines += chunk.toString()));
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), {
    timeoutMs: 20_000,
  });
  return {
    url,
    async end(): Promise<string> {
      child.kill('SIGTERM');
      await once(child, 'close');
      return lines;
    },
  };
}

const wrong = (code: string) => String((Number(code) + 1) % 100_000_000).padStart(8, '0');
const invalid = [400, 'protection_code_invalid'];
const locked = [429, 'protection_locked'];

async function guess(tenant: Acme, code: string, times: number, url = replica.url): Promise<unknown[]> {
  const answers = [];
  for (let i = 0; i < times; i++)
    answers.push(refusal(await client(url, tenant.key).delete(`${tenant.divisionPath}?code=${code}`)));
  return answers;
}

describe('a code', () => {
  test("is mailed to the tenant's address, sealed, and lets the resource be deleted", async () => {
    const tenant = await acme();
    const asked = await tenant.ask('delete_division', { division_id: tenant.division });
    expect(asked.status).toBe(204);
    const code = await mails.code(tenant.email);
    expect(code).toMatch(/^\d{8}$/);
    expect((await mails.to(tenant.email))[0]).toMatchObject({
      template: 'protection_code',
      content: { tenant: 'Acme', kind: 'division', name: 'default', valid_minutes: 10 },
    });
    expect(await region.event('protection_code_requested', asked.headers)).toMatchObject({
      division: { id: tenant.division, name: 'default' },
      author: { id: tenant.owner.id },
      data: { action: 'delete_division' },
    });
    expect((await tenant.admin.delete(`${tenant.divisionPath}?code=${code}`)).status).toBe(204);
    expect((await tenant.admin.get(tenant.divisionPath)).status).toBe(404);
  });

  test('is needed for every kind of protected resource', async () => {
    const tenant = await acme();
    const division_id = tenant.division;
    const environment = await tenant.admin.post(`${tenant.divisionPath}/environments`, {
      name: 'production',
    });
    const environment_id = Number(environment.body['id']);
    const environmentPath = `${tenant.divisionPath}/environments/${environment_id}`;
    const deployment = await tenant.admin.post(`${environmentPath}/deployments/managed`, {
      name: 'first',
      ...{ cloud: 'cloud_a', region: 'us-east-1', tier: 'small', cluster: 'standalone', protected: true },
    });
    const deployment_id = Number(deployment.body['id']);
    await tenant.admin.put(environmentPath, { protected: true });
    await tenant.admin.put(tenant.path, { protected: true });

    const path = `${environmentPath}/deployments/${deployment_id}`;
    const deletions: [string, object, string, number][] = [
      ['delete_deployment', { division_id, environment_id, deployment_id }, path, 202],
      ['delete_environment', { division_id, environment_id }, environmentPath, 204],
      ['delete_division', { division_id }, tenant.divisionPath, 204],
      ['delete_tenant', {}, tenant.path, 204],
    ];
    for (const [position, [action, payload, at, status]] of deletions.entries()) {
      expect(refusal(await tenant.admin.delete(at))).toEqual([400, 'protection_code_required']);
      expect((await tenant.ask(action, payload)).status).toBe(204);
      const code = await mails.code(tenant.email, position + 1);
      expect(refusal(await tenant.admin.delete(`${at}?code=${wrong(code)}`))).toEqual(invalid);
      expect((await tenant.admin.delete(`${at}?code=${code}`)).status).toBe(status);
      await region.removed(deployment_id);
      await region.reportsTaken();
    }
  });

  test('whose mail cannot be delivered is no riddle: refusals say so, until there is another', async () => {
    const tenant = await acme();
    const reason = 'SMTP 550 5.1.1 no such mailbox (RCPT TO)';
    const undeliverable = async (mail_id: string) => {
      const data = { mail_id, template: 'protection_code', to: tenant.email, reason };
      const head = { id: randomUUID(), type: 'mail_undeliverable', correlation_id: null };
      await say(on, 'notifier', on.topology.subjects.report('notifier', 'mail_undeliverable'), {
        ...{ ...head, occurred_at: new Date().toISOString() },
        data: { ...data, about: { tenant_id: tenant.id } },
      });
      await region.reportsTaken();
    };
    const ask = () => tenant.ask('delete_division', { division_id: tenant.division });
    const refusals = async () => [await tenant.admin.delete(tenant.divisionPath), await ask()];
    const told = (answers: Answer[]) => answers.map(({ body }) => [body['code'], body['mail_failure']]);
    const untold = [
      ['protection_code_required', undefined],
      ['protection_code_throttled', undefined],
    ];

    expect((await ask()).status).toBe(204);
    const [first] = await on.sql<{ mail_id: string }>(
      'SELECT mail_id FROM protection_codes WHERE tenant_id = $1',
      [tenant.id],
    );
    await undeliverable(randomUUID());
    expect(told(await refusals())).toEqual(untold);
    await undeliverable(first?.mail_id ?? '');
    const answers = await refusals();
    expect(told(answers)).toEqual(untold.map(([code]) => [code, reason]));
    for (const { body } of answers) expect(body['detail']).toContain(reason);
    later(60);
    expect((await ask()).status).toBe(204);
    expect(told(await refusals())).toEqual(untold);
    // the failure of a mail that another one has replaced is no news
    await undeliverable(first?.mail_id ?? '');
    expect(told(await refusals())).toEqual(untold);
  });

  test('is void once there is a newer one', async () => {
    const tenant = await acme();
    const older = await tenant.divisionCode();
    later(60);
    const newer = await tenant.divisionCode(2);
    expect(newer).not.toBe(older);
    expect(await guess(tenant, older, 1)).toEqual([invalid]);
    expect((await tenant.admin.delete(`${tenant.divisionPath}?code=${newer}`)).status).toBe(204);
  });

  test.each([
    [599.999, 204],
    [600, 400],
  ])('that is %d seconds old answers %i', async (age, status) => {
    const tenant = await acme();
    const code = await tenant.divisionCode();
    later(age);
    expect((await tenant.admin.delete(`${tenant.divisionPath}?code=${code}`)).status).toBe(status);
  });

  test('lets one of two deletions at once happen, on two replicas', async () => {
    const tenant = await acme();
    const code = await tenant.divisionCode();
    const answers = await a.atOnce(
      tenant.id,
      [replica, second].map(
        ({ url }) =>
          () =>
            client(url, tenant.key).delete(`${tenant.divisionPath}?code=${code}`),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
  });

  test('is of no use for another resource, and is not used up by a deletion that is refused', async () => {
    const tenant = await acme();
    const code = await tenant.divisionCode();
    const created = await tenant.admin.post(`${tenant.path}/divisions`, { name: 'other' });
    const otherPath = `${tenant.path}/divisions/${Number(created.body['id'])}`;
    await tenant.admin.put(otherPath, { protected: true });
    await tenant.admin.put(tenant.path, { protected: true });
    expect(refusal(await tenant.admin.delete(`${otherPath}?code=${code}`))).toEqual(invalid);
    expect(refusal(await tenant.admin.delete(`${tenant.path}?code=${code}`))).toEqual(invalid);

    const starter = await tenant.admin.post(`${tenant.divisionPath}/deployments/starter`, {
      cloud: 'cloud_a',
      region: 'us-east-1',
    });
    const withCode = `${tenant.divisionPath}?code=${code}`;
    expect(refusal(await tenant.admin.delete(withCode))).toEqual([409, 'has_deployments']);
    await region.removed(Number(starter.body['id']));
    await region.reportsTaken();
    expect((await tenant.admin.delete(withCode)).status).toBe(204);
  });

  test('can be asked for before the resource is protected', async () => {
    const tenant = await acme();
    await tenant.admin.put(tenant.divisionPath, { protected: false });
    const code = await tenant.divisionCode();
    await tenant.admin.put(tenant.divisionPath, { protected: true });
    expect((await tenant.admin.delete(`${tenant.divisionPath}?code=${code}`)).status).toBe(204);
  });
});

describe('asking for a code', () => {
  test('is refused within 60 seconds for the same resource, even when two replicas are asked at once', async () => {
    const tenant = await acme();
    const body = {
      action: {
        action_type: 'delete_division',
        payload: { tenant_id: tenant.id, division_id: tenant.division },
      },
    };
    const answers = await a.atOnce(
      tenant.id,
      [replica, second].map(
        ({ url }) =>
          () =>
            client(url, tenant.key).put(`${tenant.path}/request_code`, body),
      ),
    );
    expect(answers.map(refusal).sort()).toEqual([
      [204, undefined],
      [429, 'protection_code_throttled'],
    ]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toBe('60');
    expect((await tenant.ask('delete_tenant', {})).status).toBe(204);
    later(59.999);
    const almost = await tenant.ask('delete_division', { division_id: tenant.division });
    expect([almost.status, almost.headers.get('retry-after')]).toEqual([429, '1']);
    later(0.001);
    expect((await tenant.ask('delete_division', { division_id: tenant.division })).status).toBe(204);
  });

  test('needs what the deletion itself needs', async () => {
    const tenant = await acme();
    const division_id = tenant.division;
    const environment = await tenant.admin.post(`${tenant.divisionPath}/environments`, {
      name: 'production',
    });
    const environment_id = Number(environment.body['id']);
    const allowed = async (
      permissions: Parameters<TestTenant['member']>[0],
      action: string,
      payload: object,
    ) => {
      const member = await tenant.member(permissions);
      return refusal(await tenant.ask(action, payload, member));
    };
    const forbidden = [403, 'forbidden'];
    const info = ['info:read'];
    expect(await allowed({ tenant: [...info, 'division:read'] }, 'delete_division', { division_id })).toEqual(
      forbidden,
    );
    expect(await allowed({ tenant: info }, 'delete_environment', { division_id, environment_id })).toEqual(
      forbidden,
    );
    const deployment = { division_id, environment_id, deployment_id: 1 };
    expect(await allowed({ tenant: info }, 'delete_deployment', deployment)).toEqual(forbidden);
    const everything = { tenant: ['info:manage', 'division:manage'], division: ['environment:manage'] };
    expect(await allowed(everything, 'delete_tenant', {})).toEqual([403, 'owner_only']);
    const there = [204, undefined];
    const inDivision = await tenant.with({ division: ['environment:manage'] }, tenant.division);
    expect(
      refusal(await tenant.ask('delete_environment', { division_id, environment_id }, inDivision)),
    ).toEqual(there);
    later(60);
    expect(await allowed(everything, 'delete_division', { division_id })).toEqual(there);
    expect(await allowed(everything, 'delete_environment', { division_id, environment_id })).toEqual(there);
  });

  test('takes exactly the ids of its action', async () => {
    const tenant = await acme();
    const division_id = tenant.division;
    const issues = async (action: string, payload: object) => fieldIssues(await tenant.ask(action, payload));
    const at = (id: string, code: string) => [`/body/action/payload/${id} ${code}`];
    expect(await issues('delete_tenant', { division_id })).toEqual(at('division_id', 'not_accepted'));
    expect(await issues('delete_division', {})).toEqual(at('division_id', 'required'));
    expect(await issues('delete_environment', { division_id })).toEqual(at('environment_id', 'required'));
    expect(await issues('delete_deployment', { division_id, deployment_id: 1 })).toEqual(
      at('environment_id', 'required'),
    );
    expect(await issues('delete_tenant', { colour: 1 })).toEqual(at('colour', 'unknown_field'));
    expect(await issues('delete_tenant', { tenant_id: 'x' })).toEqual(at('tenant_id', 'wrong_type'));
    expect(await issues('delete_everything', {})).toEqual(['/body/action/action_type not_allowed']);
  });

  test('finds nothing where the ids do not belong together', async () => {
    const [tenant, other] = [await acme(), await acme()];
    const division_id = tenant.division;
    const environment = await other.admin.post(`${other.divisionPath}/environments`, { name: 'production' });
    const environment_id = Number(environment.body['id']);
    const issues = async (action: string, payload: object) => {
      const answer = await tenant.ask(action, payload);
      return [answer.status, ...fieldIssues(answer)];
    };
    const unknown = (id: string) => [400, `/body/action/payload/${id} unknown`];
    expect(await issues('delete_tenant', { tenant_id: other.id })).toEqual(unknown('tenant_id'));
    expect(await issues('delete_division', { division_id: other.division })).toEqual(unknown('division_id'));
    for (const id of [environment_id, 9007199254740991])
      expect(await issues('delete_environment', { division_id, environment_id: id })).toEqual(
        unknown('environment_id'),
      );
    expect(await mails.to(tenant.email)).toEqual([]);
  });
});

describe('what something protected is in', () => {
  const refused = (contains: object) => [409, 'contains_protected', contains];
  const refusalOf = (answer: Answer) => [...refusal(answer), answer.body['contains']];

  test('is not deleted, by the owner neither, until the protection in it is lowered', async () => {
    const tenant = await a.tenant();
    const division = `${tenant.path}/divisions/${tenant.division}`;
    const made = await tenant.admin.post(`${division}/environments`, { name: 'production' });
    const id = Number(made.body['id']);
    await tenant.admin.put(`${division}/environments/${id}`, { protected: true });
    for (const path of [division, tenant.path])
      expect(refusalOf(await tenant.admin.delete(path))).toEqual(
        refused({ kind: 'environment', id, name: 'production' }),
      );
    await tenant.admin.put(division, { protected: true });
    expect(refusalOf(await tenant.admin.delete(tenant.path))).toEqual(
      refused({ kind: 'division', id: tenant.division, name: 'default' }),
    );
    for (const path of [division, `${division}/environments/${id}`])
      await tenant.admin.put(path, { protected: false });
    for (const path of [division, tenant.path]) expect((await tenant.admin.delete(path)).status).toBe(204);
  });

  test('says of a deployment what it is, and no name that the caller may not see', async () => {
    const tenant = await a.tenant();
    const division = `${tenant.path}/divisions/${tenant.division}`;
    const place = { cloud: 'cloud_a', region: 'us-east-1' };
    const starter = await tenant.admin.post(`${division}/deployments/starter`, place);
    const id = Number(starter.body['id']);
    await a.sql('UPDATE deployments SET protected = true WHERE id = $1', [id]);
    const contains = { kind: 'deployment', id, name: starter.body['name'] };
    const environment = String(starter.headers.get('location')).replace(/\/deployments.*/, '');
    for (const path of [environment, division, tenant.path])
      expect(refusalOf(await tenant.admin.delete(path))).toEqual(refused(contains));
    const blind = await tenant.with({ tenant: ['division:manage'] });
    expect(refusalOf(await blind.delete(division))).toEqual(refused({ kind: 'deployment', id }));
    await a.sql('UPDATE deployments SET protected = false WHERE id = $1', [id]);
    expect(refusal(await tenant.admin.delete(division))).toEqual([409, 'has_deployments']);
  });

  test('keeps its own code good when it is refused', async () => {
    const tenant = await acme();
    const made = await tenant.admin.post(`${tenant.divisionPath}/environments`, { name: 'production' });
    const environment = `${tenant.divisionPath}/environments/${String(made.body['id'])}`;
    await tenant.admin.put(environment, { protected: true });
    const code = await tenant.divisionCode();
    expect(refusal(await tenant.admin.delete(`${tenant.divisionPath}?code=${code}`))).toEqual([
      409,
      'contains_protected',
    ]);
    await tenant.admin.put(environment, { protected: false });
    expect((await tenant.admin.delete(`${tenant.divisionPath}?code=${code}`)).status).toBe(204);
  });
});

describe('five wrong codes', () => {
  test('lock the deletion for ten minutes, also for the right one, whichever replica they came to', async () => {
    const tenant = await acme();
    const code = await tenant.divisionCode();
    const guesses = [
      ...(await guess(tenant, wrong(code), 3)),
      ...(await guess(tenant, 'nonsense', 2, second.url)),
    ];
    expect(guesses).toEqual(Array(5).fill(invalid));
    const refused = await tenant.admin.delete(`${tenant.divisionPath}?code=${code}`);
    expect(refusal(refused)).toEqual(locked);
    expect(refused.headers.get('retry-after')).toBe('600');
    later(599.999);
    expect(await guess(tenant, code, 1)).toEqual([locked]);
    expect(refusal(await tenant.ask('delete_division', { division_id: tenant.division }))).toEqual(locked);
    later(0.001);
    const next = await tenant.divisionCode(2);
    expect((await tenant.admin.delete(`${tenant.divisionPath}?code=${next}`)).status).toBe(204);
  });

  test('are counted one by one when they come at once', async () => {
    const tenant = await acme();
    const code = await tenant.divisionCode();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        client(i % 2 ? replica.url : second.url, tenant.key).delete(
          `${tenant.divisionPath}?code=${wrong(code)}`,
        ),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(5).fill(400),
      ...Array<number>(7).fill(429),
    ]);
  });

  test('lock nothing when they come more than ten minutes apart, and nothing but their own resource', async () => {
    const tenant = await acme();
    const created = await tenant.admin.post(`${tenant.path}/divisions`, { name: 'other' });
    const otherPath = `${tenant.path}/divisions/${Number(created.body['id'])}`;
    await tenant.admin.put(otherPath, { protected: true });
    expect(await guess(tenant, '00000000', 4)).toEqual(Array(4).fill(invalid));
    later(600);
    expect(await guess(tenant, '00000000', 4)).toEqual(Array(4).fill(invalid));
    expect(await guess(tenant, '00000000', 2)).toEqual([invalid, locked]);
    expect(refusal(await tenant.admin.delete(`${otherPath}?code=00000000`))).toEqual(invalid);
  });
});

test('a code stands in clear in no table, no log, no event and no other stored message', async () => {
  const logged = await startLogged(on);
  const tenant = await acme();
  await client(logged.url, tenant.key).put(`${tenant.path}/request_code`, {
    action: {
      action_type: 'delete_division',
      payload: { tenant_id: tenant.id, division_id: tenant.division },
    },
  });
  const code = await mails.code(tenant.email);
  await guess(tenant, wrong(code), 1, logged.url);
  const stored = await a.everythingStored();
  expect(stored).toContain(`(${tenant.id},${tenant.division},`);
  expect(stored).not.toContain(code);
  expect((await guess(tenant, code, 1, logged.url))[0]).toEqual([204, undefined]);
  const lines = await logged.end();
  expect(lines).toContain(tenant.divisionPath);
  expect(lines).not.toContain(code);
  expect(lines).not.toContain(wrong(code));

  const { nats, topology } = on;
  let messages = 0;
  for (const { name } of Object.values(topology.streams)) {
    const { state } = await (await jetstreamManager(nats)).streams.info(name);
    const stream = await jetstream(nats).streams.get(name);
    for (let seq = Math.max(state.first_seq, 1); seq <= state.last_seq; seq++) {
      const text = (await stream.getMessage({ seq }))?.string();
      if (text === undefined) continue;
      messages++;
      expect(text).not.toContain(code);
    }
  }
  expect(messages).toBeGreaterThan(3);
});
