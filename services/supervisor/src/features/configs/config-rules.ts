import type { FieldIssue } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import { problem, type Problem } from '@sluice/service';
import { requireRoom } from '../deployment-rules.ts';
import type { Database } from '@sluice/region-store/tables';
import { countNames, countVersions } from './configs.store.ts';
import type { Deployment } from '@sluice/region-store/deployments.store';

/** What configurations are refused for, besides their values. */

/** versions of one name */
const mostVersions = 100;

/** The operations let in who may see to connectors, too: the broker is not theirs. */
export function requireRight(
  caller: Caller,
  { spec }: Deployment,
  kind: string,
  level: 'read' | 'manage',
): void {
  const place = { division: spec.division.id, environment: spec.environment.id };
  if (kind === 'broker') caller.require('environment', `deployment:config:${level}`, place);
}

export async function requireRoomForVersion(
  db: Database,
  { id, spec }: Deployment,
  kind: string,
  name: string,
): Promise<void> {
  const versions = await countVersions(db, id, kind, name);
  // a name that there is can be changed, also on a plan that allows fewer by now
  if (versions === 0) requireRoom('deployment_configs_limit', spec.limits.configs, await countNames(db, id));
  requireRoom('config_versions', mostVersions, versions, `A name has at most ${mostVersions} versions.`);
}

/** What is wrong with submitted values: of each the first thing. */
export function invalidValues(issues: readonly FieldIssue[]): Problem {
  const first = new Map(issues.toReversed().map((issue) => [issue.path, issue]));
  return problem('invalid_request', {
    fieldIssues: issues
      .filter((issue) => first.get(issue.path) === issue)
      .map(({ path, ...issue }) => ({ path: `/body/values${path}`, ...issue })),
  });
}

/** Why stored values are not valid any more: they were for a former release or tier. */
export const outdated = (issues: readonly FieldIssue[]): Problem =>
  problem('invalid_request', {
    detail: 'The version is not valid any more: store another one.',
    fieldIssues: issues.map(({ path, code, message }) => ({
      path: '/path/version',
      code,
      message: `${path.slice(1)} ${message}`,
    })),
  });
