import type { Command } from 'commander';
import type { Labels } from '@sluice/client';
import { usageError } from '@sluice/terminal/errors';
import { gather } from '@sluice/terminal/options';

/** Labels of divisions, environments and deployments, as options. */

export interface LabelFlags {
  label?: string[];
  removeLabel?: string[];
}

/** For what is created. */
export const labelled = (command: Command): Command =>
  command.option('--label <key=value>', 'a label; can be given several times', gather);

/** For what is edited. */
export const relabelled = (command: Command): Command =>
  labelled(command).option(
    '--remove-label <key>',
    'without this label; can be given several times; the others stay',
    gather,
  );

/** For lists. */
export const filteredByLabel = (command: Command): Command =>
  command.option(
    '--label <key[=value]>',
    'only those with this label; can be given several times, and all have to match',
    gather,
  );

export const labelFilter = ({ label }: LabelFlags): { label?: string } =>
  label === undefined ? {} : { label: label.join(',') };

/** @throws CliError 2 where one has no value */
export function labelsOf({ label = [] }: LabelFlags): { labels?: Labels } {
  const pairs = label.map((text) => {
    const at = text.indexOf('=');
    if (at < 1)
      throw usageError(`--label: ${text} is no label.`, 'write it as a key and a value: team=payments');
    return [text.slice(0, at), text.slice(at + 1)];
  });
  return pairs.length === 0 ? {} : { labels: Object.fromEntries(pairs) as Labels };
}

type Read = () => Promise<{ data: { labels: Labels }; response: Response }>;

/**
 * The labels that something is to have: those that it has, with what the options change.
 * @returns a part of the body, and the header by which nothing is lost that another changes meanwhile; nothing without an option
 */
export async function changedLabels(
  flags: LabelFlags,
  read: Read,
): Promise<{ body: { labels?: Labels }; headers?: { 'If-Match': string } }> {
  const { label, removeLabel = [] } = flags;
  if (label === undefined && removeLabel.length === 0) return { body: {} };
  const added = labelsOf(flags).labels;
  const { data, response } = await read();
  const missing = removeLabel.find((key) => !Object.hasOwn(data.labels, key));
  if (missing !== undefined)
    throw usageError(
      `--remove-label: it has no label ${missing}.`,
      `it has ${Object.keys(data.labels).join(', ') || 'none'}`,
    );
  const kept = Object.entries(data.labels).filter(([key]) => !removeLabel.includes(key));
  return {
    body: { labels: { ...Object.fromEntries(kept), ...added } },
    headers: { 'If-Match': response.headers.get('etag') ?? '*' },
  };
}

/** For people: `team=payments, stage=live`. */
export const labelText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
