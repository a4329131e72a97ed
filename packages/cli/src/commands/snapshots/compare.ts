import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { fromBuffer, type Entry, type ZipFile } from 'yauzl';
import type { Cli } from '../../cli.ts';
import { CliError, exitCodes } from '@sluice/terminal/errors';
import { differences, differenceView } from '../entries/differences.ts';
import { archiveOf, snapshots } from './snapshots.ts';

/** What of `findings.json` is compared. */
interface Findings {
  node: { name: string };
  failure: string | null;
  checks: {
    title: string;
    status: string;
    finding: string;
    details: { name: string; value: string }[];
  }[];
}

/** Shows what differs between two reports, check by check. */
export async function compare(
  cli: Cli,
  [one, other]: readonly [string, string],
  at: string | undefined,
  { figures = false }: { figures?: boolean },
): Promise<void> {
  const [from, to] = await Promise.all([readFindings(cli, one, at), readFindings(cli, other, at)]);
  const shown = (findings: Findings): Record<string, unknown> =>
    Object.fromEntries<unknown>([
      ['node', findings.node.name] as const,
      ...(findings.failure ? [['failure', findings.failure] as const] : []),
      ...findings.checks.map(({ title, status, finding, details }) => {
        const behind = figures && Object.fromEntries(details.map(({ name, value }) => [name, value]));
        return [title, { status, finding, ...behind }] as const;
      }),
    ]);
  await cli.output.list(differences(shown(from), shown(to)), differenceView);
}

async function readFindings(cli: Cli, text: string, at: string | undefined): Promise<Findings> {
  const { call, id, title } = await snapshots.find(cli, text, at);
  const archive = await buffer(await archiveOf(call, id));
  const found = await fileOf(archive, 'findings.json');
  if (found) return JSON.parse(found.toString()) as Findings;
  throw new CliError({ exitCode: exitCodes.unexpected, message: `There are no findings in ${title}.` });
}

/** A file of a ZIP, by its name. */
async function fileOf(archive: Buffer, name: string): Promise<Buffer | undefined> {
  const zip = await promisify<Buffer, object, ZipFile>(fromBuffer)(archive, { lazyEntries: true });
  const entry = await new Promise<Entry | undefined>((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', () => resolve(undefined));
    zip.on('entry', (one: Entry) => (one.fileName === name ? resolve(one) : zip.readEntry()));
    zip.readEntry();
  });
  return entry && (await buffer(await promisify(zip.openReadStream.bind(zip))(entry)));
}
