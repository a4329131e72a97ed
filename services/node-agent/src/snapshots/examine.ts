import type { SnapshotCheck, SnapshotFindings } from '@sluice/contracts';
import { reasonOf } from '@sluice/system';
import { withoutSecrets } from '@sluice/system/without-secrets';
import { secretsOf } from '../secrets.ts';
import { furtherChecks, nodeChecks } from './checks/index.ts';
import { reported, unknown, type Check, type ExaminedNode, type Outcome } from './check.ts';
import { excerptsOf } from './excerpts.ts';

/** a check that takes longer is not waited for. Milliseconds */
const checkLimit = 8_000;
/** the largest body that the supervisor takes from an agent is 64 KiB */
const mostBytes = 60 * 1_024;
const longest = { finding: 600, name: 80, value: 200, excerpt: 20_000 };
const mostDetails = 20;

export interface Examination {
  node: ExaminedNode;
  runtimeChecks: readonly Check[];
  redactSecrets: boolean;
}

/** Makes all checks of a node at the same time, each for as long as it may take. Never rejects for what a check does. */
export async function examine({
  node,
  runtimeChecks,
  redactSecrets,
}: Examination): Promise<SnapshotFindings> {
  const begun = performance.now();
  const takenAt = new Date(Date.now() + node.clockOffset).toISOString();
  const checks = [...nodeChecks, ...runtimeChecks, ...furtherChecks];
  const [made, excerpts] = await Promise.all([
    Promise.all(checks.map((check) => make(check, node))),
    excerptsOf(node.home).catch(() => []),
  ]);
  const secrets = secretsOf(node.wanted);
  const clean = (text: string, most: number) => shortened(withoutSecrets(text, secrets, redactSecrets), most);
  return fitting({
    taken_at: takenAt,
    milliseconds: Math.round(performance.now() - begun),
    checks: made.map((check) => cleaned(check, clean)),
    excerpts: excerpts.map(({ title, text }) => ({ title, text: clean(text, longest.excerpt) })),
  });
}

async function make(check: Check, node: ExaminedNode): Promise<SnapshotCheck> {
  return reported(check, await outcomeOf(check, node));
}

async function outcomeOf(check: Check, node: ExaminedNode): Promise<Outcome> {
  const late = Promise.withResolvers<Outcome>();
  const ended = new AbortController();
  const timer = setTimeout(() => {
    late.resolve(unknown(`The check was given up after ${checkLimit / 1_000} s.`));
    ended.abort();
  }, checkLimit);
  try {
    return await Promise.race([Promise.resolve(check.run(node, ended.signal)), late.promise]);
  } catch (error) {
    return unknown(`The check could not be made: ${reasonOf(error)}.`);
  } finally {
    clearTimeout(timer);
  }
}

type Clean = (text: string, most: number) => string;

function cleaned(check: SnapshotCheck, clean: Clean): SnapshotCheck {
  return {
    ...check,
    finding: clean(check.finding, longest.finding),
    meaning: clean(check.meaning, longest.finding),
    action: check.action && clean(check.action, longest.finding),
    details: check.details.slice(0, mostDetails).map(({ name, value }) => ({
      name: clean(name, longest.name),
      value: clean(value, longest.value),
    })),
  };
}

function shortened(text: string, most: number): string {
  return text.length <= most
    ? text
    : `${text
        .slice(0, most - 1)
        .toWellFormed()
        .slice(0, most - 1)}…`;
}

/** No more than the supervisor takes: excerpts are shortened first, then figures behind what is well. */
function fitting(findings: SnapshotFindings): SnapshotFindings {
  const size = (of: SnapshotFindings) => Buffer.byteLength(JSON.stringify(of));
  let fits = findings;
  while (size(fits) > mostBytes && fits.excerpts.some(({ text }) => text.length > 200)) {
    const most = Math.max(...fits.excerpts.map(({ text }) => text.length));
    const excerpts = fits.excerpts.map(({ title, text }) => ({
      title,
      text: text.length < most ? text : text.slice(-Math.floor(most / 2)).toWellFormed(),
    }));
    fits = { ...fits, excerpts };
  }
  if (size(fits) <= mostBytes) return fits;
  const checks = fits.checks.map((check) => (check.status === 'ok' ? { ...check, details: [] } : check));
  return { ...fits, checks, excerpts: [] };
}
