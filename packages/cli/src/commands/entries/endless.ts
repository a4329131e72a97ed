import type { Cli } from '../../cli.ts';
import { usageError } from '@sluice/terminal/errors';

/** For output without an end, which only lines can be. @throws CliError 2 for a format that needs the end */
export function requireLines({ options: { output, query } }: Cli, what: string): void {
  if (query === undefined && (output === undefined || ['table', 'wide', 'ndjson'].includes(output))) return;
  throw usageError(
    `${what} has no end, and this format needs one.`,
    'use -o ndjson, or leave -o and --query out',
  );
}
