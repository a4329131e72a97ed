import {
  applyPlan,
  exportOf,
  InvalidDocument,
  PersonNeeded,
  planDocuments,
  readAll,
  readDocuments,
  Secrets,
  wantedOf,
  type Plan,
  type Planned,
  type Result,
} from '@sluice/apply';
import type { SluiceClient } from '@sluice/client';
import { CliError, exitCodes, usageError, type ExitCode, type Explanation } from '@sluice/terminal/errors';
import type { DestroyFlags } from '@sluice/terminal/options';
import type { Cli, Session } from '../../cli.ts';
import { explain } from '../../explain.ts';
import { operationById } from '../../operations.ts';
import { askText, withCode } from '../../prompts.ts';
import { openSession } from '../../session.ts';
import { explained, planData, planText } from './print.ts';
import { readSources } from './sources.ts';

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

interface Prepared extends Planned {
  client: SluiceClient;
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
  const { signal } = cli;
  const { dryRun } = cli.options;
  if (cli.output.isForPeople || dryRun) await show(cli, plan, secrets);
  throwObstacle(plan);
  if (dryRun) return;
  // what is confirmed is seen before, also where the output is data
  if (!cli.output.isForPeople && cli.io.isInteractive && !flags.yes) cli.say(planText(plan, secrets, cli));
  if (plan.steps.length > 0) await confirmPlan(cli, plan, flags);
  const results = await applyPlan(
    { plan, organization },
    client,
    {
      ...{ signal, timeoutMs: flags.timeout, say: (text) => cli.say(text) },
      withCode: (deletion, destroy) => withCode(cli, deletion, flags, destroy),
    },
    (result) => cli.say(lineOf(result, secrets)),
  );
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
  const organization = await readAll(client, await tenantId(), cli.signal);
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
  const {
    prune = false,
    pruneNamed: named = [],
    replace = [],
    resendSecrets: resendsSecrets = false,
  } = flags;
  try {
    const wanted = wantedOf(readDocuments(await readSources(cli, flags.file), secrets));
    if (prune && wanted.set === undefined)
      throw usageError('--prune: the document has no set.', 'name it in the document, such as set: payments');
    const { client, tenantId } = await planningSession(cli);
    const planned = await planDocuments(
      wanted,
      {
        ...{ client, tenantId: await tenantId(), signal: cli.signal, secrets },
        permissionOf: (id) => operationById(id)?.permission,
      },
      { prune, named, replace, resendsSecrets },
    );
    return { ...planned, client, secrets };
  } catch (error) {
    if (!(error instanceof InvalidDocument)) throw error;
    const { message, faults: details } = error;
    throw new CliError({ exitCode: exitCodes.badInput, message, details });
  }
}

/** Prices are asked for by POST, which `--dry-run` would show in place of the plan. */
const planningSession = (cli: Cli): Promise<Session> =>
  openSession({ ...cli, options: { ...cli.options, dryRun: false } });

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
  const { exitCode, message, next } = explained(first);
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
  const cause = await causeOf(first.error, cli);
  const exitCode: ExitCode = done > 0 || away.length > 0 ? exitCodes.partlyApplied : cause.exitCode;
  throw new CliError({
    exitCode,
    message: `${done} of ${results.length} changes are made. The ${first.step.kind} ${first.step.place}: ${cause.message}`,
    details: cause.details ?? [],
    next: cause.next ?? 'run it again: it goes on where it was',
  });
}

async function causeOf(error: unknown, cli: Cli): Promise<Explanation> {
  if (!(error instanceof PersonNeeded)) return explain(error, cli);
  const { message, nodes, place } = error;
  return {
    ...{ exitCode: exitCodes.partlyApplied, message },
    next: `sluice byoc enrol ${nodes[0] ?? '<node>'} ${place}, for each; then run it again: it goes on where it was`,
  };
}
