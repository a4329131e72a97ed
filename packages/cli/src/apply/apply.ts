import type { SluiceClient } from '@sluice/client';
import type { Cli, Session } from '../cli.ts';
import { CliError, exitCodes, usageError, type ExitCode } from '@sluice/terminal/errors';
import { explain } from '../explain.ts';
import type { DestroyFlags } from '@sluice/terminal/options';
import { askText } from '../prompts.ts';
import { openSession } from '../session.ts';
import { readDocuments } from './document/read.ts';
import { Secrets } from './document/secrets.ts';
import { wantedOf, type WantedSet } from './document/wanted.ts';
import { kindsInRegion, type KindName, type Organization, type Wanted } from './entries.ts';
import { exportOf } from './export.ts';
import { readOrganization, type Scope } from './organization/read.ts';
import { planOf } from './plan/plan.ts';
import { renamesOf } from './plan/renames.ts';
import { planData, planText } from './plan/print.ts';
import type { Plan } from './plan/types.ts';
import { execute, type Result } from './run/execute.ts';
import { createRun } from './run/run.ts';

export interface PlanFlags {
  file: string[];
  prune?: boolean;
  pruneNamed?: string[];
  replace?: string[];
  resendSecrets?: boolean;
}

export interface ApplyFlags extends PlanFlags, DestroyFlags {
  /** milliseconds */
  timeout: number;
}

interface Prepared {
  client: SluiceClient;
  organization: Organization;
  plan: Plan;
  secrets: Secrets;
}

/** Shows what would be done. */
export async function diff(cli: Cli, flags: PlanFlags): Promise<void> {
  const { plan, secrets } = await prepare(cli, flags);
  await show(cli, plan, secrets);
  throwObstacle(plan);
  if (plan.steps.length > 0)
    throw new CliError({
      exitCode: exitCodes.differs,
      message: 'The organization differs from the document.',
    });
  throwAway(plan);
}

export async function apply(cli: Cli, flags: ApplyFlags): Promise<void> {
  const { client, organization, plan, secrets } = await prepare(cli, flags);
  const { dryRun } = cli.options;
  if (cli.output.isForPeople || dryRun) await show(cli, plan, secrets);
  throwObstacle(plan);
  if (dryRun) return;
  // what is confirmed is seen before, also where the output is data
  if (!cli.output.isForPeople && cli.io.isInteractive && !flags.yes) cli.say(planText(plan, secrets, cli));
  if (plan.steps.length > 0) await confirmPlan(cli, plan, flags);
  const { timeout: timeoutMs, code, yes } = flags;
  const given = { ...(code !== undefined && { code }), ...(yes !== undefined && { yes }) };
  const run = createRun(cli, client, organization, { set: plan.set, timeoutMs, ...given });
  const results = await execute(plan, run, (result) => cli.say(lineOf(result, secrets)));
  if (!cli.output.isForPeople)
    await cli.output.value({
      ...planData(plan, secrets),
      results: results.map((result) => resultData(result, secrets)),
    });
  await throwFailure(cli, results, plan);
  throwAway(plan);
}

/** Writes the organization as a document. */
export async function exportAll(cli: Cli): Promise<void> {
  const { client, tenantId } = await cli.session();
  const everything: Scope = {
    ...{ configuration: true, auditSink: true, roles: true, members: true, channels: true },
    place: () => true,
    inRegion: () => kindsInRegion,
    now: (place) => place,
  };
  const organization = await readOrganization(client, await tenantId(), everything, cli.signal);
  const [away] = organization.away;
  if (away)
    throw new CliError({
      exitCode: exitCodes.tryAgain,
      message: `The region of the ${away[0]} does not answer, so the document would lack what it has there.`,
      next: 'try again, or look with sluice doctor',
    });
  const content = exportOf(organization);
  if (!cli.output.isForPeople) return cli.output.value(content);
  const { stringify } = await import('yaml');
  await cli.output.raw(stringify(content, { lineWidth: 0, aliasDuplicateObjects: false }));
}

async function prepare(cli: Cli, flags: PlanFlags): Promise<Prepared> {
  const secrets = new Secrets(cli.io.env);
  const wanted = wantedOf(await readDocuments(cli, flags.file, secrets));
  const { client, tenantId } = await planningSession(cli);
  const { signal } = cli;
  const organization = await readOrganization(client, await tenantId(), scopeOf(wanted, flags), signal);
  const plan = await planOf(
    wanted,
    { client, signal, organization, secrets },
    {
      prune: flags.prune ?? false,
      named: flags.pruneNamed ?? [],
      replace: flags.replace ?? [],
      resendsSecrets: flags.resendSecrets ?? false,
    },
  );
  return { client, organization, plan, secrets };
}

/** Prices are asked for by POST, which `--dry-run` would show in place of the plan. */
const planningSession = (cli: Cli): Promise<Session> =>
  openSession({ ...cli, options: { ...cli.options, dryRun: false } });

function scopeOf({ entries }: WantedSet, { prune = false }: PlanFlags): Scope {
  const all = [...entries.values()];
  const has = (...kinds: Wanted['kind'][]) => all.some(({ kind }) => kinds.includes(kind));
  const places = new Set(all.map(({ place }) => place));
  const inRegion = new Map<string, Set<KindName>>();
  for (const { kind, parent } of all.filter((one) => kindsInRegion.has(one.kind)))
    inRegion.set(parent ?? '', (inRegion.get(parent ?? '') ?? new Set()).add(kind));
  return {
    configuration: has('tenant configuration'),
    auditSink: has('audit sink'),
    roles: has('role'),
    members: has('member'),
    channels: prune || has('channel'),
    place: (place) => prune || places.has(place),
    inRegion: (place) => (prune ? kindsInRegion : (inRegion.get(`deployment ${place}`) ?? new Set())),
    now: renamesOf(entries),
  };
}

async function show(cli: Cli, plan: Plan, secrets: Secrets): Promise<void> {
  if (cli.output.isForPeople) await cli.output.raw(planText(plan, secrets, cli));
  else await cli.output.value(planData(plan, secrets));
}

async function confirmPlan(cli: Cli, { tenant, steps }: Plan, { yes }: DestroyFlags): Promise<void> {
  if (yes) return;
  const changes = steps.length === 1 ? 'This change is made' : `These ${steps.length} changes are made`;
  if (!cli.io.isInteractive)
    throw usageError(
      `${changes} in ${tenant} once they are confirmed, and there is no terminal to ask on.`,
      'pass --yes',
    );
  await askText(cli, `${changes} in ${tenant}. Type yes to go on.`, (text) =>
    text === 'yes' ? undefined : 'Type yes, or press Ctrl-C.',
  );
}

const words = { create: 'created', update: 'changed', replace: 'replaced', delete: 'deleted' } as const;

function lineOf({ step: { action, kind, place }, result, seconds, error }: Result, secrets: Secrets): string {
  const what = `${kind}${place === '' ? '' : ` ${place}`}`;
  if (result === 'done') return `${words[action]}  ${what}  ${seconds.toFixed(1)} s`;
  return `${result}  ${what}: ${messageOf(error, secrets)}`;
}

const messageOf = (error: unknown, secrets: Secrets): string =>
  String(
    secrets.masked(
      error instanceof Error ? ('detail' in error ? error.detail : error.message) : String(error),
    ),
  );

const resultData = ({ step: { action, kind, place }, result, seconds, error }: Result, secrets: Secrets) => ({
  ...{ action, kind, place, result },
  seconds: Math.round(seconds * 10) / 10,
  reason: error === undefined ? null : messageOf(error, secrets),
});

function throwObstacle({ obstacles: [first, ...others] }: Plan): void {
  if (!first) return;
  const { exitCode, message, next } = first;
  const details = others.map((other) => other.message);
  throw new CliError({ exitCode, message: `The plan cannot be applied. ${message}`, details, next });
}

function throwAway({ away }: Plan): void {
  if (away.length === 0) return;
  throw new CliError({
    exitCode: exitCodes.partlyApplied,
    message: 'Regions do not answer. What deployments have there is left as it is:',
    details: away.map(({ place, reason }) => `${place}: ${reason}`),
    next: 'run it again when they answer; sluice doctor looks at them',
  });
}

/** Failed as a whole, with the code of the failure; or partly applied. */
async function throwFailure(cli: Cli, results: readonly Result[], { away }: Plan): Promise<void> {
  const failed = results.filter(({ result }) => result === 'failed' || result === 'waiting');
  const [first] = failed;
  if (!first) return;
  const done = results.filter(({ result }) => result === 'done').length;
  const explained = await explain(first.error, cli);
  const exitCode: ExitCode = done > 0 || away.length > 0 ? exitCodes.partlyApplied : explained.exitCode;
  throw new CliError({
    exitCode,
    message: `${done} of ${results.length} changes are made. The ${first.step.kind} ${first.step.place}: ${explained.message}`,
    details: explained.details ?? [],
    next: explained.next ?? 'run it again: it goes on where it was',
  });
}
