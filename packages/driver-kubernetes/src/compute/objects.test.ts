import { BlockList, isIP } from 'node:net';
import { anInstallation, objectsOf } from '#test/cluster-objects.ts';
import type { V1PodSpec, V1ServiceSpec } from '@kubernetes/client-node';
import { idOf, type DeploymentId, type NodeId, type RegionOption } from '@sluice/contracts';
import { aDeployment } from '@sluice/testing';
import { podPlace } from './brokers-service.ts';
import type { ObjectMetadata } from './api-object.ts';
import { covers } from './drift.ts';
import type { NetworkPolicySpec } from './network-policy.ts';
import { namespacePeer, optionsOf, subjectOf, supervisorPeer, type Installation } from './installation.ts';
import { isOutdated } from './restart.ts';
import { bytesOf, cpuQuantity, memoryQuantity, storageQuantity } from './quantities.ts';
import { noTemplate } from './node-template.ts';
import { pullCredentials } from './pull-secret.ts';
import { keptVolume } from './volume.ts';

const policyOf = (objects: ReturnType<typeof objectsOf>) =>
  objects['NetworkPolicy node-100']!.spec as NetworkPolicySpec;
const hardOf = (objects: ReturnType<typeof objectsOf>) =>
  (objects['ResourceQuota nodes']!.spec as { hard: object }).hard;
const podOf = (objects: ReturnType<typeof objectsOf>) =>
  (objects['StatefulSet node-100']!.spec as { template: { spec: V1PodSpec } }).template.spec;

describe('the objects of a node', () => {
  test('say of whom they are, each of them', () => {
    for (const { metadata } of Object.values(objectsOf({ nodes: 2 })))
      expect(metadata.labels).toMatchObject({
        'sluice.example/owner': 'test',
        'sluice.example/deployment': expect.stringMatching(/^\d+$/) as string,
        'sluice.example/deployment-uid': expect.any(String) as string,
      });
  });

  test('let nobody in without an access rule', () => {
    expect(policyOf(objectsOf()).ingress).toEqual([]);
    expect(objectsOf()['NetworkPolicy nobody']!.spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
  });

  test('let in whom the rules name, by the protocols that they name, until they end', () => {
    const rule = { protocols: ['broker_tcp' as const], cidr_blocks: ['192.0.2.0/24'], valid_to: null };
    const rules = [
      rule,
      { ...rule, protocols: ['broker_websocket' as const], valid_to: new Date(Date.now() + 60_000) },
      { ...rule, cidr_blocks: ['198.51.100.0/24'], valid_to: new Date(Date.now() - 1) },
      // neither becomes a rule without an end, which would let in everybody
      { ...rule, protocols: ['broker_udp' as const] },
      { ...rule, cidr_blocks: [] },
    ];
    const from = [{ ipBlock: { cidr: '192.0.2.0/24' } }];
    expect(policyOf(objectsOf({ rules })).ingress).toEqual([
      { from, ports: [{ protocol: 'TCP', port: 4222 }] },
      { from, ports: [{ protocol: 'TCP', port: 8080 }] },
    ]);
  });

  test('let it out to the names of its cluster, its supervisor, and no block that connectors may not reach', () => {
    const installation = {
      refusedBlocks: ['10.0.0.0/8', '192.0.2.7/32', 'fd00::/8', '169.254.0.0/16'],
      resolvers: ['169.254.20.10/32'],
    };
    const [names, ...others] = policyOf(objectsOf({ installation })).egress;
    expect(names).toEqual({
      to: [
        {
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
          podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
        },
        { ipBlock: { cidr: '169.254.20.10/32' } },
      ],
      ports: [
        { protocol: 'UDP', port: 53 },
        { protocol: 'TCP', port: 53 },
      ],
    });
    expect(others.flatMap(({ to = [] }) => to)).toEqual([
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'sluice' } } },
      { ipBlock: { cidr: '0.0.0.0/0', except: expect.arrayContaining(['192.0.2.7/32']) as string[] } },
      { ipBlock: { cidr: '2000::/3', except: ['2001::/32', '2002::/16'] } },
    ]);
  });

  /** Whether the pods of a node get to an address, by the rules for blocks. */
  function reaches(installation: Partial<Installation>, address: string, port: number): boolean {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const isIn = (blocks: readonly string[]) => {
      const list = new BlockList();
      for (const block of blocks) {
        const [first = '', bits] = block.split('/');
        list.addSubnet(first, Number(bits), isIP(first) === 6 ? 'ipv6' : 'ipv4');
      }
      return list.check(address, family);
    };
    return policyOf(objectsOf({ installation })).egress.some(
      ({ to = [], ports = [] }) =>
        to.some(({ ipBlock }) => ipBlock && isIn([ipBlock.cidr]) && !isIn(ipBlock.except ?? [])) &&
        ports.some(
          ({ protocol, port: from, endPort }) =>
            protocol === 'TCP' && port >= Number(from) && port <= (endPort ?? Number(from)),
        ),
    );
  }
  const ofMachines = ['169.254.169.254', '100.100.100.200', '168.63.129.16', 'fe80::1', 'fd00:ec2::254'];
  const ofNetworks = ['10.96.0.1', '100.64.0.1', '172.16.0.1', '192.168.1.1', '127.0.0.1', 'fd00::1', '::1'];

  test('reach the internet, and neither what gives machines their identity nor a private network', () => {
    for (const address of ['203.0.113.1', '2606:4700::1'])
      expect([address, reaches({}, address, 443)]).toEqual([address, true]);
    for (const address of [...ofMachines, ...ofNetworks, '2002:a00:1::', '64:ff9b::a00:1'])
      expect([address, reaches({}, address, 443)]).toEqual([address, false]);
    expect(reaches({ refusedBlocks: ['203.0.113.0/24'] }, '203.0.113.1', 443)).toBe(false);
    expect(reaches({ refusedBlocks: ['0.0.0.0/0'] }, '203.0.113.1', 443)).toBe(false);
  });

  test('reach no mail server and no name server of others', () => {
    const installation = { refusedPorts: [587, 25, 465] };
    const ports = [24, 25, 26, 53, 465, 466, 587, 853, 65_535];
    expect(ports.filter((port) => reaches(installation, '203.0.113.1', port))).toEqual([24, 26, 466, 65_535]);
  });

  test('reach what an operator allows, at each port, but never what gives machines their identity', () => {
    const installation = { allowedBlocks: ['10.1.0.0/16', '169.254.0.0/16', '100.64.0.0/9', '0.0.0.0/1'] };
    for (const port of [25, 5432]) expect(reaches(installation, '10.1.2.3', port)).toBe(true);
    expect(ofMachines.filter((address) => reaches(installation, address, 80))).toEqual([]);
  });

  test('find their supervisor where its name does not say that it is in the cluster', () => {
    const supervisorPeers = [namespacePeer('ingress-nginx'), { ipBlock: { cidr: '10.0.3.0/24' } }];
    const installation = { supervisorUrl: 'https://region.example.com', supervisorPeers };
    expect(policyOf(objectsOf({ installation })).egress).toContainEqual({ to: supervisorPeers });
  });

  test.each([
    ['https://192.0.2.1:7000', { ipBlock: { cidr: '192.0.2.1/32' } }],
    ['https://[fd00::1]:7000', { ipBlock: { cidr: 'fd00::1/128' } }],
    ['https://region.example.com', undefined],
  ])('find the supervisor at %s', (url, peer) => expect(supervisorPeer(url)).toEqual(peer));

  test('leave the address of a client as it is, for access rules go by it', () => {
    expect(objectsOf()['Service node-100']!.spec).toMatchObject({ externalTrafficPolicy: 'Local' });
    const inside = objectsOf({ installation: { serviceType: 'ClusterIP' } })['Service node-100']!.spec;
    expect(inside).not.toHaveProperty('externalTrafficPolicy');
  });

  test('give a larger tier more, and its namespace room for just that', () => {
    const quota = (tier: 'free' | 'large') => objectsOf({ tier, nodes: 3 })['ResourceQuota nodes']!.spec;
    expect(quota('free')).toMatchObject({ hard: { pods: '3', 'requests.cpu': '300m', 'limits.cpu': '3' } });
    expect(quota('large')).toMatchObject({ hard: { pods: '3', 'requests.cpu': '3', 'limits.cpu': '6' } });
  });

  test.each([
    ['in the whole GiB that providers make', 0, '60Gi', '10Gi'],
    ['which is as large as the largest one', 20, '120Gi', '20Gi'],
  ])('have room for the volume of a restore beside the present one, %s', (_how, largestVolume, all, one) => {
    const { 'ResourceQuota nodes': quota, 'LimitRange nodes': limits } = objectsOf({
      nodes: 3,
      largestVolume,
    });
    expect(quota!.spec).toMatchObject({ hard: { persistentvolumeclaims: '6', 'requests.storage': all } });
    expect(limits!.spec).toMatchObject({
      limits: [{}, { type: 'PersistentVolumeClaim', max: { storage: one } }],
    });
  });

  test('keep what opens secrets, and what has them as files, off the volume', () => {
    const { volumes = [], containers } = podOf(objectsOf());
    expect(volumes).toContainEqual({
      ...{ name: 'sealing', secret: { secretName: 'node-100-sealing', defaultMode: 0o440 } },
    });
    expect(volumes).toContainEqual({
      ...{ name: 'runtime', emptyDir: { medium: 'Memory', sizeLimit: '16Mi' } },
    });
    const [{ env = [], volumeMounts = [] } = {}] = containers;
    const variable = (name: string) => env.find((one) => one.name === name)?.value ?? '';
    const mountOf = (path: string) =>
      volumeMounts.find(({ mountPath }) => path.startsWith(`${mountPath}/`))?.name;
    expect(mountOf(variable('AGENT_HOME'))).toBe('data');
    expect(mountOf(variable('AGENT_SEALING_KEY_FILE'))).toBe('sealing');
    expect(mountOf(variable('AGENT_RUNTIME_DIR'))).toBe('runtime');
  });

  test("keep their data on the node's claim", () => {
    const objects = objectsOf({ claim: 'node-100-restored' });
    expect(podOf(objects).volumes).toContainEqual({
      ...{ name: 'data', persistentVolumeClaim: { claimName: 'node-100-restored' } },
    });
    expect(Object.keys(objects)).toContain('PersistentVolumeClaim node-100-restored');
  });

  test('let machines be drained one node after the other, where there are several', () => {
    expect(objectsOf({ nodes: 3 })).toHaveProperty(
      ['PodDisruptionBudget nodes', 'spec', 'maxUnavailable'],
      1,
    );
    expect(objectsOf()).not.toHaveProperty(['PodDisruptionBudget nodes']);
  });

  describe('of a cluster', () => {
    const shown = (more: Parameters<typeof objectsOf>[0] = {}) =>
      objectsOf({ nodes: 3, isCluster: true, ...more });

    test('have names by which the certificate knows them, also before they are ready', () => {
      const objects = shown();
      const service = objects['Service brokers']!;
      expect(service.spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true });
      const set = objects['StatefulSet node-100']!;
      expect(set.spec).toMatchObject({ serviceName: service.metadata.name });
      const { labels = {} } = (set.spec as { template: { metadata: ObjectMetadata } }).template.metadata;
      expect(labels).toMatchObject((service.spec as { selector: Record<string, string> }).selector);

      const place = podPlace('test');
      const id = idOf<DeploymentId>(labels['sluice.example/deployment']!);
      const host = place.hostOf(id, idOf<NodeId>(100));
      expect(host).toBe(`${set.metadata.name}-0.${service.metadata.name}.${set.metadata.namespace}.svc`);
      expect(place.namesOf(id)).toEqual({ dns: [host.replace('node-100-0', '*')], addresses: [] });
    });

    test('let each other in on their own port, and nobody else', () => {
      const objects = shown();
      const rule = {
        ports: [{ protocol: 'TCP', port: 6222 }],
        peers: [
          { podSelector: { matchLabels: (objects['Service brokers']!.spec as V1ServiceSpec).selector } },
        ],
      };
      expect(policyOf(objects).ingress).toEqual([{ from: rule.peers, ports: rule.ports }]);
      expect(policyOf(objects).egress).toContainEqual({ to: rule.peers, ports: rule.ports });
      const [agent] = podOf(objects).containers;
      expect(agent!.env).toContainEqual({ name: 'AGENT_CLUSTER_PORT', value: '6222' });
      expect(JSON.stringify(objectsOf({ nodes: 3 }))).not.toContain('6222');
    });

    test('share no machine, unless the installation has too few', () => {
      const rule = 'podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution';
      expect(podOf(shown()).affinity).toHaveProperty(rule, [
        expect.objectContaining({ topologyKey: 'kubernetes.io/hostname' }),
      ]);
      expect(podOf(shown({ installation: { clusterSpread: 'preferred' } }))).not.toHaveProperty('affinity');
      expect(podOf(objectsOf({ nodes: 3 }))).not.toHaveProperty('affinity');
    });
  });

  describe('of a deployment that asks for options', () => {
    const required = 'podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution';

    test.each(['NodePort', 'LoadBalancer', 'ClusterIP'] as const)(
      'have no public address by a private Service, where others are a %s',
      (serviceType) => {
        const shown = (privateService: Installation['privateService']) =>
          objectsOf({ options: ['private_address'], installation: { serviceType, privateService } });
        const inside = shown({ type: 'ClusterIP', annotations: {} });
        expect(inside['Service node-100']).toHaveProperty('spec.type', 'ClusterIP');
        expect(inside['Service node-100']).not.toHaveProperty('spec.externalTrafficPolicy');
        expect(hardOf(inside)).toHaveProperty(['services.loadbalancers'], '0');
        const internal = shown({ type: 'LoadBalancer', annotations: { 'cloud.example/internal': 'true' } });
        expect(internal['Service node-100']).toMatchObject({
          metadata: { annotations: { 'cloud.example/internal': 'true' } },
          spec: { type: 'LoadBalancer', externalTrafficPolicy: 'Local' },
        });
        expect(hardOf(internal)).toHaveProperty(['services.loadbalancers'], '1');
        expect(podOf(inside).containers).toEqual(podOf(objectsOf()).containers);
      },
    );

    test('are spread over zones, and wait where there are too few', () => {
      const shown = (nodes: number, zones: number) =>
        podOf(
          objectsOf({
            ...{ nodes, isCluster: true, options: ['multi_az'] },
            installation: { zones, clusterSpread: 'preferred' },
          }),
        );
      const zone = {
        maxSkew: 1,
        topologyKey: 'topology.kubernetes.io/zone',
        whenUnsatisfiable: 'DoNotSchedule',
      };
      expect(shown(3, 2).topologySpreadConstraints).toContainEqual(
        expect.objectContaining({ ...zone, minDomains: 2 }),
      );
      expect(shown(3, 5).topologySpreadConstraints).toContainEqual(
        expect.objectContaining({ ...zone, minDomains: 3 }),
      );
      expect(shown(3, 3).affinity).toHaveProperty(required, [
        expect.objectContaining({ topologyKey: 'kubernetes.io/hostname' }),
      ]);
    });

    test('share machines with no other tenant, and are on those that are kept for this', () => {
      const installation = { dedicatedNodes: { key: 'pool.example/dedicated', value: 'yes' } };
      const { nodeSelector, tolerations, affinity } = podOf(
        objectsOf({ options: ['dedicated'], installation }),
      );
      expect(nodeSelector).toEqual({ 'pool.example/dedicated': 'yes' });
      expect(tolerations).toContainEqual({ ...installation.dedicatedNodes, operator: 'Equal' });
      expect(affinity).toHaveProperty(required, [
        expect.objectContaining({ namespaceSelector: {}, topologyKey: 'kubernetes.io/hostname' }),
      ]);
      const other = podOf(objectsOf({ installation }));
      expect(other.nodeSelector).toBeUndefined();
      expect(other.tolerations).not.toContainEqual(expect.objectContaining(installation.dedicatedNodes));
    });
  });

  test.each([
    [{}, ['private_address']],
    [{ zones: 2 }, ['private_address', 'multi_az']],
    [{ dedicatedNodes: { key: 'a', value: 'b' } }, ['private_address', 'dedicated']],
  ])('set up with %j, a cluster provides %j', (installation, options) => {
    expect(optionsOf(anInstallation(installation))).toEqual(options);
  });

  test('trust the authority that they are told', () => {
    const installation = { authority: '-----BEGIN CERTIFICATE-----' };
    const [agent] = podOf(objectsOf({ installation })).containers;
    const variable = agent!.env!.find(({ name }) => name === 'NODE_EXTRA_CA_CERTS');
    expect(agent!.volumeMounts!.some(({ mountPath }) => variable!.value!.startsWith(mountPath))).toBe(true);
  });
});

describe('a template of nodes', () => {
  const shape = aDeployment();
  const shownWith = (installation: Partial<Installation> = {}, options: RegionOption[] = []) =>
    objectsOf({ shape, installation, options });
  const templateOf = (objects: ReturnType<typeof objectsOf>) =>
    (objects['StatefulSet node-100']!.spec as { template: { metadata: ObjectMetadata; spec: V1PodSpec } })
      .template;
  const podTemplate = {
    ...noTemplate.pods,
    labels: { team: 'streams' },
    annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' },
    nodeSelector: { pool: 'brokers' },
    tolerations: [{ key: 'pool', operator: 'Equal' as const, value: 'brokers' }],
    topologySpreadConstraints: [
      { topologyKey: 'rack', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' as const, minDomains: 2 },
    ],
    priorityClassName: 'brokers',
  };

  test('adds to pods, and takes nothing away that the driver decides', () => {
    const [plain, shown] = [{}, { podTemplate }].map((installation) => templateOf(shownWith(installation)));
    expect(shown!.metadata.labels).toEqual({ ...plain!.metadata.labels, team: 'streams' });
    expect(shown!.metadata.annotations).toMatchObject(podTemplate.annotations);
    const { nodeSelector, tolerations, priorityClassName, topologySpreadConstraints, ...same } = shown!.spec;
    expect({ nodeSelector, priorityClassName }).toEqual({
      nodeSelector: { pool: 'brokers' },
      priorityClassName: 'brokers',
    });
    expect(tolerations).toEqual([...plain!.spec.tolerations!, ...podTemplate.tolerations]);
    const [, machines] = plain!.spec.topologySpreadConstraints!;
    expect(topologySpreadConstraints).toEqual([
      ...plain!.spec.topologySpreadConstraints!,
      { ...podTemplate.topologySpreadConstraints[0], labelSelector: machines!.labelSelector },
    ]);
    const { tolerations: former, topologySpreadConstraints: spread, ...other } = plain!.spec;
    expect([former, spread]).not.toContain(undefined);
    expect(same).toEqual(other);
  });

  test('has dedicated deployments on machines that have its labels as well', () => {
    const dedicatedNodes = { key: 'dedicated', value: 'yes' };
    const shown = shownWith({ podTemplate, dedicatedNodes }, ['dedicated']);
    expect(podOf(shown).nodeSelector).toEqual({ pool: 'brokers', dedicated: 'yes' });
  });

  test.each([
    ['says more', noTemplate.pods, podTemplate],
    ['says less', podTemplate, { ...podTemplate, nodeSelector: {} }],
    ['says nothing any more', podTemplate, noTemplate.pods],
  ])('that %s makes pods outdated, and leaves their volumes alone', (_how, before, after) => {
    const [live, wanted] = [before, after].map((one) => shownWith({ podTemplate: one }));
    const set = { ...live!['StatefulSet node-100']!, status: { updateRevision: 'a' } };
    const pod = { metadata: { name: 'node-100-0', labels: { 'controller-revision-hash': 'a' } } };
    expect(isOutdated(set, live!['StatefulSet node-100'], pod)).toBe(false);
    expect(isOutdated(set, wanted!['StatefulSet node-100'], pod)).toBe(true);
    const claim = 'PersistentVolumeClaim node-100';
    expect(wanted![claim]).toEqual(live![claim]);
    expect(wanted!['Service node-100']).toEqual(live!['Service node-100']);
  });

  test('gives Services annotations that name their node, those without a public address their own', () => {
    const host = 'external-dns.alpha.kubernetes.io/hostname';
    const installation = {
      serviceTemplate: { annotations: { [host]: 'n{node}.d{deployment}.example', json: '{"a":{}}' } },
      privateService: { type: 'ClusterIP' as const, annotations: { internal: 'yes' } },
    };
    const shown = (options: RegionOption[]) => shownWith(installation, options)['Service node-100']!;
    const { annotations } = shown([]).metadata;
    const name = `n100.d${shape.id}.example`;
    expect(annotations).toMatchObject({ [host]: name, json: '{"a":{}}' });
    expect(shown(['private_address']).metadata.annotations).toMatchObject({ internal: 'yes' });
    expect(shown(['private_address']).metadata.annotations).not.toHaveProperty([host]);
    // an annotation that is taken out of the template is taken from the Service
    expect(covers(shown([]), shownWith()['Service node-100'])).toBe(false);
    const restarts = ({ 'StatefulSet node-100': set }: ReturnType<typeof objectsOf>) => set!.spec;
    expect(restarts(shownWith(installation))).toEqual(restarts(shownWith()));
  });

  test('gives load balancers a class, which those that are there keep', () => {
    const installation: Partial<Installation> = {
      serviceType: 'LoadBalancer',
      serviceTemplate: { annotations: {}, loadBalancerClass: 'example.com/public' },
      privateService: { type: 'LoadBalancer', annotations: {}, loadBalancerClass: 'example.com/internal' },
    };
    const classOf = (spec?: object, options: RegionOption[] = []) => {
      const service = spec && { metadata: { name: 'node-100' }, spec };
      const shown = objectsOf({ installation, options, ...(service && { service }) });
      return (shown['Service node-100']!.spec as V1ServiceSpec).loadBalancerClass;
    };
    expect(classOf()).toBe('example.com/public');
    expect(classOf(undefined, ['private_address'])).toBe('example.com/internal');
    expect(classOf({ type: 'NodePort' })).toBe('example.com/public');
    expect(classOf({ type: 'LoadBalancer', loadBalancerClass: 'example.com/old' })).toBe('example.com/old');
    expect(classOf({ type: 'LoadBalancer' })).toBeUndefined();
  });
});

describe('credentials of a registry', () => {
  const pull = pullCredentials('{"auths":{"registry.example":{"auth":"YTpi"}}}', 'test');

  test('are a Secret of the namespace, by which pods get their image', () => {
    const objects = objectsOf({ installation: { pull } });
    const secret = objects['Secret registry']!;
    expect(secret).toMatchObject({
      type: 'kubernetes.io/dockerconfigjson',
      metadata: { namespace: objects['StatefulSet node-100']!.metadata.namespace },
    });
    const { '.dockerconfigjson': data = '' } = secret['data'] as Record<string, string>;
    expect(Buffer.from(data, 'base64').toString()).toBe(pull.text);
    expect(podOf(objects).imagePullSecrets).toEqual([{ name: 'registry' }]);
    expect(podOf(objectsOf())).not.toHaveProperty('imagePullSecrets');
    expect(objectsOf()).not.toHaveProperty(['Secret registry']);
  });

  test('that change are noticed by their namespace, and restart no node', () => {
    const shape = aDeployment();
    const next = pullCredentials(pull.text.replace('YTpi', 'YTpj'), 'test');
    const [live, wanted] = [pull, next].map((one) => objectsOf({ shape, installation: { pull: one } }));
    const space = Object.keys(live!).find((name) => name.startsWith('Namespace '))!;
    expect(covers(live![space], live![space])).toBe(true);
    expect(covers(live![space], wanted![space])).toBe(false);
    expect(wanted!['StatefulSet node-100']).toEqual(live!['StatefulSet node-100']);
    expect(JSON.stringify(live![space])).not.toContain('YTpi');
  });
});

describe('a pod is outdated', () => {
  const wanted = objectsOf()['StatefulSet node-100']!;
  const live = (more: { generation?: number; spec?: object } = {}) => ({
    ...wanted,
    ...(more.spec && { spec: more.spec }),
    metadata: { ...wanted.metadata, generation: more.generation ?? 2 },
    status: { observedGeneration: 2, updateRevision: 'node-100-b' },
  });
  const pod = (revision: string) => ({
    metadata: { name: 'node-100-0', labels: { 'controller-revision-hash': revision } },
  });

  test.each<[string, ReturnType<typeof live> | undefined, string, boolean]>([
    ['when another is wanted', live({ spec: { ...wanted.spec, replicas: 2 } }), 'node-100-b', true],
    ['while the cluster has not looked at that', live({ generation: 3 }), 'node-100-b', true],
    ['until the cluster has replaced it', live(), 'node-100-a', true],
    ['no more afterwards', live(), 'node-100-b', false],
    ['nor where nothing makes it', undefined, 'node-100-b', false],
  ])('%s', (_when, set, revision, expected) => expect(isOutdated(set, wanted, pod(revision))).toBe(expected));

  test('not where there is none', () => expect(isOutdated(live(), wanted, undefined)).toBe(false));
});

test('quantities are written as the API server gives them back', () => {
  expect([250, 1_000, 64_000, 3_500_000].map(cpuQuantity)).toEqual(['250m', '1', '64', '3500']);
  expect([1_024, 1_536, 2_097_152].map(memoryQuantity)).toEqual(['1Gi', '1536Mi', '2Ti']);
  expect([10, 1_000, 32_000, 1_500].map(storageQuantity)).toEqual(['10G', '1T', '32T', '1500G']);
});

test('quantities of storage are read whoever has written them', () => {
  expect(['10G', '10Gi', '1536Mi', '1e9', '5', '1.5Ti', '2500m', 'many'].map(bytesOf)).toEqual([
    ...[1e10, 10 * 2 ** 30, 1.5 * 2 ** 30, 1e9, 5, 1.5 * 2 ** 40, 2.5, NaN],
  ]);
});

test('the supervisor names itself as RBAC does', () => {
  expect(subjectOf('system:serviceaccount:sluice:supervisor')).toEqual({
    ...{ kind: 'ServiceAccount', name: 'supervisor', namespace: 'sluice' },
  });
  expect(subjectOf('admin')).toMatchObject({ kind: 'User', name: 'admin' });
});

describe('an object', () => {
  const wanted = {
    ports: [{ name: 'tcp', port: 1 }],
    drop: ['ALL'],
    ingress: [{ from: [{ ipBlock: { cidr: '192.0.2.0/24' } }] }],
    labels: { a: 'b' },
  };

  test.each<[string, unknown]>([
    ['defaults', { ...wanted, ports: [{ name: 'tcp', port: 1, protocol: 'TCP' }], more: true }],
    [
      'what others have added',
      { ...wanted, ports: [{ name: 'mesh', port: 2 }, ...wanted.ports], labels: { a: 'b', c: 'd' } },
    ],
  ])('is as it was applied with %s', (_what, live) => expect(covers(live, wanted)).toBe(true));

  test('of which nothing is said is as it was applied where the API server leaves that out', () => {
    expect(covers({}, { ingress: [] })).toBe(true);
    expect(covers({ ingress: [{}] }, { ingress: [] })).toBe(false);
  });

  test.each<[string, unknown]>([
    ['a field', { ...wanted, ports: [{ name: 'tcp', port: 2 }] }],
    ['a label', { ...wanted, labels: {} }],
    ['a rule more', { ...wanted, ingress: [...wanted.ingress, {}] }],
    ['a rule less', { ...wanted, ingress: [] }],
    ['another list', { ...wanted, drop: ['ALL', 'x'] }],
    ['all of it', undefined],
  ])('has drifted with %s changed', (_what, live) => expect(covers(live, wanted)).toBe(false));
});

describe('the claim of a volume', () => {
  const { 'PersistentVolumeClaim node-100': claim } = objectsOf({
    installation: { storageClasses: { local_ssd: 'new', network_balanced: 'new' } },
  });
  const live = (storage: string) => ({
    ...claim!,
    spec: { storageClassName: 'old', resources: { requests: { storage } }, volumeName: 'pv' },
  });

  test('grows', () =>
    expect(keptVolume(claim!, live('1G')).spec).toMatchObject({
      resources: { requests: { storage: '10G' } },
    }));

  test.each(['2T', '30G', '200Gi'])('of %s never becomes smaller', (storage) => {
    expect(keptVolume(claim!, live(storage)).spec).toMatchObject({ resources: { requests: { storage } } });
  });

  test.each(['9Gi', '9500Mi'])('of %s grows as well', (storage) => {
    expect(keptVolume(claim!, live(storage)).spec).toMatchObject({
      resources: { requests: { storage: '10G' } },
    });
  });

  test('stays of the class that it was made of', () =>
    expect(keptVolume(claim!, live('1G')).spec).toMatchObject({ storageClassName: 'old' }));
});
