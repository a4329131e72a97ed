import { idOf, type NodeId } from '@sluice/contracts';
import type { ApiObject } from '../compute/api-object.ts';
import { claimOf, type Restored } from '../compute/node-claim.ts';
import { isInPlace, isUsed, restoredClaim, type SeenNode } from './restored-claims.ts';
import { complaintOf, digestOf, isCut, sizeOf, type Snapshot } from './volume-copies.ts';

const node = idOf<NodeId>(7);
const labels = {
  ...{ 'sluice.example/owner': 'test', 'sluice.example/node': '7', 'sluice.example/deployment': '3' },
};

function aClaim(name: string, minute: number, restored?: Restored, storage = '10G'): ApiObject {
  return {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
    metadata: {
      ...{ name, namespace: 'test-d3', creationTimestamp: `2026-01-01T00:0${minute}:00Z` },
      labels: {
        ...labels,
        ...(restored && { 'sluice.example/restored': restored, 'sluice.example/restore': 'r', theirs: 'no' }),
      },
    },
    spec: { storageClassName: 'present', resources: { requests: { storage } } },
  };
}

test.each<[string, [string, number, Restored?][], string | undefined]>([
  ['the one that it was made with', [['node-7', 0]], 'node-7'],
  [
    'still that one while a restored one lies beside',
    [
      ['node-7-a', 1, 'staged'],
      ['node-7', 0],
    ],
    'node-7',
  ],
  [
    'the restored one once it is swapped',
    [
      ['node-7-a', 1, 'swapped'],
      ['node-7', 0],
    ],
    'node-7-a',
  ],
  [
    'the one restored last',
    [
      ['node-7-b', 2, 'swapped'],
      ['node-7-a', 1, 'settled'],
    ],
    'node-7-b',
  ],
  [
    'the former one where the last is taken back',
    [
      ['node-7-b', 2, 'staged'],
      ['node-7-a', 1, 'settled'],
    ],
    'node-7-a',
  ],
  ['none where there is only a staged one', [['node-7-a', 1, 'staged']], undefined],
  ['none of another name', [['theirs', 1]], undefined],
])("a node's claim is %s", (_which, claims, name) => {
  expect(
    claimOf(
      claims.map((claim) => aClaim(...claim)),
      node,
    )?.metadata.name,
  ).toBe(name);
});

function aSnapshot(status: Snapshot['status'], storageClass?: string): Snapshot {
  const metadata = { name: 'backup-1-7-a', namespace: 'test-d3', uid: 'u' };
  return { object: { kind: 'VolumeSnapshot', metadata }, status, claim: 'node-7', storageClass };
}

test('a claim of a copy has its class, is as large as the larger volume, and says whose it is', () => {
  const made = (restoreSize: string, present: ApiObject) =>
    restoredClaim(node, 'r', { snapshot: aSnapshot({ restoreSize }, 'of-the-copy'), present }, 'machine');
  expect(made('10Gi', aClaim('node-7', 0))).toMatchObject({
    metadata: {
      ...{ name: 'node-7-r', namespace: 'test-d3' },
      labels: { ...labels, 'sluice.example/restore': 'r', 'sluice.example/restored': 'staged' },
      annotations: { 'volume.kubernetes.io/selected-node': 'machine' },
    },
    spec: {
      storageClassName: 'of-the-copy',
      resources: { requests: { storage: '10Gi' } },
      dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'backup-1-7-a' },
    },
  });
  // one that has grown since does not become smaller, and what others have written on it is theirs
  const grown = made('10Gi', aClaim('node-7-a', 1, 'settled', '20G'));
  expect(grown.spec).toMatchObject({ resources: { requests: { storage: '20G' } } });
  expect(grown.metadata.labels).not.toHaveProperty('theirs');
});

test('brokers go on as soon as a copy is of its moment, and what keeps one is told', () => {
  const content = { boundVolumeSnapshotContentName: 'c' };
  expect(isCut(aSnapshot(content))).toBe(false);
  expect(isCut(aSnapshot({ ...content, creationTime: '2026-01-01T00:00:00Z', readyToUse: false }))).toBe(
    true,
  );
  expect(complaintOf(aSnapshot({}))).toMatch(/does not answer/);
  expect(complaintOf(aSnapshot(content))).toBeUndefined();
  expect(complaintOf(aSnapshot({ ...content, error: { message: 'no room' } }))).toBe('no room');
  expect([sizeOf(aSnapshot({ restoreSize: '1Gi' })), sizeOf(aSnapshot({}))]).toEqual([2 ** 30, 0]);
  const [one, other] = ['1', '2'].map((creationTime) => digestOf(aSnapshot({ creationTime })));
  expect(one).not.toBe(other);
});

describe('a claim is in place', () => {
  const volumes = (claimName: string) => ({
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
  });
  const set = (claimName: string, observedGeneration = 2): ApiObject => ({
    metadata: { name: 'node-7', generation: 2 },
    spec: { template: { spec: volumes(claimName) } },
    status: { observedGeneration, updateRevision: 'a' },
  });
  const pod = (claimName: string, more: object = {}): ApiObject => ({
    metadata: { name: 'node-7-0', ...more },
    spec: volumes(claimName),
  });
  const seen = (statefulSet: ApiObject | undefined, ...pods: ApiObject[]): SeenNode => ({
    ...{ claims: [], claim: undefined, statefulSet, pods },
  });
  const claim = aClaim('node-7-a', 1, 'swapped');

  test.each<[string, SeenNode, boolean]>([
    ['once the only pod has it', seen(set('node-7-a'), pod('node-7-a')), true],
    ['not while its pod has the former', seen(set('node-7-a'), pod('node-7')), false],
    ['nor while that ends', seen(set('node-7-a'), pod('node-7-a', { deletionTimestamp: 'now' })), false],
    ['nor without a pod', seen(set('node-7-a')), false],
    ['nor while the next pod would have the former', seen(set('node-7'), pod('node-7-a')), false],
    ['nor before the cluster has taken that up', seen(set('node-7-a', 1), pod('node-7-a')), false],
    ['nor where nothing makes a pod', seen(undefined, pod('node-7-a')), false],
  ])('%s', (_when, state, expected) => expect(isInPlace(state, claim)).toBe(expected));

  test('and is used for as long as a pod has it, or will', () => {
    expect(isUsed(seen(set('node-7'), pod('node-7-a')), claim)).toBe(true);
    expect(isUsed(seen(set('node-7-a')), claim)).toBe(true);
    expect(isUsed(seen(set('node-7'), pod('node-7')), claim)).toBe(false);
  });
});
