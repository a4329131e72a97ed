import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { deploymentIdSchema, idOf, type DeploymentId, type NodeId } from '@sluice/contracts';
import { writePrivateFile } from '@sluice/system';
import { z } from 'zod';

/** The files of a node on this machine. The folder belongs to the node's agent; the driver shares these with it. */
export function nodeFiles(folder: string) {
  return {
    token: join(folder, 'enrolment-token'),
    identity: join(folder, 'identity.json'),
    /** the uid of the deployment that the node was made for */
    deploymentUid: join(folder, 'deployment-uid'),
    /** the private address that the node's gateway listens on */
    gatewayHost: join(folder, 'gateway-host'),
    agentPid: join(folder, 'agent.pid'),
    agentLog: join(folder, 'agent.log'),
    /** an argument of the gateways' processes */
    gateways: join(folder, 'gateway'),
    /** an argument of the connectors runtime's process */
    connectors: join(folder, 'connectors'),
    /** an argument of the broker's process */
    brokerConfiguration: join(folder, 'broker.conf'),
    /** where the broker keeps what clients have sent */
    brokerStore: join(folder, 'broker'),
  };
}

export async function folderExists(folder: string): Promise<boolean> {
  return await stat(folder).then(
    () => true,
    () => false,
  );
}

export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** The one-time token that waits for the agent, or undefined. */
export async function readToken(folder: string): Promise<string | undefined> {
  return await readFile(nodeFiles(folder).token, 'utf8').catch(() => undefined);
}

export async function writeToken(folder: string, token: string): Promise<void> {
  await writePrivateFile(nodeFiles(folder).token, token);
}

export async function readDeploymentUid(folder: string): Promise<string | undefined> {
  return await readFile(nodeFiles(folder).deploymentUid, 'utf8').catch(() => undefined);
}

export async function writeDeploymentUid(folder: string, uid: string): Promise<void> {
  await writePrivateFile(nodeFiles(folder).deploymentUid, uid);
}

/** The private address that the node's gateway listens on; undefined where it listens where all others do. */
export async function readGatewayHost(folder: string): Promise<string | undefined> {
  return await readFile(nodeFiles(folder).gatewayHost, 'utf8').catch(() => undefined);
}

export async function writeGatewayHost(folder: string, host: string): Promise<void> {
  await writePrivateFile(nodeFiles(folder).gatewayHost, host);
}

/** Has the agent make a key anew, and enrol with it. */
export async function removeIdentity(folder: string): Promise<void> {
  await rm(nodeFiles(folder).identity, { force: true });
}

export async function listNodeFolders(nodesFolder: string): Promise<NodeId[]> {
  const names = (await readdir(nodesFolder)).filter((name) => /^\d{1,16}$/.test(name));
  return names.map((name) => idOf<NodeId>(name));
}

const agentRecordSchema = z.object({ pid: z.int().positive(), build: z.string() });
const sealedSchema = z.object({ private_key: z.string() });
const identitySchema = z.object({ enrolled_as: z.object({ deployment_id: deploymentIdSchema }) });

/** What the agent has written down of itself; undefined when there is none, or it is half written. */
export async function readAgentRecord(
  folder: string,
): Promise<z.infer<typeof agentRecordSchema> | undefined> {
  return await readJson(nodeFiles(folder).agentPid, agentRecordSchema);
}

/** Of which deployment the node's agent is; undefined before it has enrolled. */
export async function readEnrolment(folder: string): Promise<{ deployment_id: DeploymentId } | undefined> {
  return (await readJson(nodeFiles(folder).identity, identitySchema))?.enrolled_as;
}

/** Whether the agent has a key, which is sealed. */
export async function hasSealedIdentity(folder: string): Promise<boolean> {
  return (await readJson(nodeFiles(folder).identity, sealedSchema)) !== undefined;
}

async function readJson<Shape extends z.ZodType>(
  path: string,
  shape: Shape,
): Promise<z.infer<Shape> | undefined> {
  try {
    return shape.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}
