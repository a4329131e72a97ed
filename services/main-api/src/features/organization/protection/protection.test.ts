import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { type Answer, client, type Client, eventually, freePort, say } from '@sluice/testing';
import { small } from '#test/deployments.ts';
import { type MainApi, fieldIssues, mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

/** the time of the replicas, which stands still */
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
  /** asks for a code for its first division */
  askForDivision(): Promise<Answer>;
  /** the same, and reads it in the mail */
  divisionCode(count?: number): Promise<string>;
  /** deletes its first division with a code */
  deleteDivision(code: string, from?: Client): Promise<Answer>;
}

/** A tenant with a mailbox of its own and a protected division. */
async function acme(): Promise<Acme> {
  const tenant = await a.tenant();
  const email = `${randomUUID()}@example.com`;
  expect((await tenant.admin.put(tenant.path, { email })).status).toBe(204);
  expect((await tenant.admin.put(tenant.divisionPath, { protected: true })).status).toBe(204);
  const ask: Acme['ask'] = (action_type, payload, from = tenant.admin) =>
    from.put(`${tenant.path}/request_code`, {
      action: { action_type, payload: { tenant_id: tenant.id, ...payload } },
    });
  const askForDivision = () => ask('delete_division', { division_id: tenant.division });
  return {
    ...{ ...tenant, email, ask, askForDivision },
    async divisionCode(count = 1) {
      expect((await askForDivision()).status).toBe(204);
      return await mails.code(email, count);
    },
    deleteDivision: (code, from = tenant.admin) => from.delete(`${tenant.divisionPath}?code=${code}`),
  };
}

/** The id of a new protected division. */
async function addProtected({ add, admin, path }: Acme, name: string): Promise<number> {
  const id = await add(`${path}/divisions`, { name });
  await admin.put(`${path}/divisions/${id}`, { protected: true });
  return id;
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
const invalid = '400 protection_code_invalid';
const locked = '429 protection_locked';

async function guess(tenant: Acme, code: string, times: number, url = replica.url): Promise<unknown[]> {
  const answers = [];
  for (let i = 0; i < times; i++)
    answers.push(refusal(await tenant.deleteDivision(code, client(url, tenant.key))));
  return answers;
}

describe('a code', () => {
  test("is mailed to the tenant's address, sealed, and lets the resource be deleted", async () => {
    const tenant = await acme();
    const asked = await tenant.askForDivision();
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
    expect((await tenant.deleteDivision(code)).status).toBe(204);
    expect((await tenant.admin.get(tenant.divisionPath)).status).toBe(404);
  });

  test('is needed for every kind of protected resource', async () => {
    const tenant = await acme();
    const division_id = tenant.division;
    const environment_id = await tenant.add(`${tenant.divisionPath}/environments`, { name: 'production' });
    const environmentPath = `${tenant.divisionPath}/environments/${environment_id}`;
    const deployment = { ...small, protected: true };
    const deployment_id = await tenant.add(`${environmentPath}/deployments/managed`, deployment);
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
      expect(refusal(await tenant.admin.delete(at))).toBe('400 protection_code_required');
      expect((await tenant.ask(action, payload)).status).toBe(204);
      const code = await mails.code(tenant.email, position + 1);
      expect(refusal(await tenant.admin.delete(`${at}?code=${wrong(code)}`))).toEqual(invalid);
      expect((await tenant.admin.delete(`${at}?code=${code}`)).status).toBe(status);
      await region.removed(deployment_id);
    }
  });

  test('whose mail cannot be delivered is named with the reason by refusals, until there is another', async () => {
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
    const ask = () => tenant.askForDivision();
    const refusals = async () => [await tenant.admin.delete(tenant.divisionPath), await ask()];
    const failures = (answers: Answer[]) => answers.map(({ body }) => [body['code'], body['mail_failure']]);
    const withoutReason = [
      ['protection_code_required', undefined],
      ['protection_code_throttled', undefined],
    ];

    expect((await ask()).status).toBe(204);
    const [first] = await on.sql<{ mail_id: string }>(
      'SELECT mail_id FROM protection_codes WHERE tenant_id = $1',
      [tenant.id],
    );
    await undeliverable(randomUUID());
    expect(failures(await refusals())).toEqual(withoutReason);
    await undeliverable(first?.mail_id ?? '');
    const answers = await refusals();
    expect(failures(answers)).toEqual(withoutReason.map(([code]) => [code, reason]));
    for (const { body } of answers) expect(body['detail']).toContain(reason);
    later(60);
    expect((await ask()).status).toBe(204);
    expect(failures(await refusals())).toEqual(withoutReason);
    // the failure of a mail that another one has replaced is no news
    await undeliverable(first?.mail_id ?? '');
    expect(failures(await refusals())).toEqual(withoutReason);
  });

  test('is void once there is a newer one', async () => {
    const tenant = await acme();
    const older = await tenant.divisionCode();
    later(60);
    const newer = await tenant.divisionCode(2);
    expect(newer).not.toBe(older);
    expect(await guess(tenant, older, 1)).toEqual([invalid]);
    expect((await tenant.deleteDivision(newer)).status).toBe(204);
  });

  test.each([
    [599.999, 204],
    [600, 400],
  ])('that is %d seconds old answers %i', async (age, status) => {
    const tenant = await acme();
    const code = await tenant.divisionCode();
    later(age);
    expect((await tenant.deleteDivision(code)).status).toBe(status);
  });

  test('lets one of two deletions at once happen, on two replicas', async () => {
    const tenant = await acme();
    const code = await tenant.divisionCode();
    expect(await tenant.race((to) => to.delete(`${tenant.divisionPath}?code=${code}`))).toEqual([
      '204',
      '404 not_found',
    ]);
  });

  test('is of no use for another resource, and is not used up by a deletion that is refused', async () => {
    const tenant = await acme();
    const code = await tenant.divisionCode();
    const otherPath = `${tenant.path}/divisions/${await addProtected(tenant, 'other')}`;
    await tenant.admin.put(tenant.path, { protected: true });
    expect(refusal(await tenant.admin.delete(`${otherPath}?code=${code}`))).toEqual(invalid);
    expect(refusal(await tenant.admin.delete(`${tenant.path}?code=${code}`))).toEqual(invalid);

    const starter = await tenant.starter();
    expect(refusal(await tenant.deleteDivision(code))).toBe('409 has_deployments');
    await region.removed(Number(starter.body['id']));
    expect((await tenant.deleteDivision(code)).status).toBe(204);
  });

  test('can be asked for before the resource is protected', async () => {
    const tenant = await acme();
    await tenant.admin.put(tenant.divisionPath, { protected: false });
    const code = await tenant.divisionCode();
    await tenant.admin.put(tenant.divisionPath, { protected: true });
    expect((await tenant.deleteDivision(code)).status).toBe(204);
  });
});

describe('asking for a code', () => {
  test('is refused within 60 seconds for the same resource, even when two replicas are asked at once', async () => {
    const tenant = await acme();
    const asked = await tenant.race((to) =>
      tenant.ask('delete_division', { division_id: tenant.division }, to),
    );
    expect(asked).toEqual(['204', '429 protection_code_throttled']);
    expect((await tenant.askForDivision()).headers.get('retry-after')).toBe('60');
    expect((await tenant.ask('delete_tenant', {})).status).toBe(204);
    later(59.999);
    const almost = await tenant.askForDivision();
    expect([almost.status, almost.headers.get('retry-after')]).toEqual([429, '1']);
    later(0.001);
    expect((await tenant.askForDivision()).status).toBe(204);
  });

  test('needs what the deletion itself needs', async () => {
    const tenant = await acme();
    const division = { division_id: tenant.division };
    const environment_id = await tenant.add(`${tenant.divisionPath}/environments`, { name: 'production' });
    const environment = { ...division, environment_id };
    const info = ['info:read'];
    const everything = { tenant: ['info:manage', 'division:manage'], division: ['environment:manage'] };
    const inDivision = await tenant.with({ division: ['environment:manage'] }, tenant.division);
    const rows: [caller: Client, action: string, payload: object, answer: string][] = [
      [await tenant.member({ tenant: [...info, 'division:read'] }), 'division', division, '403 forbidden'],
      [await tenant.member({ tenant: info }), 'environment', environment, '403 forbidden'],
      [
        await tenant.member({ tenant: info }),
        'deployment',
        { ...environment, deployment_id: 1 },
        '403 forbidden',
      ],
      [await tenant.member(everything), 'tenant', {}, '403 owner_only'],
      [inDivision, 'environment', environment, '204'],
      [await tenant.member(everything), 'division', division, '204'],
      [await tenant.member(everything), 'environment', environment, '204'],
    ];
    for (const [caller, action, payload, answer] of rows) {
      expect([action, refusal(await tenant.ask(`delete_${action}`, payload, caller))]).toEqual([
        action,
        answer,
      ]);
      later(answer === '204' ? 60 : 0);
    }
  });

  test('takes exactly the ids of its action, of things that belong together', async () => {
    const [tenant, other] = [await acme(), await acme()];
    const division_id = tenant.division;
    const elsewhere = await other.add(`${other.divisionPath}/environments`, { name: 'production' });
    const rows: [action: string, payload: object, issue: string][] = [
      ['tenant', { division_id }, 'division_id not_accepted'],
      ['division', {}, 'division_id required'],
      ['environment', { division_id }, 'environment_id required'],
      ['deployment', { division_id, deployment_id: 1 }, 'environment_id required'],
      ['tenant', { colour: 1 }, 'colour unknown_field'],
      ['tenant', { tenant_id: 'x' }, 'tenant_id wrong_type'],
      ['tenant', { tenant_id: other.id }, 'tenant_id unknown'],
      ['division', { division_id: other.division }, 'division_id unknown'],
      ['environment', { division_id, environment_id: elsewhere }, 'environment_id unknown'],
      ['environment', { division_id, environment_id: 9007199254740991 }, 'environment_id unknown'],
    ];
    for (const [action, payload, issue] of rows) {
      const issues = fieldIssues(await tenant.ask(`delete_${action}`, payload));
      expect([action, issues]).toEqual([action, [`/body/action/payload/${issue}`]]);
    }
    const unknown = fieldIssues(await tenant.ask('delete_everything', {}));
    expect(unknown).toEqual(['/body/action/action_type not_allowed']);
    expect(await mails.to(tenant.email)).toEqual([]);
  });
});

describe('what something protected is in', () => {
  const refusals = async (caller: Client, ...paths: string[]) => {
    const answers = [];
    for (const path of paths) answers.push(await caller.delete(path));
    return answers.map((answer) => [refusal(answer), answer.body['contains']]);
  };
  const refused = (contains: object, times = 1) =>
    Array<unknown>(times).fill(['409 contains_protected', contains]);

  test('is not deleted, by the owner neither, until the protection in it is lowered', async () => {
    const { add, admin, path, division, divisionPath } = await a.tenant();
    const id = await add(`${divisionPath}/environments`, { name: 'production' });
    const environment = `${divisionPath}/environments/${id}`;
    await admin.put(environment, { protected: true });
    const production = { kind: 'environment', id, name: 'production' };
    expect(await refusals(admin, divisionPath, path)).toEqual(refused(production, 2));
    await admin.put(divisionPath, { protected: true });
    expect(await refusals(admin, path)).toEqual(refused({ kind: 'division', id: division, name: 'default' }));
    for (const at of [divisionPath, environment]) await admin.put(at, { protected: false });
    for (const at of [divisionPath, path]) expect((await admin.delete(at)).status).toBe(204);
  });

  test('says of a deployment what it is, and no name that the caller may not see', async () => {
    const tenant = await a.tenant();
    const { admin, path, divisionPath } = tenant;
    const starter = await tenant.starter();
    const id = Number(starter.body['id']);
    await on.sql('UPDATE deployments SET protected = true WHERE id = $1', [id]);
    const contains = { kind: 'deployment', id, name: starter.body['name'] };
    const environment = String(starter.headers.get('location')).replace(/\/deployments.*/, '');
    expect(await refusals(admin, environment, divisionPath, path)).toEqual(refused(contains, 3));
    const blind = await tenant.with({ tenant: ['division:manage'] });
    expect(await refusals(blind, divisionPath)).toEqual(refused({ kind: 'deployment', id }));
    await on.sql('UPDATE deployments SET protected = false WHERE id = $1', [id]);
    expect(refusal(await admin.delete(divisionPath))).toBe('409 has_deployments');
  });

  test('keeps its own code good when it is refused', async () => {
    const tenant = await acme();
    const environments = `${tenant.divisionPath}/environments`;
    const environment = `${environments}/${await tenant.add(environments, { name: 'production' })}`;
    await tenant.admin.put(environment, { protected: true });
    const code = await tenant.divisionCode();
    expect(refusal(await tenant.deleteDivision(code))).toBe('409 contains_protected');
    await tenant.admin.put(environment, { protected: false });
    expect((await tenant.deleteDivision(code)).status).toBe(204);
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
    const refused = await tenant.deleteDivision(code);
    expect(refusal(refused)).toEqual(locked);
    expect(refused.headers.get('retry-after')).toBe('600');
    later(599.999);
    expect(await guess(tenant, code, 1)).toEqual([locked]);
    expect(refusal(await tenant.askForDivision())).toEqual(locked);
    later(0.001);
    const next = await tenant.divisionCode(2);
    expect((await tenant.deleteDivision(next)).status).toBe(204);
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
    const otherPath = `${tenant.path}/divisions/${await addProtected(tenant, 'other')}`;
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
  await tenant.ask('delete_division', { division_id: tenant.division }, client(logged.url, tenant.key));
  const code = await mails.code(tenant.email);
  await guess(tenant, wrong(code), 1, logged.url);
  const stored = await a.everythingStored();
  expect(stored).toContain(`(${tenant.id},${tenant.division},`);
  expect(stored).not.toContain(code);
  expect((await guess(tenant, code, 1, logged.url))[0]).toBe('204');
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
