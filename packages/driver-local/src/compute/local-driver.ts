import type { NodeId } from '@sluice/contracts';
import type { ChildProcess } from 'node:child_process';
import { mkdir, realpath } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { Log } from '@sluice/system/log';
import { buildOf, endProcesses, findProcesses, isRunning, pauseAfter, withArgument } from '@sluice/system';
import { hasEnded, spawnAgent } from './agent-process.ts';
import { agentUpgradesJob } from './agent-upgrades.ts';
import type { ComputeDriver, DriverCall, NodeToEnsure, NodeToObserve } from '@sluice/drivers';
import {
  folderExists,
  listNodeFolders,
  makeFolder,
  nodeFiles,
  readAgentRecord,
  readDeploymentUid,
  readEnrolment,
  readGatewayHost,
  readToken,
  removeFolder,
  removeIdentity,
  writeDeploymentUid,
  writeGatewayHost,
  writeToken,
} from './node-folder.ts';
import { isKeyLost, nodeSecrets, prepareSecrets, removeSecrets } from './node-secrets.ts';
import { nodeWatchJob } from './node-watch.ts';

export interface LocalDriverOptions {
  nodesFolder: string;
  keysFolder: string;
  /** below which agents keep secrets that brokers read as files; default: in memory */
  runtimeFolder?: string | undefined;
  agentEntry: string;
  agentEnvironment: Record<string, string>;
  gatewayHost: string;
  /** where the gateways of private deployments listen; undefined where there are none */
  privateGatewayHost?: string | undefined;
  log: Log;
}

/** An agent that ends sooner than this after its start is started again only after a pause, which grows. */
const soundMilliseconds = 5_000;
const restartPauses = { first: 250, cap: 10_000 };

/** an agent that knows other plugins is another agent */
const pluginSources = join(import.meta.dirname, '../../../connectors/src');

interface Start {
  child: ChildProcess;
  at: number;
  /** ends so soon, in a row */
  failures: number;
}

/**
 * A node is a folder and an agent process on this machine. Agents are in sessions of their own, so they and their
 * brokers go on when the supervisor ends; a supervisor that starts later finds them by the node's folder, which is
 * among their arguments. Two agents cannot work on one folder: the agent locks it.
 */
export async function createLocalDriver(options: LocalDriverOptions): Promise<ComputeDriver> {
  await mkdir(options.nodesFolder, { recursive: true, mode: 0o700 });
  // agents know their folder by its real path
  const nodesFolder = await realpath(options.nodesFolder);
  const folderOf = (nodeId: NodeId) => join(nodesFolder, String(nodeId));
  const secretsOf = await nodeSecrets(nodesFolder, resolve(options.keysFolder), options.runtimeFolder);
  const starts = new Map<number, Start>();
  let changed: ((nodes: readonly NodeId[]) => void) | undefined;
  const build = await buildOf(options.agentEntry, pluginSources);

  async function agentRuns(nodeId: NodeId): Promise<boolean> {
    const start = starts.get(nodeId);
    if (start && !hasEnded(start.child)) return true;
    const folder = folderOf(nodeId);
    const record = await readAgentRecord(folder);
    if (record !== undefined && (await isRunning(record.pid, withArgument(folder)))) return true;
    // started by a supervisor that was killed, and too young to have written its pid
    return (await findProcesses(withArgument(folder))).length > 0;
  }

  async function startAgent(
    node: NodeId,
    failures: number,
    more: Record<string, string> = {},
  ): Promise<ChildProcess> {
    const [folder, secrets] = [folderOf(node), secretsOf(node)];
    await prepareSecrets(folder, secrets);
    const host = await readGatewayHost(folder);
    const environment = {
      ...options.agentEnvironment,
      ...(host !== undefined && { AGENT_GATEWAY_HOST: host }),
      AGENT_BUILD: build,
      AGENT_SEALING_KEY_FILE: secrets.key,
      AGENT_RUNTIME_DIR: secrets.runtime,
      ...more,
    };
    const child = await spawnAgent(folder, options.agentEntry, environment);
    starts.set(node, { child, at: performance.now(), failures });
    options.log.info('an agent was started', { node, pid: child.pid, failures });
    child.once('exit', (code, signal) => {
      options.log.info('an agent has ended', { node, pid: child.pid, code, signal });
      changed?.([node]);
    });
    return child;
  }

  async function removeNode(nodeId: NodeId): Promise<void> {
    const folder = folderOf(nodeId);
    await endProcesses(withArgument(folder));
    // what an agent has started goes on without it
    const { gateways, connectors, brokerConfiguration } = nodeFiles(folder);
    await endProcesses(withArgument(gateways, connectors, brokerConfiguration));
    starts.delete(nodeId);
    await removeFolder(folder);
    await removeSecrets(secretsOf(nodeId));
  }

  /** @returns false when there is none: an agent has enrolled meanwhile */
  async function removeForeign(foreign: Foreign, node: NodeToEnsure, call: DriverCall): Promise<boolean> {
    const folder = folderOf(node.id);
    // void for any other agent; only where none has enrolled
    const token = foreign === 'agent' ? await node.issueToken({ anew: false }) : undefined;
    if (foreign === 'agent' && token === undefined) return false;
    await call.confirm();
    options.log.warn('what was not this node was removed', { node: node.id, foreign });
    // the owner of data in a folder without a mark is unknown
    if (foreign === 'deployment' || (await readDeploymentUid(folder)) === undefined) {
      await removeNode(node.id);
    } else {
      await endProcesses(withArgument(folder));
      starts.delete(node.id);
      await removeIdentity(folder);
    }
    if (token === undefined) return true;
    await makeFolder(folder);
    await writeToken(folder, token);
    return true;
  }

  /** The address that the node's gateway has to listen on and does not; undefined where it listens where it should. */
  async function missingHost({ id, options: asked }: NodeToObserve): Promise<string | undefined> {
    const host = asked.includes('private_address') ? options.privateGatewayHost : undefined;
    return host !== undefined && (await readGatewayHost(folderOf(id))) !== host ? host : undefined;
  }

  /** A gateway keeps its listeners for as long as it runs. */
  async function moveGateway(nodeId: NodeId, host: string, call: DriverCall): Promise<void> {
    const folder = folderOf(nodeId);
    await call.confirm();
    await endProcesses(withArgument(folder));
    await endProcesses(withArgument(nodeFiles(folder).gateways));
    starts.delete(nodeId);
    await writeGatewayHost(folder, host);
  }

  async function placeOf({ id, options: asked }: NodeToObserve) {
    if (asked.length === 0) return {};
    const host = await readGatewayHost(folderOf(id));
    return {
      ...(asked.includes('private_address') && { address: { host: host ?? options.gatewayHost } }),
      placement: { machine: hostname(), isPrivate: host !== undefined, isDedicated: false },
    };
  }

  const nodeWatch = nodeWatchJob({ nodesFolder, changed: (nodes) => changed?.(nodes) });

  return {
    jobs: [
      agentUpgradesJob({
        ...{ nodesFolder, build, log: options.log },
        start: (node) => startAgent(node, 0, { AGENT_TAKES_OVER: 'true' }),
      }),
      // the first look reports nodes without an agent: not before anything listens
      { ...nodeWatch, run: (signal) => changed && nodeWatch.run(signal) },
    ],
    phases: ['waiting_for_nodes', 'deploying_nodes'],
    options: options.privateGatewayHost === undefined ? {} : { managed: ['private_address'] },

    async ensureNode(node, call) {
      const folder = folderOf(node.id);
      const foreign = await foreignIn(folder, node);
      if (foreign !== undefined && !(await removeForeign(foreign, node, call))) return;
      const runs = await agentRuns(node.id);
      const keyLost = !runs && (await isKeyLost(folder, secretsOf(node.id)));
      await ensureToken(node, folder, keyLost);
      await markFolder(folder, node);
      const host = await missingHost(node);
      if (host !== undefined) await moveGateway(node.id, host, call);
      if (host === undefined ? runs : await agentRuns(node.id)) return;
      if (performance.now() < nextStart(starts.get(node.id))) return;
      const failures = failuresOf(starts.get(node.id));
      // the folder may be gone with the deployment, while this call hung
      await call.confirm();
      if (keyLost) await removeIdentity(folder);
      await startAgent(node.id, failures);
    },

    removeNode,

    async observe(node) {
      const folder = folderOf(node.id);
      if ((await foreignIn(folder, node)) !== undefined) return { presence: 'stopped' };
      const isThere = await folderExists(folder);
      if (isThere && node.enrolled) await markFolder(folder, node);
      const runs = await agentRuns(node.id);
      if (!runs && !isThere) return { presence: 'none' };
      const drifted = (await missingHost(node)) !== undefined;
      return { presence: runs ? 'running' : 'stopped', drifted, ...(await placeOf(node)) };
    },

    async list() {
      const nodes = await listNodeFolders(nodesFolder);
      return await Promise.all(
        nodes.map(async (id) => ({ id, deploymentUid: (await readDeploymentUid(folderOf(id))) ?? null })),
      );
    },

    watch(listener) {
      changed = listener;
      return () => (changed = undefined);
    },
  };
}

/** Who works in a node's folder without being the node: another deployment's, or an agent whose key the supervisor does not have. */
type Foreign = 'deployment' | 'agent';

async function foreignIn(
  folder: string,
  { deploymentUid, enrolled, revoked }: NodeToObserve,
): Promise<Foreign | undefined> {
  const uid = await readDeploymentUid(folder);
  if (uid !== undefined && uid !== deploymentUid) return 'deployment';
  return !enrolled && !revoked && (await readEnrolment(folder)) !== undefined ? 'agent' : undefined;
}

async function markFolder(folder: string, { deploymentUid }: NodeToObserve): Promise<void> {
  if ((await readDeploymentUid(folder)) === undefined) await writeDeploymentUid(folder, deploymentUid);
}

/** Puts a token into the folder where the agent needs one: it has not enrolled, or its key is lost, with the folder or what it is sealed with. */
async function ensureToken(node: NodeToEnsure, folder: string, keyLost: boolean): Promise<void> {
  const isGone = node.enrolled && !(await folderExists(folder));
  const anew = node.enrolled && (isGone || keyLost);
  if (node.enrolled && !anew) return;
  if (node.deployed && isGone) throw new Error(`the data of node ${node.id} is gone`);
  const waiting = await readToken(folder);
  if (waiting !== undefined && node.hasToken(waiting)) return;
  const token = await node.issueToken({ anew });
  await makeFolder(folder);
  if (token !== undefined) await writeToken(folder, token);
}

function failuresOf(last: Start | undefined): number {
  return last && performance.now() - last.at < soundMilliseconds + pauseOf(last) ? last.failures + 1 : 0;
}

function nextStart(last: Start | undefined): number {
  return last ? last.at + pauseOf(last) : 0;
}

function pauseOf({ failures }: Start): number {
  return pauseAfter(failures, restartPauses);
}
