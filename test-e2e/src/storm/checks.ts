import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { client, eventually, processesOf, supervisorOf, type Stack } from '@sluice/testing';
import { reasonOf } from '../long-run.ts';
import { auditEntries } from '../story.ts';
import { databases, type Machine } from './machine.ts';
import { deploymentsOf, readNames, type Acknowledged, type StormDeployment, type Team } from './workload.ts';

/** What must hold when a storm is over. Each answers what is wrong, in sentences. */

const supervisors = { cloud_a: 'supervisor-cloud_a', cloud_b: 'supervisor-cloud_b' } as const;

/** The deployments that main-api has, of all teams. */
export async function listDeployments(stack: Stack, teams: readonly Team[]): Promise<StormDeployment[]> {
  const lists = await Promise.all(
    teams.map(async (team) => {
      const answer = await client(stack.base_url, team.api_key).get<{
        items: { id: number; name: string; cloud: string }[];
      }>(`${deploymentsOf(team)}?results=100`);
      if (answer.status !== 200) throw new Error(`the list is answered with ${answer.status}`);
      return answer.body.items.map(({ id, name, cloud }) => ({ id, name, cloud, team, acknowledgedAt: 0 }));
    }),
  );
  return lists.flat();
}

/** Waits until both layers call everything `initialized`, and regions and nodes have exactly what main-api has. */
export const untilConverged = (stack: Stack, machine: Machine, teams: readonly Team[], minutes: number) =>
  leftOver(() => differences(stack, machine, teams), minutes);

/** Looks until nothing is wrong. @returns what still is when the time is over */
async function leftOver(look: () => Promise<string[]>, minutes: number): Promise<string[]> {
  try {
    await eventually(
      async () => {
        const wrong = await look();
        if (wrong.length > 0) throw new Error(wrong.join('\n'));
      },
      { timeoutMs: minutes * 60_000, everyMs: 1_000 },
    );
    return [];
  } catch (error) {
    return reasonOf(error).split('\n');
  }
}

interface RegionRow {
  id: number;
  status: string;
  reason: string | null;
  nodes: number[];
}

async function differences(stack: Stack, machine: Machine, teams: readonly Team[]): Promise<string[]> {
  const wrong: string[] = [];
  const wanted = await machine.query<{ id: number; name: string; status: string; cloud: string }>(
    databases['main-api'],
    'SELECT id::int, name, status, cloud FROM deployments ORDER BY id',
  );
  for (const { id, name, status } of wanted)
    if (status !== 'initialized') wrong.push(`main-api calls ${name} (${id}) ${status}`);
  const listed = await listDeployments(stack, teams);
  if (listed.length !== wanted.length)
    wrong.push(`main-api lists ${listed.length} deployments and has ${wanted.length}`);
  for (const [cloud, service] of Object.entries(supervisors)) {
    const rows = await machine.query<RegionRow>(
      databases[service],
      `SELECT d.id::int, d.status, d.status_reason AS reason,
              (SELECT coalesce(array_agg(n.id::int), '{}') FROM nodes n WHERE n.deployment_id = d.id) AS nodes
       FROM deployments d ORDER BY d.id`,
    );
    for (const { id, status, reason } of rows)
      if (status !== 'initialized') wrong.push(`${cloud} calls ${id} ${status} (${reason})`);
    const here = wanted.filter((deployment) => deployment.cloud === cloud).map(({ id }) => id);
    const there = rows.map(({ id }) => id);
    for (const id of here) if (!there.includes(id)) wrong.push(`${cloud} lacks ${id}`);
    for (const id of there)
      if (!here.includes(id)) wrong.push(`${cloud} has ${id}, which main-api does not have`);
    wrong.push(...(await nodeDifferences(join(stack.home, 'nodes', cloud), rows)));
  }
  return wrong;
}

/** Folders and processes of nodes without an owner. */
async function nodeDifferences(folder: string, rows: readonly RegionRow[]): Promise<string[]> {
  const owned = rows.flatMap(({ nodes }) => nodes).map(String);
  const there = (await readdir(folder)).filter((name) => !name.startsWith('.'));
  const processes = await processesOf(folder);
  const owners = await Promise.all(owned.map((node) => processesOf(join(folder, node))));
  const strays = processes.filter((pid) => !owners.flat().includes(pid));
  return [
    ...there.filter((node) => !owned.includes(node)).map((node) => `the node ${node} has no owner`),
    ...owned.filter((node) => !there.includes(node)).map((node) => `the node ${node} is not there`),
    ...strays.map((pid) => `process ${pid} belongs to no node`),
  ];
}

/** Every broker answers its owner, holds what its owner has written and nothing else, and has a password of its own. */
export async function sharedBrokers(
  stack: Stack,
  deployments: readonly StormDeployment[],
): Promise<string[]> {
  const wrong: string[] = [];
  const passwords = new Map<string, string>();
  for (const deployment of deployments) {
    const own = `${deployment.team.tenant_id} ${deployment.name}`;
    try {
      const { names, password } = await eventually(() => readNames(stack, deployment), { timeoutMs: 30_000 });
      const foreign = names.filter((name) => name !== own);
      if (foreign.length > 0) wrong.push(`the broker of ${own} holds what ${foreign.join(', ')} wrote`);
      const other = passwords.get(password);
      if (other !== undefined) wrong.push(`${own} and ${other} share a password`);
      passwords.set(password, own);
    } catch (error) {
      wrong.push(`the broker of ${own} does not answer: ${String(error)}`);
    }
  }
  return wrong;
}

/** Everything that only one team may see is refused to the others. */
export async function foreignViews(
  stack: Stack,
  deployments: readonly StormDeployment[],
  teams: readonly Team[],
) {
  const wrong: string[] = [];
  for (const { id, name, cloud, team } of deployments)
    for (const stranger of teams.filter((other) => other !== team)) {
      const region = client(supervisorOf(stack, cloud).url, stranger.api_key);
      const { status } = await region.get(`/deployments/${id}/credentials`);
      if (status === 200) wrong.push(`${stranger.tenant_id} reads the password of ${name}`);
    }
  return wrong;
}

/** Entries for all that was acknowledged since `since`: each once, a creation before its deletion. */
export async function auditGaps(
  stack: Stack,
  teams: readonly Team[],
  acknowledged: readonly Acknowledged[],
  since: number,
): Promise<string[]> {
  const recent = acknowledged.filter(({ at }) => at > since);
  const ofTeam = (team: Team) => recent.filter((change) => change.team === team);
  const gaps = () => Promise.all(teams.map((team) => gapsOf(stack, team, ofTeam(team))));
  return await leftOver(async () => (await gaps()).flat(), 1);
}

async function gapsOf(stack: Stack, team: Team, recent: readonly Acknowledged[]): Promise<string[]> {
  const entries = await auditEntries({ ...team, audit: client(stack.audit_url, team.api_key) });
  const positions = (type: string, name: string) =>
    entries.flatMap((entry, index) =>
      entry.type === type && (entry.deployment ?? entry.environment)?.name === name ? [index] : [],
    );
  const wrong: string[] = [];
  for (const { type, name } of recent) {
    const wanted = recent.filter((other) => other.type === type && other.name === name).length;
    const found = positions(type, name).length;
    // rules may be added by the checks too
    const right = type === 'access_rule_added' ? found >= wanted : found === wanted;
    if (!right) wrong.push(`${found} instead of ${wanted} entries ${type} ${name}`);
    if (type !== 'deployment_deleted') continue;
    const [created = -1] = positions('deployment_created', name);
    const [deleted = Infinity] = positions('deployment_deleted', name);
    if (created > deleted) wrong.push(`${name} is deleted before it is created`);
  }
  return [...new Set(wrong)];
}
