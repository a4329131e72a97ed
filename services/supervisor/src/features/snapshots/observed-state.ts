import type { DeploymentId, NodeId } from '@sluice/contracts';
import type { SeenLine, SeenNode } from '@sluice/diagnostics/seen-node';
import type { Database } from '@sluice/region-store/tables';
import { findCertificate } from '@sluice/region-store/certificates.store';
import { getDeployment } from '@sluice/region-store/deployments.store';
import { listRaised } from '../telemetry/health-alerts.store.ts';
import { listNodes } from '@sluice/region-store/nodes.store';
import { findLines, findMeasured, type Measured } from '../telemetry/telemetry.store.ts';
import { charted, seriesOf } from '@sluice/diagnostics/series';

const day = 86_400_000;
/** what came since then is not summed up yet */
const notSummedUp = 30 * 60_000;
const mostEntries = 500;
/** warnings, and errors */
const mostLines = 25;
const longestMessage = 400;

/** What the region knows of a node without asking it. @throws Problem `not_found` */
export async function observedState(
  db: Database,
  deploymentId: DeploymentId,
  nodeId: NodeId,
): Promise<SeenNode> {
  const at = new Date();
  const { status, status_reason, revision } = await getDeployment(db, deploymentId);
  const node = (await listNodes(db, deploymentId)).find(({ id }) => id === nodeId);
  const certificate = await findCertificate(db, deploymentId);
  const measured = await measuredSince(db, deploymentId, nodeId, at);
  const iso = (time: Date | null | undefined) => time?.toISOString() ?? null;
  return {
    at: at.toISOString(),
    ...{ status, status_reason, revision },
    agent_version: node?.agent_version ?? null,
    last_heartbeat_at: iso(node?.last_heartbeat_at),
    unreachable_since: iso(node?.unreachable_since),
    applied_revision: node?.applied_revision ?? 0,
    runtimes: node?.runtimes ?? [],
    broker_stopped: node?.broker_stopped ?? false,
    certificate_ends_at: iso(certificate?.not_after),
    measured_at: iso(newestOf(measured)),
    alerts: await listRaised(db, nodeId),
    lines: await troublesSince(db, deploymentId, nodeId, at),
    series: seriesOf(measured, at),
  };
}

/** Sums of five minutes, and for the last half hour each sample. */
async function measuredSince(
  db: Database,
  deploymentId: DeploymentId,
  nodeId: NodeId,
  now: Date,
): Promise<Measured[]> {
  const recent = new Date(now.getTime() - notSummedUp);
  const range = { from: new Date(now.getTime() - day), to: recent };
  const page = { page: 1, results: mostEntries, offset: 0 };
  const all: Measured[] = [];
  for (const runtime of charted) {
    const watched = { deploymentId, nodeId, runtime };
    const former = await findMeasured(db, { ...watched, ...range }, 300, page, false);
    const latest = await findMeasured(db, { ...watched, from: recent, to: now }, 0, page, false);
    all.push(...former.entries, ...latest.entries);
  }
  return all;
}

function newestOf(measured: readonly Measured[]): Date | null {
  const times = measured.map(({ at }) => at.getTime());
  return times.length === 0 ? null : new Date(Math.max(...times));
}

async function troublesSince(
  db: Database,
  deploymentId: DeploymentId,
  nodeId: NodeId,
  now: Date,
): Promise<SeenLine[]> {
  const range = { from: new Date(now.getTime() - day), to: now };
  const page = { page: 1, results: mostLines, offset: 0 };
  const of = async (level: 'warn' | 'error') =>
    (await findLines(db, deploymentId, range, { nodeId, level }, page)).lines;
  const lines = [...(await of('error')), ...(await of('warn'))].sort((one, other) => one.id - other.id);
  return lines.map(({ at, runtime, level, message }) => ({
    ...{ runtime, level, at: at.toISOString() },
    message: message.slice(0, longestMessage).toWellFormed(),
  }));
}
