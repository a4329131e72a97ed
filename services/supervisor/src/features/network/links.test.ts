import { randomUUID } from 'node:crypto';
import type { DeploymentSpec } from '@sluice/contracts';
import { aDeployment, eventually } from '@sluice/testing';
import { call, untilGone } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';
import { simulatedDrivers } from '#test/simulated-drivers.ts';
import { LinkRefused, type LinkDriver, type LinkState } from '@sluice/drivers';

interface Link {
  id: number;
  name: string;
  status?: string;
  state?: string;
  status_reason: string | null;
}

const region = supervisor();
/** what the driver of a link does instead, by the link's id */
const instead = new Map<number, Partial<LinkDriver>>();
let urls: string[];
let key: string;

const drivers: ReturnType<typeof simulatedDrivers> = async (...options) => {
  const { compute, network } = await simulatedDrivers({})(...options);
  const links: LinkDriver = {
    advance: (link, about) =>
      (instead.get(link.id) ?? network.links).advance?.(link, about) ?? network.links.advance(link, about),
    remove: (link, about) => instead.get(link.id)?.remove?.(link, about) ?? network.links.remove(link, about),
  };
  return { compute, network: { ...network, links } };
};

beforeAll(async () => {
  const environment = { EMULATED_PEERS: 'wait', DRIVER_NETWORK_SECONDS: '1' };
  const replicas = [
    await region.startWith({ drivers }, { environment }),
    await region.startWith({ drivers }, { environment }),
  ];
  urls = replicas.map(({ url }) => url);
  key = await region.key();
});

const limits = { access_rules: 10, private_networking: true, private_connections: 3, private_endpoints: 2 };

/** A deployment that has a subnet. */
async function aNetwork(cloud: 'cloud_a' | 'cloud_b' = 'cloud_a', more: Partial<DeploymentSpec> = {}) {
  const shape = aDeployment({ uid: randomUUID(), tier: 'small', limits, ...more });
  await region.apply(shape);
  const subnet = await eventually(async () => {
    const [row] = await region.sql<{ subnet: string | null }>(
      'SELECT subnet FROM deployments WHERE id = $1',
      [shape.id],
    );
    expect(row?.subnet).toMatch(/^10\./);
    return row?.subnet ?? '';
  });
  const reshape = (change: object) =>
    region.sql('UPDATE deployments SET spec = spec || $2 WHERE id = $1', [shape.id, JSON.stringify(change)]);
  if (cloud === 'cloud_b') await reshape({ cloud });
  // it waits for nodes that nobody makes
  await region.sql("UPDATE reconciliations SET due_at = now() + interval '1 hour' WHERE deployment_id = $1", [
    shape.id,
  ]);
  const path = (what: string, replica = 0) => `${urls[replica]}/deployments/${shape.id}/network/${what}`;
  return {
    ...{ id: shape.id, subnet, path, reshape },
    list: async (what: string) => (await call(path(what), key)).body as Link[],
    create: (what: string, body: unknown, replica = 0) =>
      call(path(what, replica), key, { method: 'POST', body }),
    remove: (what: string, link: number) => call(path(`${what}/${link}`), key, { method: 'DELETE' }),
    instructions: async (what: string, link: number) =>
      (await call(path(`${what}/${link}/instructions`), key)).body as { status: string; title: string },
    /** Creates something and answers its id. */
    async made(what: string, body: unknown): Promise<number> {
      const { status, headers } = await call(path(what), key, { method: 'POST', body });
      expect([201, 204]).toContain(status);
      const header = { vpc_peering: 'svc-vpc-peering', private_link: 'svc-private-link' };
      const kind = what.split('/')[1] as keyof typeof header;
      const link = Number(headers.get(header[kind] ?? 'svc-private-service'));
      expect(headers.get('location')).toBe(`/deployments/${shape.id}/network/${what}/${link}`);
      return link;
    },
    /** Waits until the link has this status. */
    until: (what: string, link: number, status: string) =>
      eventually(async () => {
        const found = ((await call(path(what), key)).body as Link[]).find(({ id }) => id === link);
        expect(found?.status ?? found?.state).toBe(status);
        return found as Link & Record<string, unknown>;
      }),
  };
}

type Network = Awaited<ReturnType<typeof aNetwork>>;

/** Does what the other side, or the cloud, would do, and has the region look. */
async function steer(link: number, change: string): Promise<void> {
  await region.sql(
    `UPDATE emulated_links SET ${change} WHERE uid = (SELECT uid FROM network_links WHERE id = $1)`,
    [link],
  );
  await look(link);
}
const look = (link: number) =>
  region.sql(
    `WITH due AS (UPDATE network_links SET due_at = now() WHERE id = $1 RETURNING deployment_id)
     SELECT pg_notify('deployment_links', deployment_id::text) FROM due`,
    [link],
  );

type Told = {
  type: string;
  data: { status?: string; from?: string; reason?: string; name: string; description?: string };
};
const told = async (deployment: number) =>
  (await messagesAbout<Told>(region, 'events', deployment)).filter(({ data }) => 'link_id' in data);

const peering = {
  name: 'office',
  peer_vpc_id: 'vpc-0a1b2c3d',
  peer_owner_id: '123456789012',
  peer_vpc_cidr: '172.16.0.0/16',
};
const otherPeering = { ...peering, name: 'plant', peer_vpc_cidr: '172.17.0.0/16' };
const project = { name: 'office', peer_vpc_name: 'default', peer_project_id: 'acme-streaming' };
const [aPeering, aService] = ['cloud_a/vpc_peering', 'cloud_a/private_link'];
const [bPeering, bService] = ['cloud_b/vpc_peering', 'cloud_b/private_service'];

describe('a peering on cloud_a', () => {
  let quiet: Network;
  beforeAll(async () => {
    quiet = await aNetwork();
  });

  test('is asked for, accepted, routed and deleted, with an event for each step', async () => {
    const network = await aNetwork();
    const id = await network.made(aPeering, { ...peering, remarks: 'front door' });
    const pending = await network.until(aPeering, id, 'pending_acceptance');
    expect(pending).toEqual({
      ...{ id, name: 'office', status: 'pending_acceptance', status_reason: null, remarks: 'front door' },
      peering_connection_id: expect.stringMatching(/^pcx-/) as string,
      requester_vpc_id: expect.stringMatching(/^vpc-/) as string,
      ...{
        requester_cidr: network.subnet,
        requester_region: 'us-east-1',
        requester_owner_id: '000000000000',
      },
      ...{ accepter_vpc_id: 'vpc-0a1b2c3d', accepter_cidr: '172.16.0.0/16', accepter_region: 'us-east-1' },
      ...{ accepter_owner_id: '123456789012', created_at: expect.any(String) as string },
    });
    const titles = [await network.instructions(aPeering, id)];
    await steer(id, "state = 'accepted'");
    await network.until(aPeering, id, 'active');
    titles.push(await network.instructions(aPeering, id));
    const shown = await call(`${urls[0]}/deployments/${network.id}`, key);
    expect(shown.body).toMatchObject({
      network: { peerings: [{ id, name: 'office' }], private_endpoints: [] },
    });

    expect((await network.remove(aPeering, id)).status).toBe(204);
    expect((await network.remove(aPeering, id)).status).toBe(204);
    await network.until(aPeering, id, 'deleted');
    titles.push(await network.instructions(aPeering, id));
    expect(titles.map(({ status }) => status)).toEqual(['pending_acceptance', 'active', 'deleted']);
    expect(new Set(titles.map(({ title }) => title)).size).toBe(3);
    expect(
      await region.sql(
        'SELECT FROM emulated_links WHERE uid IN (SELECT uid FROM network_links WHERE id = $1)',
        [id],
      ),
    ).toEqual([]);
    await eventually(async () =>
      expect((await told(network.id)).map(({ type, data }) => data.status ?? type)).toEqual([
        ...['vpc_peering_created', 'pending_acceptance', 'provisioning', 'active'],
        ...['vpc_peering_deleted', 'deleted'],
      ]),
    );
    expect((await told(network.id))[0]?.data).toMatchObject({ description: 'front door' });
  });

  test('ends as rejected, expired, failed, or with what the other side has deleted', async () => {
    const network = await aNetwork();
    const [rejected, refused, withdrawn] = [
      await network.made(aPeering, { ...peering, peer_region: 'eu-west-1' }),
      await network.made(aPeering, otherPeering),
      await network.made(aPeering, { ...peering, name: 'ship', peer_vpc_cidr: '172.18.0.0/28' }),
    ];
    for (const id of [rejected, refused, withdrawn]) await network.until(aPeering, id, 'pending_acceptance');
    await steer(rejected, "peer = 'reject'");
    expect(await network.until(aPeering, rejected, 'rejected')).toMatchObject({
      accepter_region: 'eu-west-1',
    });
    await steer(refused, "state = 'failed'");
    expect(await network.until(aPeering, refused, 'failed')).toMatchObject({
      status_reason: 'the emulated cloud refuses it',
    });
    await steer(withdrawn, "state = 'withdrawn'");
    expect(await network.until(aPeering, withdrawn, 'deleted')).toMatchObject({
      status_reason: 'the other side has deleted it',
    });
    const ofWithdrawn = async () => (await told(network.id)).filter(({ data }) => data.name === 'ship');
    await eventually(async () =>
      expect((await ofWithdrawn()).map(({ type, data }) => data.status ?? type)).toEqual([
        ...['vpc_peering_created', 'pending_acceptance', 'deleting', 'deleted'],
      ]),
    );
    expect((await network.remove(aPeering, rejected)).status).toBe(204);
    await network.until(aPeering, rejected, 'deleted');
    // its block is free again, and so is its place among the plan's
    const unanswered = await network.made(aPeering, peering);
    await network.until(aPeering, unanswered, 'pending_acceptance');
    await region.sql("UPDATE network_links SET status_since = now() - interval '7 days' WHERE id = $1", [
      unanswered,
    ]);
    await look(unanswered);
    await network.until(aPeering, unanswered, 'expired');
    // whoever accepts it now comes too late
    await steer(unanswered, "state = 'accepted'");
    expect(await network.instructions(aPeering, unanswered)).toMatchObject({ status: 'expired' });
  });

  test('that was accepted while no supervisor was there comes about, however late that is seen', async () => {
    const network = await aNetwork();
    const id = await network.made(aPeering, peering);
    await network.until(aPeering, id, 'pending_acceptance');
    await region.sql(
      `WITH late AS (UPDATE network_links SET status_since = now() - interval '8 days' WHERE id = $1 RETURNING uid)
       UPDATE emulated_links SET state = 'accepted' FROM late WHERE emulated_links.uid = late.uid`,
      [id],
    );
    await look(id);
    await network.until(aPeering, id, 'active');
  });

  test.each<[string, Record<string, unknown>, string, string]>([
    ['no name', { name: '' }, '/body/name', 'too_short'],
    ['a name of two lines', { name: 'office\r\nplant' }, '/body/name', 'wrong_format'],
    ['a control character in its name', { name: 'office\u001b[2J' }, '/body/name', 'wrong_format'],
    ['a VPC that is none', { peer_vpc_id: 'vpc-XYZ' }, '/body/peer_vpc_id', 'wrong_format'],
    ['an account of 11 digits', { peer_owner_id: '12345678901' }, '/body/peer_owner_id', 'wrong_format'],
    ['a number as account', { peer_owner_id: 123456789012 }, '/body/peer_owner_id', 'wrong_type'],
    ['an address', { peer_vpc_cidr: '172.16.0.1' }, '/body/peer_vpc_cidr', 'wrong_format'],
    ['IPv6', { peer_vpc_cidr: 'fd00::/16' }, '/body/peer_vpc_cidr', 'wrong_format'],
    ['a prefix of 7', { peer_vpc_cidr: '172.0.0.0/7' }, '/body/peer_vpc_cidr', 'wrong_format'],
    ['a prefix of 29', { peer_vpc_cidr: '172.16.0.0/29' }, '/body/peer_vpc_cidr', 'wrong_format'],
    ['bits below the prefix', { peer_vpc_cidr: '172.16.0.1/16' }, '/body/peer_vpc_cidr', 'wrong_format'],
    ['an unknown field', { colour: 'red' }, '/body/colour', 'unknown_field'],
  ])('with %s is refused', async (_what, fields, path, code) => {
    const { status, body } = await quiet.create(aPeering, { ...peering, ...fields });
    expect(status).toBe(400);
    expect((body as { field_issues: unknown[] }).field_issues).toContainEqual(
      expect.objectContaining({ path, code }),
    );
    expect(await quiet.list(aPeering)).toEqual([]);
  });

  test('overlaps neither the subnet nor another live one, also when two are created at once', async () => {
    const network = await aNetwork();
    for (const peer_vpc_cidr of [network.subnet, '10.0.0.0/8', network.subnet.replace('/24', '/28')]) {
      const answer = await network.create(aPeering, { ...peering, peer_vpc_cidr });
      expect(answer).toMatchObject({ status: 400, body: { code: 'cidr_overlap' } });
    }
    const wide = { ...peering, name: 'wide', peer_vpc_cidr: '172.16.0.0/12' };
    const answers = await Promise.all([
      network.create(aPeering, peering, 0),
      network.create(aPeering, wide, 1),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
    expect(answers.find(({ status }) => status === 400)).toMatchObject({
      body: { code: 'cidr_overlap', field_issues: [{ path: '/body/peer_vpc_cidr', code: 'overlap' }] },
    });
    expect((await network.create(aPeering, { ...peering, peer_vpc_cidr: '172.32.0.0/16' })).status).toBe(204);
  });

  test('stays within the limit of the plan, what has failed included, also when many are created at once', async () => {
    const network = await aNetwork();
    const one = (number: number) => ({
      ...peering,
      name: `p ${number}`,
      peer_vpc_cidr: `192.168.${number}.0/24`,
    });
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, number) => network.create(aPeering, one(number), number % 2)),
    );
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(3);
    for (const answer of answers.filter(({ status }) => status !== 204))
      expect(answer).toMatchObject({
        status: 409,
        body: { code: 'limit_reached', limit: { name: 'private_connections_limit', value: 3 } },
      });
    // endpoints are counted by themselves
    expect((await network.create(aService, { name: 'partners' })).status).toBe(201);
    const first = (await network.list(aPeering))[0]!.id;
    await network.until(aPeering, first, 'pending_acceptance');
    await steer(first, "state = 'failed'");
    await network.until(aPeering, first, 'failed');
    expect((await network.create(aPeering, one(9))).status).toBe(409);
    await network.remove(aPeering, first);
    await network.until(aPeering, first, 'deleted');
    expect((await network.create(aPeering, one(9))).status).toBe(204);
  });
});

describe('an endpoint service', () => {
  let quiet: Network;
  beforeAll(async () => {
    quiet = await aNetwork();
  });

  test('becomes available, with a name of its own, and goes', async () => {
    const network = await aNetwork();
    const answers = await Promise.all([
      network.create(aService, { name: 'partners' }, 0),
      network.create(aService, { name: 'partners' }, 1),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'name_taken' });
    const made = answers.find(({ status }) => status === 201)?.body as Link;
    expect(made).toMatchObject({ state: 'pending', acceptance_required: true, allowed_principals: [] });
    expect(await network.until(aService, made.id, 'available')).toMatchObject({
      vpc_endpoint_service_id: expect.stringMatching(/^vpce-svc-/) as string,
      service_name: expect.stringContaining('us-east-1.vpce-svc-') as string,
    });
    const shown = await call(`${urls[0]}/deployments/${network.id}`, key);
    expect(shown.body).toMatchObject({
      network: { peerings: [], private_endpoints: [{ id: made.id, name: 'partners' }] },
    });
    const more = {
      name: 'others',
      acceptance_required: false,
      allowed_principals: ['123456789012', 'arn:cloud_a:iam::123456789012:root'],
      remarks: 'for everybody else',
    };
    const other = await network.made(aService, more);
    expect((await network.list(aService)).map(({ name }) => name)).toEqual(['others', 'partners']);
    expect((await network.create(aService, { name: 'third' })).body).toMatchObject({
      code: 'limit_reached',
      limit: { name: 'private_endpoints_limit', value: 2 },
    });
    await network.remove(aService, made.id);
    await network.until(aService, made.id, 'deleted');
    // the name is free again
    expect((await network.create(aService, { name: 'partners' })).status).toBe(201);
    const asked = async () => (await told(network.id)).filter(({ type }) => !type.endsWith('changed'));
    await eventually(async () =>
      expect((await asked()).map(({ type, data }) => `${type} ${data.name}`)).toEqual([
        ...['private_link_created partners', 'private_link_created others'],
        ...['private_link_deleted partners', 'private_link_created partners'],
      ]),
    );
    expect((await asked())[1]?.data).toMatchObject({
      ...{ link_id: other, allowed: more.allowed_principals, description: more.remarks },
    });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['no name', { name: undefined }, '/body/name'],
    ['a principal that is none', { allowed_principals: ['me'] }, '/body/allowed_principals/0'],
    ['one principal twice', { allowed_principals: ['*', '*'] }, '/body/allowed_principals'],
    ['a text for a boolean', { acceptance_required: 'yes' }, '/body/acceptance_required'],
  ])('with %s is refused', async (_what, fields, path) => {
    const { status, body } = await quiet.create(aService, { name: 'partners', ...fields });
    expect(status).toBe(400);
    expect((body as { field_issues: { path: string }[] }).field_issues.map((issue) => issue.path)).toContain(
      path,
    );
  });
});

describe('on cloud_b', () => {
  let quiet: Network;
  beforeAll(async () => {
    quiet = await aNetwork('cloud_b');
  });

  test('a peering is inactive until the other side has made its own, and again when that is gone', async () => {
    const network = await aNetwork('cloud_b');
    const remarks = 'front door';
    const id = await network.made(bPeering, { ...project, peer_vpc_cidr: '172.16.0.0/16', remarks });
    const inactive = await eventually(async () => {
      const [found] = await network.list(bPeering);
      expect(found).toMatchObject({ vpc_name: expect.any(String) as string });
      return found;
    });
    expect(inactive).toEqual({
      ...{ ...project, id, state: 'inactive', status_reason: null, remarks, cidr: network.subnet },
      ...{ vpc_name: expect.any(String) as string, project_id: 'emulated-project' },
      ...{ peer_vpc_cidr: '172.16.0.0/16', created_at: expect.any(String) as string },
    });
    await eventually(async () =>
      expect((await told(network.id))[0]?.data).toMatchObject({ name: 'office', description: remarks }),
    );
    const asked = await network.instructions(bPeering, id);
    await steer(id, "state = 'accepted'");
    await network.until(bPeering, id, 'active');
    expect((await network.instructions(bPeering, id)).title).not.toBe(asked.title);
    await steer(id, "state = 'asked'");
    await network.until(bPeering, id, 'inactive');
    expect((await network.remove(bPeering, id)).status).toBe(204);
    await network.until(bPeering, id, 'deleted');
    expect(await network.instructions(bPeering, id)).toMatchObject({ status: 'deleted' });
  });

  test('an attachment becomes active, lets in whom its list names, and is closed', async () => {
    const network = await aNetwork('cloud_b');
    const more = { connection_preference: 'accept_manual', consumer_accept_lists: ['acme-streaming'] };
    const request = { name: 'partners', ...more, enable_proxy_protocol: true, remarks: 'by the back door' };
    const id = await network.made(bService, request);
    const shown = await call(`${urls[0]}/deployments/${network.id}`, key);
    expect(shown.body).toMatchObject({ network: { private_endpoints: [{ id, name: 'partners' }] } });
    await eventually(async () =>
      expect((await told(network.id))[0]?.data).toMatchObject({ description: 'by the back door' }),
    );
    expect(await network.until(bService, id, 'active')).toMatchObject({
      ...more,
      service_attachment_uri: expect.stringContaining('/serviceAttachments/') as string,
    });
    const connections = async () =>
      (await call(network.path(`${bService}/${id}/connections`), key)).body as Link[];
    expect(await connections()).toEqual([]);
    const endpoint = (connection_id: string, consumer: string, status?: string) => ({
      ...{ connection_id, project: consumer, network: 'default', forwarding_rule: `rule-${connection_id}` },
      ...(status && { status }),
    });
    const steerTo = (all: object[]) => steer(id, `connections = '${JSON.stringify(all)}'`);
    await steerTo([
      endpoint('1', 'acme-streaming'),
      endpoint('2', 'somebody-else'),
      endpoint('3', 'acme-streaming', 'needs_attention'),
    ]);
    await eventually(async () =>
      expect((await connections()).map(({ status }) => status).sort()).toEqual([
        'accepted',
        'needs_attention',
        'pending',
      ]),
    );
    const first = (await connections()).find(({ status }) => status === 'accepted');
    expect(first).toEqual({
      ...{ id: expect.any(Number) as number, connection_id: '1', consumer_project_id: 'acme-streaming' },
      ...{ consumer_network: 'default', consumer_forwarding_rule: 'rule-1', status: 'accepted' },
      created_at: expect.any(String) as string,
    });
    await steerTo([endpoint('1', 'acme-streaming', 'closed')]);
    await eventually(async () => expect(await connections()).toEqual([{ ...first, status: 'closed' }]));
    expect(await network.instructions(bService, id)).toMatchObject({ status: 'active' });
    await network.remove(bService, id);
    await network.until(bService, id, 'closed');
    expect(await network.instructions(bService, id)).toMatchObject({ status: 'closed' });
    const automatic = await network.made(bService, { name: 'partners', connection_preference: null });
    expect(await network.until(bService, automatic, 'active')).toMatchObject({
      ...{ connection_preference: 'accept_manual', consumer_accept_lists: [] },
    });
  });

  test.each<[string, string, Record<string, unknown>, string]>([
    [bPeering, 'a name in capitals', { peer_vpc_name: 'Default' }, '/body/peer_vpc_name'],
    [bPeering, 'a name of 64 characters', { peer_vpc_name: 'x'.repeat(64) }, '/body/peer_vpc_name'],
    [bPeering, 'a project of 5 characters', { peer_project_id: 'acmes' }, '/body/peer_project_id'],
    [bPeering, 'a project of 31 characters', { peer_project_id: 'a'.repeat(31) }, '/body/peer_project_id'],
    [bPeering, 'no block', { peer_vpc_cidr: undefined }, '/body/peer_vpc_cidr'],
    [bService, 'another preference', { connection_preference: 'maybe' }, '/body/connection_preference'],
    [bService, 'a project that is none', { consumer_accept_lists: ['me'] }, '/body/consumer_accept_lists/0'],
  ])('%s with %s is refused', async (what, _fault, fields, path) => {
    const valid = what === bService ? { name: 'x' } : { ...project, peer_vpc_cidr: '172.16.0.0/16' };
    const { status, body } = await quiet.create(what, { ...valid, ...fields });
    expect(status).toBe(400);
    expect((body as { field_issues: { path: string }[] }).field_issues.map((issue) => issue.path)).toContain(
      path,
    );
  });
});

describe('private networking', () => {
  const all: [string, object][] = [
    [aPeering, peering],
    [aService, { name: 'partners' }],
    [bPeering, { ...project, peer_vpc_cidr: '172.16.0.0/16' }],
    [bService, { name: 'partners' }],
  ];

  test('is for plans that have it, managed deployments and their cloud', async () => {
    const network = await aNetwork();
    for (const [what, body] of all) {
      const cloud = what.split('/')[0];
      const other = cloud === 'cloud_a' ? 'cloud_b' : 'cloud_a';
      const refusals: [object, object][] = [
        [{ cloud: other }, { status: 409, body: { code: 'cloud_mismatch' } }],
        [{ variant: 'byoc' }, { status: 409, body: { code: 'managed_only' } }],
        ...[{ access_rules: 3 }, { ...limits, private_networking: false }].map((plan): [object, object] => [
          { limits: plan },
          { status: 403, body: { code: 'feature_not_available', feature: 'private_networking_enabled' } },
        ]),
      ];
      for (const [change, refusal] of refusals) {
        await network.reshape({ cloud, variant: 'managed', limits, ...change });
        expect(await network.create(what, body)).toMatchObject(refusal);
        expect(await network.list(what)).toEqual([]);
      }
    }
  });

  test('is refused to a deployment that is deleted or has no subnet yet', async () => {
    const network = await aNetwork();
    await region.sql('UPDATE deployments SET subnet = NULL WHERE id = $1', [network.id]);
    const early = await network.create(aPeering, peering);
    await region.sql('UPDATE deployments SET subnet = $2, deleted_by = created_by WHERE id = $1', [
      network.id,
      network.subnet,
    ]);
    const late = await network.create(aService, { name: 'partners' });
    for (const answer of [early, late])
      expect(answer).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
  });

  test('of another deployment, or of another kind, is not found', async () => {
    const [one, other] = [await aNetwork(), await aNetwork()];
    const id = await one.made(aPeering, peering);
    expect((await other.remove(aPeering, id)).status).toBe(404);
    expect((await one.remove(aService, id)).status).toBe(404);
    expect((await one.remove(bPeering, id)).status).toBe(404);
    expect((await call(one.path(`${bService}/${id}/connections`), key)).status).toBe(404);
    expect((await call(other.path(`${aPeering}/${id}/instructions`), key)).status).toBe(404);
    await one.until(aPeering, id, 'pending_acceptance');
  });
});

describe('the keeper of links', () => {
  /** Has the driver wait for `go` before it does what it does. */
  function held() {
    const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const wait = async () => {
      begun.resolve();
      await go.promise;
    };
    return { begun: begun.promise, go: () => go.resolve(), wait };
  }
  const active: LinkState = { status: 'active', facts: {}, lookAgainSeconds: 30 };

  test('tells why a step is tried again, and lets go of a driver that does not answer', async () => {
    const network = await aNetwork();
    const id = await network.made(aPeering, peering);
    await network.until(aPeering, id, 'pending_acceptance');
    instead.set(id, { advance: () => Promise.reject(new Error('the cloud is busy')) });
    await look(id);
    await eventually(async () =>
      expect(await network.list(aPeering)).toMatchObject([
        { status: 'pending_acceptance', status_reason: 'the cloud is busy' },
      ]),
    );
    instead.set(id, { advance: () => new Promise(() => undefined) });
    await eventually(async () =>
      expect(await network.list(aPeering)).toMatchObject([
        { status_reason: 'the cloud did not answer within 1 s' },
      ]),
    );
    instead.set(id, { advance: () => Promise.reject(new LinkRefused('there is no such VPC')) });
    expect(await network.until(aPeering, id, 'failed')).toMatchObject({
      status_reason: 'there is no such VPC',
    });
    const metrics = await (await fetch(`${urls[0]}/metrics`)).text();
    expect(metrics).toMatch(
      /sluice_network_links\{.*kind="cloud_a_peering",status="failed",failing="true".*\} [1-9]/,
    );
  });

  test('stores nothing of a look that a deletion, or another replica, has overtaken', async () => {
    const network = await aNetwork();
    const [deleted, taken] = [
      await network.made(aPeering, peering),
      await network.made(aPeering, otherPeering),
    ];
    for (const id of [deleted, taken]) await network.until(aPeering, id, 'pending_acceptance');
    const [first, second] = [held(), held()];
    const waiting = (one: typeof first) => async () => {
      await one.wait();
      return active;
    };
    instead.set(deleted, { advance: waiting(first) });
    instead.set(taken, { advance: waiting(second) });
    await look(deleted);
    await look(taken);
    await Promise.all([first.begun, second.begun]);
    await network.remove(aPeering, deleted);
    await region.sql('UPDATE network_links SET fence = fence + 1 WHERE id = $1', [taken]);
    instead.delete(taken);
    first.go();
    second.go();
    await network.until(aPeering, deleted, 'deleted');
    await region.sql('UPDATE network_links SET leased_until = NULL, due_at = now() WHERE id = $1', [taken]);
    await steer(taken, "state = 'rejected'");
    await network.until(aPeering, taken, 'rejected');
    const statuses = (await told(network.id)).map(({ data }) => data.status);
    expect(statuses).not.toContain('active');
  });

  test('keeps a deployment that is deleted until nothing is left of its links', async () => {
    const network = await aNetwork();
    const [held1, rejected] = [
      await network.made(aPeering, peering),
      await network.made(aPeering, otherPeering),
    ];
    for (const id of [held1, rejected]) await network.until(aPeering, id, 'pending_acceptance');
    await steer(rejected, "state = 'rejected'");
    await network.until(aPeering, rejected, 'rejected');
    let left = true;
    instead.set(held1, { remove: () => Promise.resolve(!left) });
    await region.remove(network.id);
    await network.until(aPeering, held1, 'deleting');
    await network.until(aPeering, rejected, 'deleted');
    expect((await call(`${urls[0]}/deployments/${network.id}`, key)).body).toMatchObject({
      status: 'deleting',
    });
    left = false;
    instead.delete(held1);
    await untilGone(urls[0]!, key, network.id);
    expect(await region.sql('SELECT FROM network_links WHERE deployment_id = $1', [network.id])).toEqual([]);
  });

  test('takes away the links of a deployment that is gone', async () => {
    const network = await aNetwork();
    const id = await network.made(aPeering, peering);
    await network.until(aPeering, id, 'pending_acceptance');
    await region.sql('DELETE FROM deployments WHERE id = $1', [network.id]);
    await look(id);
    await eventually(async () =>
      expect(
        await region.sql('SELECT status FROM network_links WHERE id = $1 AND deleted_at IS NOT NULL', [id]),
      ).toEqual([{ status: 'deleted' }]),
    );
  });
});
