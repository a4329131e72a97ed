import type { Cli } from '../../cli.ts';
import { allOperations, type Operation } from '../../operations.ts';

/** Lists the operations whose id, path or summary contains all words. */
export async function listOperations(cli: Cli, words: readonly string[]): Promise<void> {
  const wanted = words.map((word) => word.toLowerCase());
  const textOf = ({ id, path, summary }: Operation) => `${id} ${path} ${summary}`.toLowerCase();
  const fitting = allOperations.filter((operation) =>
    wanted.every((word) => textOf(operation).includes(word)),
  );
  await cli.output.list(fitting, {
    name: ({ id }) => id,
    empty: 'There is no such operation.',
    columns: [
      { header: 'OPERATION', value: ({ id }) => id },
      { header: 'SUMMARY', value: ({ summary }) => summary },
      { header: 'API', value: ({ layer }) => layer, wide: true },
      { header: 'METHOD', value: ({ method }) => method, wide: true },
      { header: 'PATH', value: ({ path }) => path, wide: true },
      { header: 'PERMISSION', value: ({ permission }) => permission, wide: true },
    ],
  });
}
