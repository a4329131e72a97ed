import type { DeploymentSpec, NodeId, SnapshotCheck, SnapshotFindings } from '@sluice/contracts';
import { withoutSecrets } from '@sluice/system/without-secrets';
import type { SeenNode } from './seen-node.ts';
import { regionChecks } from './region-checks.ts';

/** All that a snapshot of a node says: `findings.json`. Times are ISO 8601. */
export interface Findings {
  deployment: { id: number; name: string; tier: string; cloud: string; region: string };
  node: { id: number; name: string };
  created_at: string;
  completed_at: string | null;
  /** why the node itself has reported nothing; null when it has */
  failure: string | null;
  secrets_redacted: boolean;
  /** the gravest first; of the same gravity, what shows best what is wrong */
  checks: SnapshotCheck[];
  excerpts: SnapshotFindings['excerpts'];
  /** when the node was examined, by the region's clock, and how long that took */
  examined: { at: string; milliseconds: number } | null;
  seen: SeenNode | null;
  /** the ZIP of the broker's data folder; null where it was not wanted, withheld where the link does not include it */
  archive: { status: 'wanted' | 'complete' | 'failed' | 'withheld'; bytes: number } | null;
}

/** A snapshot as it is stored. */
export interface StoredSnapshot {
  node_id: NodeId;
  node_name: string;
  created_at: Date;
  completed_at: Date | null;
  redact_secrets: boolean;
  /** what the node itself has found */
  findings: SnapshotFindings | null;
  failure: string | null;
  seen: SeenNode | null;
  archive: 'wanted' | 'complete' | 'failed' | null;
  archive_bytes: number;
}

const gravity = { critical: 0, warning: 1, unknown: 2, ok: 3 } as const;

/** What the node has found, and the region of it. */
export function findingsOf(
  { spec }: { spec: Pick<DeploymentSpec, 'id' | 'name' | 'tier' | 'cloud' | 'region'> },
  snapshot: StoredSnapshot,
  includesBroker: boolean,
): Findings {
  const { findings, seen, failure, archive, archive_bytes: bytes } = snapshot;
  const isWithheld = archive === 'complete' && !includesBroker;
  const checks = [
    ...(findings?.checks ?? []),
    ...(seen === null ? [] : regionChecks(seen, failure, snapshot.created_at)),
  ];
  const { id, name, tier, cloud, region } = spec;
  return {
    deployment: { id, name, tier, cloud, region },
    node: { id: snapshot.node_id, name: snapshot.node_name },
    created_at: snapshot.created_at.toISOString(),
    completed_at: snapshot.completed_at?.toISOString() ?? null,
    failure,
    secrets_redacted: snapshot.redact_secrets,
    checks: checks.sort((one, other) => gravity[one.status] - gravity[other.status]),
    excerpts: findings?.excerpts ?? [],
    examined: findings && { at: findings.taken_at, milliseconds: findings.milliseconds },
    seen: seen && redacted(seen, snapshot.redact_secrets),
    archive: archive && { status: isWithheld ? 'withheld' : archive, bytes },
  };
}

/** The node has redacted what it sent; the lines of the log come from telemetry, which keeps them as they were. */
function redacted(seen: SeenNode, everything: boolean): SeenNode {
  const lines = seen.lines.map((line) => ({
    ...line,
    message: withoutSecrets(line.message, [], everything),
  }));
  return { ...seen, lines };
}
