import type { components } from '../../generated/api.ts';
import { cloudAPeeringInstructions } from './cloud-a-instructions.ts';
import { cloudBPeeringInstructions, serviceAttachmentInstructions } from './cloud-b-instructions.ts';
import type { PlacedLink } from './links.service.ts';

type Instructions = components['schemas']['NetworkInstructions'];

const created_at = new Date('2026-03-14T09:26:53.589Z');
const deployment = { spec: { region: 'us-east-1' }, subnet: '10.64.0.0/24' };
const link = { id: 7, name: 'office', status_reason: null, remarks: null, created_at };

const aPeering = (status: string, facts: object) => {
  const wanted = {
    ...{ peer_vpc_id: 'vpc-0a1b2c3d', peer_owner_id: '123456789012', peer_region: 'eu-west-1' },
    peer_vpc_cidr: '172.16.0.0/16',
  };
  const placed = { deployment, link: { ...link, kind: 'cloud_a_peering', wanted, facts, status } };
  return cloudAPeeringInstructions(placed as unknown as PlacedLink<'cloud_a_peering'>);
};
const bPeering = (status: string, facts: object) => {
  const wanted = {
    peer_vpc_name: 'default',
    peer_project_id: 'acme-streaming',
    peer_vpc_cidr: '172.16.0.0/16',
  };
  const placed = { deployment, link: { ...link, kind: 'cloud_b_peering', wanted, facts, status } };
  return cloudBPeeringInstructions(placed as unknown as PlacedLink<'cloud_b_peering'>);
};
const attachment = (status: string, facts: object) => {
  const wanted = {
    ...{ connection_preference: 'accept_manual', consumer_accept_lists: ['acme-streaming'] },
    enable_proxy_protocol: false,
  };
  const placed = { deployment, link: { ...link, kind: 'cloud_b_attachment', wanted, facts, status } };
  return serviceAttachmentInstructions(placed as unknown as PlacedLink<'cloud_b_attachment'>);
};

test.each<[string, string[], (status: string, facts: object) => Instructions, object]>([
  [
    'a peering on cloud_a',
    [
      ...['initiating_request', 'pending_acceptance', 'provisioning', 'active', 'rejected', 'expired'],
      ...['failed', 'deleting', 'deleted'],
    ],
    aPeering,
    { peering_connection_id: 'pcx-1', requester_vpc_id: 'vpc-1', requester_owner_id: '000000000000' },
  ],
  [
    'a peering on cloud_b',
    ['inactive', 'active', 'deleted'],
    bPeering,
    { vpc_name: 'ours', project_id: 'us' },
  ],
  ['an attachment', ['pending', 'active', 'closed'], attachment, { service_attachment_uri: 'projects/us/1' }],
])(
  'the instructions for %s differ by status, and say what is known',
  (_what, statuses, instructionsFor, facts) => {
    const all = statuses.map((status) => instructionsFor(status, facts));
    expect(all.map(({ status }) => status)).toEqual(statuses);
    expect(new Set(all.map(({ title }) => title)).size).toBe(statuses.length);
    expect(new Set(all.map(({ steps }) => JSON.stringify(steps))).size).toBeGreaterThan(statuses.length - 2);
    for (const { steps, values } of [...all, ...statuses.map((status) => instructionsFor(status, {}))]) {
      expect(steps.length).toBeGreaterThan(0);
      expect(`${JSON.stringify(steps)} ${Object.keys(values).join()}`).not.toContain('undefined');
    }
    const known = Object.values(all[0]?.values ?? {});
    for (const fact of Object.values(facts)) expect(known).toContain(fact);
  },
);

test('commands name what is known, and a placeholder for what is not', () => {
  const command = (facts: object) => aPeering('pending_acceptance', facts).steps[0]?.command;
  expect(command({ peering_connection_id: 'pcx-1' })).toBe(
    'cloud_a ec2 accept-vpc-peering-connection --region eu-west-1 --vpc-peering-connection-id pcx-1',
  );
  expect(command({})).toMatch(/<peering>$/);
  expect(bPeering('inactive', { vpc_name: 'ours', project_id: 'us' }).steps[0]?.command).toMatch(
    /--project=acme-streaming --network=default --peer-project=us --peer-network=ours$/,
  );
  expect(attachment('active', { service_attachment_uri: 'projects/us/1' }).steps[1]).toMatchObject({
    text: expect.stringContaining('acme-streaming are let in') as string,
    command: expect.stringContaining('projects/us/1') as string,
  });
});

test('why a peering has failed stands in its instructions', () => {
  const placed = {
    deployment,
    link: {
      ...{ ...link, kind: 'cloud_a_peering', facts: {}, status: 'failed', status_reason: 'no such VPC' },
      wanted: { peer_vpc_id: 'vpc-1', peer_owner_id: '1', peer_region: null, peer_vpc_cidr: '172.16.0.0/16' },
    },
  };
  const told = cloudAPeeringInstructions(placed as unknown as PlacedLink<'cloud_a_peering'>);
  expect(told.steps[0]?.text).toContain('no such VPC');
  expect(told.values).toMatchObject({ reason: 'no such VPC', your_region: 'us-east-1' });
});
