import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reasonOf, say } from '../long-run.ts';
import { runBash } from './bash.ts';
import { readBlocks } from './blocks.ts';
import { checkoutIn } from './checkout.ts';
import { Cluster } from './cluster.ts';
import { clusterSteps } from './cluster-steps.ts';
import { scriptOf } from './scripts.ts';
import { valuesOf } from './steps.ts';

/**
 * `npm run runbooks`: installs Sluice on the cluster of `TEST_KUBECONFIG` by its page alone, runs every command of every runbook, and looks whether
 * what the documents promise has come true. The cluster has one machine, whose ports this one reaches, the images of the manifests, and the
 * same images under the tag `RUNBOOKS_VERSION` (default: `next`). Exit code 1 when something does not hold.
 *
 * `RUNBOOKS_ONLY=upgrade,rotate-keys: Codes` runs those whose names begin so, and `RUNBOOKS_FOLDER` keeps the keys and the installation, so that a later run
 * goes on there; without it the namespaces are removed in the end.
 */

const kubeconfig = process.env['TEST_KUBECONFIG'];
if (kubeconfig === undefined) throw new Error('TEST_KUBECONFIG names no cluster.');
const only = process.env['RUNBOOKS_ONLY']?.split(',');
const given = process.env['RUNBOOKS_FOLDER'];
const folder = given ?? (await mkdtemp(join(tmpdir(), 'sluice-runbooks-')));
await mkdir(folder, { recursive: true });
const checkout = await checkoutIn(folder);
const cluster = await Cluster.open(folder, checkout, kubeconfig, process.env['RUNBOOKS_VERSION'] ?? 'next');
const spaces = async () =>
  (await cluster.kubectl('get', 'namespaces', '-o', 'name'))
    .split('\n')
    .filter((name) => /\/sluice($|-)/.test(name));
if (!cluster.isInstalled && (await spaces()).length > 0)
  throw new Error(`There is a Sluice in this cluster already: ${(await spaces()).join(', ')}`);

const blocks = await readBlocks();
const outcomes: { document: string; block: string; seconds: number; wrong: string | undefined }[] = [];
const install = 'kubernetes: Install';
const isLeftOut = (name: string) => only !== undefined && !only.some((one) => name.startsWith(one));

for (const step of clusterSteps) {
  const block = blocks.find(({ name }) => name === step.block);
  if (!block) throw new Error(`There is no block ${step.block}.`);
  const isInstall = step.block.startsWith(install);
  if (cluster.isInstalled ? isInstall || isLeftOut(step.block) : !isInstall && only) continue;
  say(step.block);
  const started = Date.now();
  let wrong: string | undefined;
  try {
    await step.before?.(cluster);
    const script = `set -euo pipefail\n${scriptOf(block, blocks, await valuesOf(step, cluster))}`;
    const options = { cwd: checkout, env: cluster.env, timeoutMs: 45 * 60_000 };
    const echo = (text: string) => process.stdout.write(text.replaceAll(/^(?=.)/gm, '         | '));
    const end = step.goesOn ? cluster.watch() : async () => [];
    const { code, output } = await runBash(script, { ...options, echo });
    const failures = await end();
    if (code !== 0) throw new Error(`exit code ${code}`);
    await step.promised?.(cluster, output);
    if (failures.length > 0)
      throw new Error(`${failures.length} requests failed:\n${failures.slice(0, 5).join('\n')}`);
  } catch (error) {
    wrong = reasonOf(error);
    say(`  WRONG: ${wrong}`);
  }
  outcomes.push({
    ...{ document: block.document, block: block.name, wrong },
    seconds: Math.round((Date.now() - started) / 1_000),
  });
  // without an installation there is nothing to run the others on
  if (wrong !== undefined && isInstall) break;
}

for (const { block, seconds, wrong } of outcomes)
  console.log(
    `${wrong === undefined ? 'ok   ' : 'WRONG'} ${String(seconds).padStart(5)} s  ${block}${wrong ? `: ${wrong.slice(0, 300)}` : ''}`,
  );
const failures = outcomes.filter(({ wrong }) => wrong !== undefined).length;
console.log(`${outcomes.length} commands run, ${failures} wrong`);
if (given === undefined) {
  await cluster.kubectl('delete', '--wait=false', ...(await spaces()));
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;
