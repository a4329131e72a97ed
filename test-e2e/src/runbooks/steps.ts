import { client, eventually } from '@sluice/testing';

/** What steps have to know of the installation on which they run. */
export interface Place {
  /** what the first lines of the alerts' commands say for a region */
  region: Record<'namespace' | 'service' | 'database', string>;
  /** the address of the region's supervisor, and a key */
  regionUrl: string;
  apiKey: string;
  /** a deployment there */
  deployment: number;
  /** main-api, and its path of the deployments of that one's environment */
  apiUrl: string;
  deploymentsPath: string;
  /** the supervisor of another region, in cloud_b */
  otherRegionUrl: string;
  /** Stores a message in a stream of a deployment, and counts those there. */
  publish(url: string): Promise<void>;
  stored(url: string): Promise<number>;
  /** Has a message dead-lettered by audit. @returns its number */
  deadLetter(): Promise<number>;
}

/** A block of a runbook, as it is run on an installation. */
export interface Step<Where extends Place = Place> {
  /** its name */
  block: string;
  /** what a person fills in */
  values?: Record<string, string | ((place: Where) => string | number | Promise<string | number>)>;
  /** what has to have happened before */
  before?: (place: Where) => Promise<void>;
  /** whether the document promises that requests are answered meanwhile */
  goesOn?: boolean;
  /** Whether what the document promises has come true. @throws Error when it has not */
  promised?: (place: Where, output: string) => Promise<void> | void;
}

/** What a person fills in, as of now. */
export async function valuesOf<Where extends Place>(
  { values = {} }: Step<Where>,
  place: Where,
): Promise<Record<string, string>> {
  const entries: [string, string][] = [];
  for (const [name, value] of Object.entries(values))
    entries.push([name, String(typeof value === 'string' ? value : await value(place))]);
  return Object.fromEntries(entries);
}

/** The output has this. */
export const says =
  (...wanted: RegExp[]) =>
  (_place: unknown, output: string): void => {
    for (const one of wanted)
      if (!one.test(output)) throw new Error(`it does not say ${one}:\n${output.slice(-2_000)}`);
  };

/** The snapshot that was made last, once it is completed. */
async function lastSnapshot({ regionUrl, apiKey, deployment }: Place): Promise<number> {
  const path = `/deployments/${deployment}/snapshots?results=1`;
  return await eventually(
    async () => {
      const { body } = await client(regionUrl, apiKey).get<{ items: { id: number; status: string }[] }>(path);
      const [snapshot] = body.items;
      if (snapshot?.status !== 'completed') throw new Error(`the snapshot is ${snapshot?.status}`);
      return snapshot.id;
    },
    { timeoutMs: 60_000 },
  );
}

const ofRegion = {
  namespace: ({ region }: Place) => region.namespace,
  service: ({ region }: Place) => region.service,
  database: ({ region }: Place) => region.database,
};
const ofAudit = { namespace: 'sluice', service: 'audit', database: 'audit' };
const ofApi = {
  region: ({ regionUrl }: Place) => regionUrl,
  key: ({ apiKey }: Place) => apiKey,
  deployment: ({ deployment }: Place) => deployment,
};

/** the deployment that the last move has made; 0: none */
let moved = 0;
const ofMove = {
  api: ({ apiUrl }: Place) => apiUrl,
  deployments: ({ deploymentsPath }: Place) => deploymentsPath,
  key: ({ apiKey }: Place) => apiKey,
  from: ({ regionUrl, deployment }: Place) => `${regionUrl}/deployments/${deployment}`,
  to: ({ otherRegionUrl }: Place) => `${otherRegionUrl}/deployments/${moved}`,
};

async function untilMovedIsThere({ otherRegionUrl, apiKey }: Place): Promise<void> {
  await eventually(
    async () => {
      const { body } = await client(otherRegionUrl, apiKey).get<{ status: string }>(`/deployments/${moved}`);
      if (body.status !== 'initialized') throw new Error(`the deployment ${moved} is ${body.status}`);
    },
    { timeoutMs: 120_000 },
  );
  const rules = { broker_tcp: true, broker_http: false, broker_websocket: false, broker_udp: false };
  const rule = { name: 'all', cidr_blocks: ['0.0.0.0/0'], rules };
  const { status, body } = await client(otherRegionUrl, apiKey).post(
    `/deployments/${moved}/access_rules`,
    rule,
  );
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
}

async function storageOf({ apiUrl, deploymentsPath, apiKey }: Place): Promise<unknown> {
  const path = `${deploymentsPath}/${moved}`;
  const { body } = await client(apiUrl, apiKey).get<{ upgrades: { status: string }[]; storage: unknown }>(
    path,
  );
  if (body.upgrades[0]?.status !== 'completed') throw new Error(JSON.stringify(body.upgrades));
  return body.storage;
}

/** Moves a deployment to another region, lets that one grow, and deletes it. */
const moveSteps: readonly Step[] = [
  {
    block: 'move-a-deployment: Move a deployment to another region',
    values: ofMove,
    promised: (_place, output) => {
      moved = (JSON.parse(output) as { id: number }).id;
    },
  },
  {
    block: 'move-a-deployment: Move a deployment to another region (2)',
    values: ofMove,
    before: untilMovedIsThere,
    promised: says(/"status":"initialized"/),
  },
  { block: 'move-a-deployment: Copy', values: ofMove },
  {
    block: 'move-a-deployment: Copy (2)',
    values: ofMove,
    before: (place) => place.publish(`${place.regionUrl}/deployments/${place.deployment}`),
    promised: async (place, output) => {
      says(/^MOVED: 1 messages copied$/m)(undefined, output);
      const count = await place.stored(`${place.otherRegionUrl}/deployments/${moved}`);
      if (count !== 1) throw new Error(`there are ${count} messages`);
    },
  },
  { block: 'move-a-deployment: Switch', values: ofMove, promised: says(/"username"/) },
  {
    block: 'grow-volumes: Of a deployment',
    values: { ...ofMove, deployment: () => moved },
    promised: async (place) => {
      const storage = await eventually(() => storageOf(place), { timeoutMs: 120_000 });
      if (!JSON.stringify(storage).includes('40')) throw new Error(JSON.stringify(storage));
    },
  },
  // the runbook deletes the former one; here others still need that
  {
    block: 'move-a-deployment: Switch (2)',
    values: { ...ofMove, from: ({ otherRegionUrl }: Place) => `${otherRegionUrl}/deployments/${moved}` },
  },
];

/** Blocks that need no cluster, in an order in which they can be run. */
export const stackSteps: readonly Step[] = [
  { block: 'alerts: SluiceErrors' },
  { block: 'alerts: SluiceLayerUnreachable' },
  {
    block: 'alerts: SluiceSlow',
    promised: says(/^sluice_database_pool_waiting/m, /^nodejs_eventloop_lag_p99_seconds/m),
  },
  { block: 'alerts: SluiceUncaughtErrors' },
  { block: 'alerts: SluiceDatabasePool' },
  { block: 'alerts: SluiceOutboxStuck' },
  { block: 'alerts: SluiceOutboxDeadLetters', promised: says(/There are none\./) },
  {
    block: 'alerts: SluiceConsumerPaused',
    values: { ...ofAudit, consumer: 'audit', sequence: '1' },
    promised: says(/Message 1 becomes a dead letter of audit/),
  },
  {
    block: 'alerts: SluiceDeadLetters',
    before: async (place) => void (await place.deadLetter()),
    promised: says(/^\d+ +\d+ \w+ +audit +sluice\.events\./m),
  },
  {
    block: 'alerts: SluiceDeadLetters (2)',
    values: { number: (place) => place.deadLetter() },
    promised: says(/^subject +sluice\.events\./m, /audit tries it again\./),
  },
  {
    block: 'alerts: SluiceDeadLetters (3)',
    values: { number: (place) => place.deadLetter() },
    promised: says(/^\d+ is removed\.$/m),
  },
  {
    block: 'alerts: SluiceReconcileOverdue',
    values: ofRegion,
    promised: says(/^sluice_reconcile_slots \d/m, /^sluice_reconcile_slots_used \d/m),
  },
  { block: 'alerts: SluiceDeploymentStuck', values: ofRegion },
  { block: 'alerts: SluiceDeploymentsFailed', values: ofRegion },
  { block: 'alerts: SluiceDeletionsOverdue', values: ofRegion },
  { block: 'alerts: SluiceMaintenanceOverdue', values: ofRegion },
  { block: 'alerts: SluiceNodesUnreachable', values: ofRegion },
  { block: 'alerts: SluiceBrokerDown', values: ofRegion },
  { block: 'alerts: SluiceRestoreReviewPending', promised: says(/There are none\./) },
  {
    block: 'alerts: SluiceRestoreReviewPending (2)',
    values: { numbers: '--all' },
    promised: says(/There are none\./),
  },
  { block: 'alerts: SluiceCatalogueRefused' },
  { block: 'alerts: SluiceUsageMissing' },
  { block: 'alerts: SluiceUsageBehind' },
  { block: 'alerts: SluiceMonthsUnclosed' },
  { block: 'alerts: SluiceWebhooksRefused' },
  { block: 'alerts: SluicePaymentsOverdue' },
  { block: 'snapshots: Diagnostic snapshots', values: ofApi },
  {
    block: 'snapshots: Diagnostic snapshots (2)',
    values: ofApi,
    before: async (place) => void (await lastSnapshot(place)),
    promised: says(/"status":"completed"/),
  },
  {
    block: 'snapshots: Diagnostic snapshots (3)',
    values: { ...ofApi, snapshot: lastSnapshot },
    promised: async (place, output) => {
      const { url } = JSON.parse(output) as { url: string };
      const answer = await fetch(new URL(new URL(url).pathname + new URL(url).search, place.regionUrl));
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (bytes.subarray(0, 2).toString() !== 'PK' || !bytes.includes('report.html'))
        throw new Error(`${url}: ${answer.status}, not a ZIP with a report`);
    },
  },
  ...moveSteps,
];
