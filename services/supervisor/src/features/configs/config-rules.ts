import type { FieldIssue } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import { problem, type Problem } from '@sluice/service';
import type { Database } from '../../database/tables.ts';
import { countNames, countVersions } from '../../stores/configs.store.ts';
import type { Deployment } from '../../stores/deployments.store.ts';

/** What configurations are refused for, besides their values. */

/** versions of one name */
const mostVersions = 100;

/** The operations let in who may see to connectors, too: the broker is not theirs. */
export function requireRight(
  caller: Caller,
  { shape }: Deployment,
  kind: string,
  level: 'read' | 'manage',
): void {
  const place = { division: shape.division.id, environment: shape.environment.id };
  if (kind === 'broker') caller.require('environment', `deployment:config:${level}`, place);
}

export function requireLive({ deleted_by }: Deployment): void {
  if (deleted_by) throw problem('state_conflict', { detail: 'The deployment is being deleted.' });
}

export async function requireRoom(
  db: Database,
  { id, shape }: Deployment,
  kind: string,
  name: string,
): Promise<void> {
  const { configs: names } = shape.limits;
  const limit = (limitName: string, value: number) =>
    problem('limit_reached', { extensions: { limit: { name: limitName, value } } });
  const versions = await countVersions(db, id, kind, name);
  // a name that there is can be changed, also on a plan that allows fewer by now
  if (versions === 0 && (await countNames(db, id)) >= names) throw limit('deployment_configs_limit', names);
  if (versions >= mostVersions) throw limit('config_versions', mostVersions);
}

/** Tells what is wrong with submitted values: of each the first thing. */
export function invalidValues(issues: readonly FieldIssue[]): Problem {
  const first = new Map(issues.toReversed().map((issue) => [issue.path, issue]));
  return problem('invalid_request', {
    fieldIssues: issues
      .filter((issue) => first.get(issue.path) === issue)
      .map(({ path, ...issue }) => ({ path: `/body/values${path}`, ...issue })),
  });
}

/** Tells why what is stored is not valid any more: it was for a former release or tier. */
export function outdated(issues: readonly FieldIssue[]): Problem {
  return problem('invalid_request', {
    detail: 'The version is not valid any more: store another one.',
    fieldIssues: issues.map(({ path, code, message }) => ({
      path: '/path/version',
      code,
      message: `${path.slice(1)} ${message}`,
    })),
  });
}
