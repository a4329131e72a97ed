import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { auditTypes } from './generate-audit-types.ts';
import { cliPages } from './generate-cli-pages.ts';
import { dashboards } from './generate-dashboard.ts';
import { decisionIndex } from './generate-decisions.ts';
import { errorCodes } from './generate-error-codes.ts';
import { mailLayout } from './generate-mail-layout.ts';
import { prometheusRule } from './generate-prometheus-rule.ts';
import { settingNames, settingsTables } from './generate-settings.ts';
import { repository } from './settings.ts';
import { licences } from './supply-chain/licences.ts';

/**
 * Writes every generated file that git keeps: tables of the docs, pages of commands, the index of decisions, names of settings, the dashboards,
 * alerts for Kubernetes and the layout of mails. With
 * `--check` it writes nothing, and ends with exit code 1 and the names of the files that differ.
 */

const check = process.argv.includes('--check');
const stale: string[] = [];
const files = [
  await auditTypes(),
  await errorCodes(),
  await decisionIndex(),
  await settingsTables(),
  await settingNames(),
  ...(await cliPages()),
  ...(await dashboards()),
  await prometheusRule(),
  await mailLayout(),
  await licences(),
];
for (const { file, text } of files) {
  if (text === (await readFile(file, 'utf8').catch(() => ''))) continue;
  stale.push(relative(repository, file));
  if (check) continue;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
if (stale.length > 0) {
  console.log(`${check ? 'Not up to date (run `npm run generate`)' : 'Written'}: ${stale.join(', ')}`);
  if (check) process.exitCode = 1;
}
