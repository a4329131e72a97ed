import { jetstreamManager } from '@nats-io/jetstream';
import { commandSchemas, type DeploymentSpec } from '@sluice/contracts';
import { eventually, type Answer } from '@sluice/testing';
import { deploymentsOf, idOf, place, registerCloudB, small, untilOffered } from '#test/deployments.ts';
import { fieldIssues, limitReached, mainApi, refusal, sendTwice } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi({ replicas: 1 });
const region = on.region();
const a = on.tenants();
const inCloudB = { cloud: 'cloud_b', region: 'us-central1' };

let acme: TestTenant;
let path: string;
let externalId: string;
beforeAll(async () => {
  const deployment_tiers = (['small', 'medium', 'large'] as const).map((tier) => ({ tier, limit: 50 }));
  acme = await a.tenant({ overrides: { deployment_tiers } });
  await registerCloudB(on);
  await untilOffered(acme, 'cloud_b');
  path = await deploymentsOf(acme);
  externalId = String((await acme.admin.post(`${path}/byoc/setup`, place)).body['external_id']);
});

const role = () => ({
  account_id: '123456789012',
  identity_arn: 'arn:cloud_a:iam::123456789012:role/streaming/sluice',
  external_id: externalId,
  vpc_id: 'vpc-0a1b2c3d',
});
const project = {
  project_id: 'acme-streaming',
  service_account_email: 'sluice@acme-streaming.iam.example.com',
  vpc_name: 'default',
};

/** The deployment that the region of `cloud_b` is commanded to make. It has no supervisor, so its commands wait. */
async function commandedInCloudB(id: number): Promise<DeploymentSpec> {
  const { streams } = await jetstreamManager(on.nats);
  const subject = on.topology.subjects.command('cloud_b', 'us-central1', 'deployment_apply');
  return await eventually(async () => {
    const message = await streams.getMessage(on.topology.streams.commands.name, { last_by_subj: subject });
    const newest = message && commandSchemas.deployment_apply.parse(message.json<{ data: unknown }>().data);
    if (newest?.deployment.id !== id) throw new Error('no command has come yet');
    return newest.deployment;
  });
}

describe('the setup', () => {
  test("of cloud_a is a role that asks for the tenant's external id and reaches what Sluice has made", async () => {
    const { status, body } = await acme.admin.post(`${path}/byoc/setup`, place);
    expect([status, body['service_org_id'], body['supervisor_url']]).toEqual([
      200,
      '604812559037',
      region.supervisorUrl,
    ]);
    expect(body['trust_policy']).toEqual({
      Version: '2012-10-17',
      Statement: [
        {
          Sid: 'Assume',
          Effect: 'Allow',
          Principal: { cloud_a: 'arn:cloud_a:iam::604812559037:root' },
          Action: ['sts:AssumeRole'],
          Condition: { StringEquals: { 'sts:ExternalId': body['external_id'] } },
        },
      ],
    });
    const { Statement: statements } = body['permissions_policy'] as {
      Statement: {
        Sid: string;
        Action: string[];
        Resource: string | string[];
        Condition: { StringEquals: Record<string, string | string[]> };
      }[];
    };
    const conditions = statements.map(({ Sid, Condition }) => {
      const { 'cloud_a:RequestedRegion': inRegion, ...more } = Condition.StringEquals;
      expect(inRegion).toBe('us-east-1');
      return [Sid, more];
    });
    const made = { 'cloud_a:RequestTag/sluice:tenant': String(acme.id) };
    const ours = { 'cloud_a:ResourceTag/sluice:tenant': String(acme.id) };
    expect(conditions).toEqual([
      ['Look', {}],
      ['Make', made],
      ['MakeIn', {}],
      ['MakeInNetwork', {}],
      ['MakeFrom', ours],
      ['TagWhatIsMade', { ...made, 'compute:CreateAction': expect.any(Array) as string[] }],
      ['TagHowFarItIs', ours],
      ['ChangeWhatWasMade', ours],
    ]);
    const [look] = statements;
    expect(look?.Action.filter((action) => !action.startsWith('compute:Describe'))).toEqual([]);
    // what a request has no tags for, it may use; what it makes has the tenant's
    const allowing = (action: string, thing: string) =>
      statements
        .filter(({ Action, Resource }) => Action.includes(action) && String(Resource).includes(`:${thing}/`))
        .map(({ Sid }) => Sid);
    expect(allowing('compute:RunInstances', 'subnet')).toEqual(['MakeIn']);
    expect(allowing('compute:RunInstances', 'instance')).toEqual(['Make']);
    expect(allowing('compute:CreateSecurityGroup', 'vpc')).toEqual(['MakeInNetwork']);
    expect(allowing('compute:CreateSnapshot', 'volume')).toEqual(['Make', 'MakeFrom']);
    expect((body['steps'] as { title: string }[]).length).toBeGreaterThan(2);
  });

  test('is the same each time, and another for another tenant', async () => {
    expect(externalId).toMatch(/^[0-9a-f-]{36}$/);
    const again = await acme.admin.post(`${path}/byoc/setup`, place);
    expect(again.body['external_id']).toBe(externalId);
    // regions know it by the grants of the tenant's keys
    const granted = await on.sql<{ id: string }>(
      "SELECT DISTINCT content ->> 'external_id' AS id FROM grants WHERE starts_with(key, $1)",
      [`${acme.id}.`],
    );
    expect(granted).toEqual([{ id: externalId }]);
    const other = await a.tenant();
    const theirs = await other.admin.post(`${await deploymentsOf(other)}/byoc/setup`, place);
    expect(theirs.body['external_id']).not.toBe(externalId);
  });

  test('of cloud_b lends a service account to one that is there for the tenant alone', async () => {
    const { status, body } = await acme.admin.post(`${path}/byoc/setup`, inCloudB);
    const account = `tenant-${externalId.replaceAll('-', '').slice(0, 16)}@sluice-platform.iam.cloud-b.example`;
    expect(status).toBe(200);
    expect(body).toMatchObject({ service_account: account, supervisor_url: 'http://b.supervisor.test' });
    const { roles, commands, steps } = body as Record<'roles' | 'commands', string[]> & {
      steps: { command?: string }[];
    };
    expect(commands).toHaveLength(roles.length + 2);
    expect(roles.every((granted) => commands.some((command) => command.endsWith(`--role ${granted}`)))).toBe(
      true,
    );
    expect(commands.at(-1)).toContain(
      `serviceAccount:${account} --role roles/iam.serviceAccountTokenCreator`,
    );
    expect(steps.flatMap(({ command }) => command ?? [])).toEqual(commands);
  });

  test('is refused without the capability, in an unknown region, and in an environment that is not there', async () => {
    const basic = await a.tenant({ plan: 'basic' });
    const refused = await basic.admin.post(`${await deploymentsOf(basic)}/byoc/setup`, place);
    expect(refused.body).toMatchObject({
      status: 403,
      code: 'feature_not_available',
      feature: 'byoc_enabled',
    });
    const nowhere = await acme.admin.post(`${path}/byoc/setup`, { ...place, region: 'us-west-2' });
    expect(fieldIssues(nowhere)).toEqual(['/body/region unknown']);
    const none = `${acme.divisionPath}/environments/999999/deployments/byoc/setup`;
    expect((await acme.admin.post(none, place)).status).toBe(404);
  });
});

describe('a deployment in an account of the tenant', () => {
  test('is made with the role of cloud_a, in the shape that was asked for', async () => {
    const shape = {
      ...{ tier: 'medium', encrypted: true, dedicated: true, public_ip_enabled: false },
      storage: { type: 'network_balanced', size: 30 },
      retention: { telemetry_days: 14 },
      ...{ target_network_tput: 500, spend_limit: 99.99 },
    };
    const body = { ...small, ...shape, protected: true, cloud_a: { ...role(), vpc_cidr: '10.20.0.0/16' } };
    const answer = await acme.admin.post(`${path}/byoc`, body);
    expect(answer.body).toMatchObject({ variant: 'byoc', status: 'creating', domain: null });
    expect(answer.status).toBe(202);
    expect(answer.headers.get('location')).toBe(`${path}/${idOf(answer)}`);
    const { deployment } = await region.shape(idOf(answer));
    expect(deployment).toMatchObject({
      ...{ name: 'orders', variant: 'byoc', ...shape },
      ...{ cluster: 'standalone', availability_mode: 'single_az', subdomain_enabled: false },
      cloud_access: { cloud_a: { ...role(), vpc_cidr: '10.20.0.0/16' } },
    });
    const event = await region.event('deployment_created', answer.headers);
    expect(event.data).toMatchObject({ variant: 'byoc', tier: 'medium' });
    expect(JSON.stringify(event)).not.toContain(externalId);
    expect(refusal(await acme.admin.delete(`${path}/${idOf(answer)}`))).toBe('400 protection_code_required');
  });

  test('has no domain where none is wanted', async () => {
    const body = { ...small, name: 'no-domain', subdomain_enabled: false, cloud_a: role() };
    const answer = await acme.admin.post(`${path}/byoc`, body);
    expect([answer.status, answer.body['domain']]).toEqual([202, null]);
    expect((await region.shape(idOf(answer))).deployment).toMatchObject({
      ...{ public_ip_enabled: true, subdomain_enabled: false },
    });
  });

  test('takes from the settings of the saved account what its request leaves out, while that is active', async () => {
    const accounts = `${acme.path}/cloud_accounts`;
    const account_id = '999999999999';
    const settings = {
      identity_arn: `arn:cloud_a:iam::${account_id}:role/saved`,
      external_id: externalId,
      ...{ vpc_id: 'vpc-saved', vpc_cidr: '10.30.0.0/16' },
    };
    const account = { cloud: 'cloud_a', name: 'Saved', account_id, settings: { cloud_a: settings } };
    const saved = await acme.add(accounts, account);
    const create = (name: string, given: object = {}) =>
      acme.admin.post(`${path}/byoc`, { ...small, name, cloud_a: { account_id, ...given } });
    const accessOf = async (answer: Answer) =>
      (await region.shape(idOf(answer))).deployment.cloud_access?.cloud_a;
    const all = await create('saved-all');
    expect(await accessOf(all)).toEqual({ ...settings, account_id });
    // the block is that of the saved network alone
    const other = await create('saved-some', { vpc_id: 'vpc-other' });
    expect(await accessOf(other)).toEqual({ ...settings, account_id, vpc_id: 'vpc-other', vpc_cidr: null });
    const at = `${accounts}/${saved}`;
    const changed = { ...settings, vpc_id: 'vpc-changed' };
    expect((await acme.admin.put(at, { settings: { cloud_a: changed } })).status).toBe(204);
    expect(await accessOf(await create('saved-changed'))).toEqual({ ...changed, account_id });
    // what is there already stays as it is
    expect(await accessOf(all)).toEqual({ ...settings, account_id });
    const notOfTheRole = { ...settings, identity_arn: `arn:cloud_a:iam::${account_id}:user/ada` };
    await acme.admin.put(at, { settings: { cloud_a: notOfTheRole } });
    expect(fieldIssues(await create('saved-user'))).toEqual(['/body/cloud_a/identity_arn wrong_format']);
    const required = ['identity_arn', 'external_id', 'vpc_id'].map(
      (name) => `/body/cloud_a/${name} required`,
    );
    await acme.admin.put(at, { settings: { cloud_a: settings }, status: 'inactive' });
    expect(fieldIssues(await create('saved-inactive'))).toEqual(required);
    // the settings are those of another account now, and the deployments are in none that is saved
    await acme.admin.put(at, { account_id: '121212121212', status: 'active' });
    expect(fieldIssues(await create('saved-moved'))).toEqual(required);
    await region.status(idOf(all), 1, 'initialized');
    const upgrade = () =>
      acme.admin.post(`${String(all.headers.get('location'))}/upgrade`, { tier: 'medium' });
    expect(refusal(await upgrade())).toBe('409 state_conflict');
    await acme.admin.put(at, { account_id });
    expect((await upgrade()).status).toBe(202);
  });

  test('is made with the service account of cloud_b by the region that it names, as one on the platform is', async () => {
    const body = { ...small, ...inCloudB, name: 'b', cloud_b: project };
    const answer = await acme.admin.post(`${path}/byoc`, body);
    expect(answer.status).toBe(202);
    expect(await commandedInCloudB(idOf(answer))).toMatchObject({
      ...{ name: 'b', variant: 'byoc', cloud_access: { cloud_b: project } },
    });
    const onThePlatform = { ...small, ...inCloudB, name: 'managed' };
    const managed = await acme.admin.post(`${path}/managed`, onThePlatform);
    expect(managed.body['supervisor_url']).toBe('http://b.supervisor.test');
    expect(await commandedInCloudB(idOf(managed))).toMatchObject({ name: 'managed', variant: 'managed' });
  });

  test('takes the network of cloud_b from the settings of the saved project', async () => {
    const settings = { cloud_b: { vpc_network: 'saved', vpc_cidr: '10.40.0.0/16' } };
    const account = { cloud: 'cloud_b', name: 'Project', account_id: 'acme-saved', settings };
    expect((await acme.admin.post(`${acme.path}/cloud_accounts`, account)).status).toBe(201);
    const { service_account_email } = project;
    const create = async (name: string, project_id: string, given: object = {}) => {
      const cloud_b = { project_id, service_account_email, ...given };
      const body = { ...small, ...inCloudB, name, cloud_b };
      const answer = await acme.admin.post(`${path}/byoc`, body);
      return answer.status === 202 ? await commandedInCloudB(idOf(answer)) : fieldIssues(answer);
    };
    const access = (vpc_name: string, more: object) => ({
      cloud_access: { cloud_b: { project_id: 'acme-saved', service_account_email, vpc_name, ...more } },
    });
    expect(await create('b-saved', 'acme-saved')).toMatchObject(
      access('saved', { vpc_cidr: '10.40.0.0/16' }),
    );
    const other = await create('b-other', 'acme-saved', { vpc_name: 'other' });
    expect(other).toMatchObject(access('other', {}));
    expect(JSON.stringify(other)).not.toContain('vpc_cidr');
    expect(await create('b-unsaved', 'acme-unsaved')).toEqual(['/body/cloud_b/vpc_name required']);
  });

  test.each([
    ['/body/cloud_a required', () => ({})],
    ['/body/cloud_b not_together', () => ({ cloud_a: role(), cloud_b: project })],
    ['/body/cloud_a/account_id wrong_format', () => ({ cloud_a: { ...role(), account_id: '12345678901' } })],
    [
      '/body/cloud_a/identity_arn not_together',
      () => ({ cloud_a: { ...role(), account_id: '999999999999' } }),
    ],
    [
      '/body/cloud_a/identity_arn wrong_format',
      () => ({ cloud_a: { ...role(), identity_arn: 'arn:cloud_a:iam::123456789012:user/me' } }),
    ],
    ['/body/cloud_a/external_id not_allowed', () => ({ cloud_a: { ...role(), external_id: 'mine' } })],
    ['/body/cloud_a/vpc_cidr wrong_format', () => ({ cloud_a: { ...role(), vpc_cidr: '10.20.0.1/16' } })],
    ['/body/cloud_a/vpc_id required', () => ({ cloud_a: { ...role(), vpc_id: undefined } })],
    [
      '/body/cloud_b/project_id too_short',
      () => ({ ...inCloudB, cloud_b: { ...project, project_id: 'short' } }),
    ],
    [
      '/body/cloud_b/vpc_name wrong_format',
      () => ({ ...inCloudB, cloud_b: { ...project, vpc_name: 'Default' } }),
    ],
    ['/body/availability_mode not_together', () => ({ cloud_a: role(), availability_mode: 'multi_az' })],
    ['/body/storage/size too_large', () => ({ cloud_a: role(), storage: { size: 1001 } })],
  ])('is refused: %s', async (issue, fields) => {
    const answer = await acme.admin.post(`${path}/byoc`, { ...small, name: 'refused', ...fields() });
    expect(fieldIssues(answer)).toContain(issue);
  });

  test("is refused with another tenant's external id", async () => {
    const other = await a.tenant();
    const body = { ...small, cloud_a: role() };
    const refused = await other.admin.post(`${await deploymentsOf(other)}/byoc`, body);
    expect(fieldIssues(refused)).toEqual(['/body/cloud_a/external_id not_allowed']);
  });

  test('is refused in an account that the tenant has saved and locked', async () => {
    const accounts = `${acme.path}/cloud_accounts`;
    const account_id = '777777777777';
    const saved = await acme.admin.post(accounts, { cloud: 'cloud_a', name: 'Old', account_id });
    const identity_arn = `arn:cloud_a:iam::${account_id}:role/sluice`;
    const create = () =>
      acme.admin.post(`${path}/byoc`, {
        ...{ ...small, name: 'in-saved', tier: 'medium' },
        cloud_a: { ...role(), account_id, identity_arn },
      });
    const set = (status: string) => acme.admin.put(`${accounts}/${String(saved.body['id'])}`, { status });
    await set('locked');
    const refused = await create();
    expect(refusal(refused)).toBe('409 state_conflict');
    expect(refused.body['detail']).toBe(`The cloud account ${account_id} is locked.`);
    await set('active');
    expect((await create()).status).toBe(202);
  });

  test('goes on when the account is deleted, and is not made anew until that is saved again', async () => {
    const accounts = `${acme.path}/cloud_accounts`;
    const account_id = '888888888888';
    const save = () => acme.admin.post(accounts, { cloud: 'cloud_a', name: 'Gone', account_id });
    const saved = await save();
    const created = await acme.admin.post(`${path}/byoc`, {
      ...{ ...small, name: 'in-deleted', tier: 'medium', storage: { type: 'network_balanced', size: 20 } },
      cloud_a: { ...role(), account_id, identity_arn: `arn:cloud_a:iam::${account_id}:role/sluice` },
    });
    expect(created.status).toBe(202);
    const id = idOf(created);
    await region.status(id, 1, 'initialized');
    expect((await acme.admin.delete(`${accounts}/${String(saved.body['id'])}`)).status).toBe(204);
    const location = String(created.headers.get('location'));
    expect((await acme.admin.get(location)).body).toMatchObject({ status: 'initialized' });
    const ofIt = region.commands.filter(({ data }) => JSON.stringify(data).includes(`"deployment_id":${id}`));
    expect(ofIt.map(({ type }) => type)).not.toContain('deployment_delete');
    const upgrade = () => acme.admin.post(`${location}/upgrade`, { storage: { size: 30 } });
    const refused = await upgrade();
    expect(refusal(refused)).toBe('409 state_conflict');
    expect(refused.body['detail']).toMatch(/cloud account of the deployment was deleted/);
    expect((await save()).status).toBe(201);
    expect((await upgrade()).status).toBe(202);
  });

  test('is refused without the capability, and by the limits of its tier', async () => {
    const basic = await a.tenant({ plan: 'basic' });
    const body = { ...small, cloud_a: role() };
    expect(refusal(await basic.admin.post(`${await deploymentsOf(basic)}/byoc`, body))).toBe(
      '403 feature_not_available',
    );
    const one = await a.tenant({
      plan: 'enterprise',
      overrides: { deployment_tiers: [{ tier: 'small', limit: 0 }] },
    });
    const there = await deploymentsOf(one);
    const { body: setup } = await one.admin.post(`${there}/byoc/setup`, place);
    const own = { ...small, cloud_a: { ...role(), external_id: setup['external_id'] } };
    expect((await one.admin.post(`${there}/byoc`, own)).body).toMatchObject(
      limitReached('deployment_tiers.small', 0),
    );
  });

  test('is made once by requests with one idempotency key', async () => {
    const body = { ...small, name: 'once', cloud_a: role() };
    const [first, again] = await sendTwice(acme.admin, 'POST', `${path}/byoc`, body);
    expect([first.status, idOf(again)]).toEqual([202, idOf(first)]);
  });
});
