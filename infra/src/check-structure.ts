import {
  circleIn,
  countArrows,
  countMutual,
  countNodes,
  folderGraphs,
  importsAmong,
  sourceFiles,
  type FolderGraph,
} from './structure.ts';
import { repository } from './settings.ts';

/**
 * Refuses circles: in no folder may the files and folders in it import each other in a round, types included. Ends with
 * exit code 1 and the imports that make each circle. Without `--check` it also lists every folder with its numbers.
 */

const graphs = folderGraphs(await importsAmong(repository, await sourceFiles(repository)));
if (!process.argv.includes('--check')) report(graphs);

const refused = graphs.filter(({ knots }) => knots.length > 0);
for (const graph of refused) console.error(describe(graph));
if (refused.length > 0) process.exitCode = 1;

function describe(graph: FolderGraph): string {
  const circles = graph.knots.map((knot) =>
    [
      `  ${knot.join(', ')}; for example`,
      ...circleIn(graph, knot).map(({ from, to }) => `    ${from}\n      imports ${to}`),
    ].join('\n'),
  );
  return [`${graph.folder} has a circle among`, ...circles].join('\n');
}

function report(all: readonly FolderGraph[]): void {
  console.table(
    Object.fromEntries(
      all.map((graph) => [
        graph.folder,
        {
          nodes: countNodes(graph),
          arrows: countArrows(graph),
          mutual: countMutual(graph),
          'largest knot': graph.knots[0]?.length ?? 0,
        },
      ]),
    ),
  );
}
