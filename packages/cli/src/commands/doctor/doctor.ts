import { getTenantContext, SluiceError, type Context } from '@sluice/client';
import type { Cli, Session } from '../../cli.ts';
import { CliError, exitCodes } from '@sluice/terminal/errors';
import { explain } from '../../explain.ts';
import { release } from '../../generated/operations.ts';
import type { View } from '@sluice/terminal/output';
import { openSession } from '../../session.ts';
import { probe, type Finding } from './probe.ts';

const view: View<Finding> = {
  name: ({ check }) => check,
  columns: [
    { header: 'CHECK', value: ({ check }) => check },
    { header: 'RESULT', value: ({ result }) => result },
    { header: 'DETAIL', value: ({ detail }) => detail },
    { header: 'NEXT', value: ({ next }) => next },
  ],
};

/** Looks at everything that a command needs, and says what is wrong and what to do. @throws CliError where there is a problem */
export async function doctor(cli: Cli): Promise<void> {
  const findings = await examine(cli);
  await cli.output.list(findings, view);
  const problems = findings.filter(({ result }) => result === 'problem').length;
  if (problems > 0)
    throw new CliError({
      exitCode: exitCodes.unexpected,
      message: `${problems} of ${findings.length} checks have found a problem.`,
    });
}

async function examine(cli: Cli): Promise<Finding[]> {
  const program: Finding = {
    check: 'program',
    result: 'ok',
    detail: `sluice ${release}, Node ${process.versions.node}`,
  };
  let session: Session;
  try {
    session = await openSession(cli);
  } catch (error) {
    return [program, await problem(cli, 'context', error)];
  }
  const { context } = session;
  const named = context.name ?? 'SLUICE_API_KEY';
  const findings: Finding[] = [
    program,
    { check: 'context', result: 'ok', detail: `${named} at ${context.url}` },
  ];
  findings.push(...(await probe('Main API', context.url, cli.signal)));
  if (findings.some(({ result }) => result === 'problem')) return findings;
  const who = await session.who().catch((error: unknown) => error);
  if (who instanceof Error) return [...findings, await problem(cli, 'key', who)];
  if (!who)
    return [
      ...findings,
      { check: 'server', result: 'warning', detail: 'The server is older than 1.1.0 and says little.' },
    ];
  const caller = who as Context;
  findings.push(releaseOf(caller), keyOf(caller));
  findings.push(await rights(cli, session));
  const others = caller.audit_url === null ? [] : [probe('Audit API', caller.audit_url, cli.signal)];
  const regions = caller.regions.map(async (region) => {
    const name = `region ${region.cloud}/${region.region}`;
    const found = await probe(name, region.supervisor_url, cli.signal);
    const isSilent = region.health === 'silent' && found.every(({ result }) => result === 'ok');
    return isSilent
      ? [
          {
            check: name,
            result: 'warning' as const,
            detail: `It has not reported since ${region.reported_at}.`,
            next: 'ask the operator',
          },
        ]
      : found;
  });
  if (caller.audit_url === null)
    findings.push({
      check: 'Audit API',
      result: 'warning',
      detail: 'The Main API does not know its address.',
      next: 'ask the operator',
    });
  for (const found of await Promise.all([...others, ...regions])) findings.push(...found);
  return findings;
}

async function problem(cli: Cli, check: string, error: unknown): Promise<Finding> {
  const { message, next } = await explain(error, cli);
  return { check, result: 'problem', detail: message, next };
}

/** The minor release of the server is that of the program, or differs by operations that one of both does not know. */
function releaseOf({ release: its }: Context): Finding {
  const [major, minor] = its.split('.');
  const [ownMajor, ownMinor] = release.split('.');
  const isSame = major === ownMajor && minor === ownMinor;
  return isSame
    ? { check: 'release', result: 'ok', detail: `The server has ${its}.` }
    : {
        check: 'release',
        result: 'warning',
        detail: `The server has ${its}, this program ${release}.`,
        next: 'use the program of that release',
      };
}

const dayMs = 86_400_000;

function keyOf({ api_key: key, user, expires_at: until }: Context): Finding {
  const left = Date.parse(until) - Date.now();
  const detail = `${key ? `${key.name} of ` : ''}${user.name}, until ${until}`;
  return left > 14 * dayMs || !key
    ? { check: 'key', result: 'ok', detail }
    : { check: 'key', result: 'warning', detail, next: 'make another token: sluice keys rotate' };
}

async function rights(cli: Cli, { client, tenantId }: Session): Promise<Finding> {
  try {
    const { data } = await getTenantContext({
      client,
      path: { tenant_id: await tenantId() },
      signal: cli.signal,
    });
    const { tenant, division, environment, divisions } = data.permissions;
    const count = tenant.length + division.length + environment.length;
    const detail = `${count} permissions in ${data.tenant.name}${Object.keys(divisions).length > 0 ? ', others in some divisions' : ''}`;
    if (count > 0 || Object.keys(divisions).length > 0) return { check: 'rights', result: 'ok', detail };
    return {
      check: 'rights',
      result: 'problem',
      detail: 'You may do nothing.',
      next: 'ask an admin of the tenant for a role',
    };
  } catch (error) {
    if (error instanceof SluiceError || error instanceof CliError) return problem(cli, 'rights', error);
    throw error;
  }
}
