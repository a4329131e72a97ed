import {
  AuthorizeSecurityGroupIngressCommand,
  DeleteVolumeCommand,
  DescribeInstanceAttributeCommand,
  DetachVolumeCommand,
  RunInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import {
  atTheCloud,
  bringUp,
  call,
  cloudANodes,
  renewToken,
  untilGone,
  untilSettled,
  untilStarted,
} from '#test/cloud-a-nodes.ts';
import { computeConformance, type Fate } from '@sluice/drivers/conformance';

const on = cloudANodes();

computeConformance('cloud_a', {
  isThere: () => on.started !== undefined,
  driver: () => on.started!.driver,
  aNode: () => on.node(on.started!),
  enrols: (node) => void (node.enrolled = true),
  async present(node) {
    const { instances, volumes, groups } = await atTheCloud(on.started!, node);
    return [
      ...instances.map(({ InstanceId }) => InstanceId),
      ...volumes.map(({ VolumeId }) => VolumeId),
      ...groups.map(({ GroupId }) => GroupId),
    ];
  },
  hasAgents: true,
});

const entriesOf = (group: { IpPermissions?: { FromPort?: number; IpRanges?: { CidrIp?: string }[] }[] }) =>
  (group.IpPermissions ?? [])
    .flatMap(({ FromPort, IpRanges = [] }) => IpRanges.map(({ CidrIp }) => `${FromPort} ${CidrIp}`))
    .sort();

on.test(
  'an instance with an encrypted volume is made, enrols by what it runs first, and leaves nothing',
  async (at) => {
    const node = on.node(at);
    expect(await at.driver.observe(node, call)).toEqual({ presence: 'none' });
    await bringUp(at, node);
    const { instances, volumes, groups } = await atTheCloud(at, node);
    expect([instances.length, volumes.length, groups.length]).toEqual([1, 1, 1]);
    const [instance] = instances;
    expect(instance).toMatchObject({ InstanceType: 't3.small', VpcId: at.vpcId, ImageId: at.image });
    expect(instance?.Tags).toContainEqual({ Key: 'sluice:tenant', Value: '7' });
    expect(volumes[0]).toMatchObject({ Size: 19, Encrypted: true });
    expect(volumes[0]?.Attachments).toMatchObject([{ InstanceId: instance?.InstanceId }]);
    expect(entriesOf(groups[0] ?? {})).toEqual(['4222 0.0.0.0/0']);
    const { UserData } = await at.ec2.send(
      new DescribeInstanceAttributeCommand({ InstanceId: instance?.InstanceId, Attribute: 'userData' }),
    );
    const first = Buffer.from(UserData?.Value ?? '', 'base64').toString();
    expect(first).toContain(`echo enrol ${node.id} with ${node.tokens.at(-1)}`);
    expect(first).toContain(volumes[0]?.VolumeId?.replace('-', ''));
    expect((await at.driver.list()).map(({ id }) => id)).toContain(node.id);
    const { length } = at.cloud.changes;
    await at.driver.ensureNode(node, call);
    expect(at.cloud.changes.slice(length).filter((action) => action !== 'AssumeRole')).toEqual([]);
    await untilGone(at, node);
    expect(await atTheCloud(at, node)).toEqual({ instances: [], volumes: [], groups: [] });
    await at.driver.removeNode(node.id, call);
  },
);

on.test(
  'a dedicated instance is on hardware of its account alone, and a private one is seen at its private address',
  async (at) => {
    const node = on.node(at);
    // not several zones: such a deployment has one node
    expect(at.driver.options).toEqual({ byoc: ['private_address', 'dedicated'] });
    node.options = ['private_address', 'dedicated'];
    const tenancies: (string | null)[] = [];
    // the test's server does not keep the tenancy
    at.cloud.fate = (action, parameters) => {
      if (action === 'RunInstances') tenancies.push(parameters.get('Placement.Tenancy'));
      return 'pass';
    };
    at.cloud.answer = (_, text) => text.replaceAll('<tenancy>default<', '<tenancy>dedicated<');
    await bringUp(at, node);
    const [instance] = (await atTheCloud(at, node)).instances;
    expect(tenancies).toEqual(['dedicated']);
    const { address, placement } = await at.driver.observe(node, call);
    expect(address?.host).toBe(instance?.PrivateIpAddress);
    expect(placement).toEqual({
      machine: instance?.InstanceId,
      zone: instance?.Placement?.AvailabilityZone,
      isPrivate: instance?.PublicIpAddress === undefined,
      isDedicated: true,
    });
    await untilGone(at, node);
  },
);

on.test(
  'another tier is another type of the same instance with its volume, and storage only grows',
  async (at) => {
    const node = on.node(at);
    await bringUp(at, node);
    const before = await atTheCloud(at, node);
    node.shape = { ...node.shape, tier: 'medium', storage: { type: 'network_balanced', size: 50 } };
    expect(await at.driver.observe(node, call)).toMatchObject({ drifted: true });
    await untilSettled(at, node);
    const after = await atTheCloud(at, node);
    expect(
      after.instances.map(({ InstanceId, InstanceType, State }) => [InstanceId, InstanceType, State?.Name]),
    ).toEqual([[before.instances[0]?.InstanceId, 't3.medium', 'running']]);
    expect(after.volumes.map(({ VolumeId, Size }) => [VolumeId, Size])).toEqual([
      [before.volumes[0]?.VolumeId, 47],
    ]);
    node.shape = { ...node.shape, storage: { type: 'network_balanced', size: 30 } };
    expect(await at.driver.observe(node, call)).toMatchObject({ presence: 'running' });
    expect((await at.driver.observe(node, call)).drifted).toBeUndefined();
    await untilGone(at, node);
  },
);

on.test(
  'access rules are entries as long as there is room, and what others add is taken away',
  async (at) => {
    const node = on.node(at);
    const past = new Date(Date.now() - 1_000);
    node.rules = [
      {
        protocols: ['broker_tcp', 'broker_websocket'],
        cidr_blocks: ['10.1.0.0/16', '10.2.0.0/16'],
        valid_to: null,
      },
      { protocols: ['broker_tcp'], cidr_blocks: ['10.9.0.0/16'], valid_to: past },
    ];
    await bringUp(at, node);
    const wanted = ['4222 10.1.0.0/16', '4222 10.2.0.0/16', '8080 10.1.0.0/16', '8080 10.2.0.0/16'];
    const entries = async () => entriesOf((await atTheCloud(at, node)).groups[0] ?? {});
    expect(await entries()).toEqual(wanted);
    const [group] = (await atTheCloud(at, node)).groups;
    await at.ec2.send(
      new AuthorizeSecurityGroupIngressCommand({
        GroupId: group?.GroupId,
        IpPermissions: [{ IpProtocol: 'tcp', FromPort: 22, ToPort: 22, IpRanges: [{ CidrIp: '0.0.0.0/0' }] }],
      }),
    );
    await untilSettled(at, node);
    expect(await entries()).toEqual(wanted);
    const blocks = Array.from({ length: 61 }, (_, index) => `10.3.${index}.0/24`);
    node.rules = [{ protocols: ['broker_tcp'], cidr_blocks: blocks, valid_to: null }];
    await untilSettled(at, node);
    expect(await entries()).toEqual(['4222 0.0.0.0/0']);
    node.rules = [{ protocols: ['broker_tcp'], cidr_blocks: blocks.slice(1), valid_to: null }];
    await untilSettled(at, node);
    expect(await entries()).toHaveLength(60);
    await untilGone(at, node);
  },
);

on.test(
  'an instance that is gone is made anew with its volume; a volume that is gone is told',
  async (at) => {
    const node = on.node(at);
    await bringUp(at, node);
    node.deployed = true;
    const before = await atTheCloud(at, node);
    await at.ec2.send(
      new TerminateInstancesCommand({ InstanceIds: [before.instances[0]?.InstanceId ?? ''] }),
    );
    expect(await at.driver.observe(node, call)).not.toMatchObject({ dataGone: true });
    await bringUp(at, node);
    const after = await atTheCloud(at, node);
    expect(after.instances[0]?.InstanceId).not.toBe(before.instances[0]?.InstanceId);
    expect(after.volumes[0]?.VolumeId).toBe(before.volumes[0]?.VolumeId);

    await at.ec2.send(new TerminateInstancesCommand({ InstanceIds: [after.instances[0]?.InstanceId ?? ''] }));
    const VolumeId = after.volumes[0]?.VolumeId;
    await at.ec2.send(new DetachVolumeCommand({ VolumeId })).catch(() => undefined);
    await at.ec2.send(new DeleteVolumeCommand({ VolumeId }));
    expect(await at.driver.observe(node, call)).toMatchObject({ dataGone: true });
    await expect(at.driver.ensureNode(node, call)).rejects.toThrow('its volume is gone');
    expect((await atTheCloud(at, node)).volumes).toEqual([]);
    await untilGone(at, node);
  },
);

on.test(
  'an instance whose token is void before it has enrolled is made anew, one that was revoked is not',
  async (at) => {
    const node = on.node(at);
    await untilStarted(at, node);
    const [first] = (await atTheCloud(at, node)).instances;
    renewToken(node);
    await bringUp(at, node);
    const [second] = (await atTheCloud(at, node)).instances;
    expect(second?.InstanceId).not.toBe(first?.InstanceId);
    renewToken(node);
    Object.assign(node, { enrolled: false, revoked: true });
    expect((await at.driver.observe(node, call)).waitsFor).toMatch(/revoked/);
    await at.driver.ensureNode(node, call);
    expect((await atTheCloud(at, node)).instances[0]?.InstanceId).toBe(second?.InstanceId);
    await untilGone(at, node);
  },
);

on.test('what others have in the account stays, whatever it is called', async (at) => {
  const another = 999_999;
  const run = async (tags: Record<string, string>) => {
    const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
    const { Instances: [instance] = [] } = await at.ec2.send(
      new RunInstancesCommand({
        ...{ ImageId: at.image, MinCount: 1, MaxCount: 1, InstanceType: 't3.small' },
        TagSpecifications: [{ ResourceType: 'instance', Tags }],
      }),
    );
    return instance?.InstanceId;
  };
  const theirs = await run({ 'sluice:node': String(on.nextId) });
  await run({
    ...{ 'sluice:node': String(another), 'sluice:deployment': 'theirs', 'sluice:tenant': '7' },
    'sluice:supervisor': 'https://another.example',
  });
  const node = on.node(at);
  await bringUp(at, node);
  const listed = (await at.driver.list()).map(({ id }) => Number(id));
  expect(listed).toContain(Number(node.id));
  expect(listed).not.toContain(another);
  await untilGone(at, node);
  const { instances } = await atTheCloud(at, node);
  expect(instances.map(({ InstanceId }) => InstanceId)).toEqual([theirs]);
});

/** what is done once in the life of a node that grows: in a long run each is met by each fate, else some of them */
const fates: Fate[] =
  process.env['CLOUD_FATES'] === 'all' ? ['lose', 'drop', 'throttle', 'fail'] : ['lose', 'throttle'];

for (const fate of fates)
  on.test(
    `when each kind of request fails once (${fate}), nothing is made twice and nothing is left`,
    async (at) => {
      const met = new Set<string>();
      at.cloud.fate = (action) => {
        if (met.has(action)) return 'pass';
        met.add(action);
        return fate;
      };
      const node = on.node(at);
      await bringUp(at, node);
      node.shape = { ...node.shape, tier: 'medium', storage: { type: 'network_balanced', size: 50 } };
      node.rules = [{ protocols: ['broker_tcp'], cidr_blocks: ['10.1.0.0/16'], valid_to: null }];
      await untilSettled(at, node);
      const { instances, volumes, groups } = await atTheCloud(at, node);
      expect([instances.length, volumes.length, groups.length]).toEqual([1, 1, 1]);
      expect(instances[0]?.InstanceType).toBe('t3.medium');
      await untilGone(at, node);
      expect(await atTheCloud(at, node)).toEqual({ instances: [], volumes: [], groups: [] });
      for (const action of [
        'RunInstances',
        'CreateVolume',
        'AttachVolume',
        'StopInstances',
        'TerminateInstances',
      ])
        expect(met).toContain(action);
    },
  );

on.test(
  'what people read of a failure names the request, and a role that refuses is told as such',
  async (at) => {
    const node = on.node(at);
    at.cloud.fate = (action) => (action === 'DescribeVolumes' ? 'throttle' : 'pass');
    await expect(at.driver.observe(node, call)).rejects.toThrow(
      'the cloud does not do DescribeVolumes (RequestLimitExceeded)',
    );
    const place = on.places.get(node.id);
    if (place) on.places.set(node.id, { ...place, access: { ...place.access, external_id: 'another' } });
    at.cloud.fate = (action) => (action === 'AssumeRole' ? 'deny' : 'pass');
    await expect(at.driver.ensureNode(node, call)).rejects.toThrow(
      /role .*cannot be assumed: its trust policy/,
    );
  },
);
