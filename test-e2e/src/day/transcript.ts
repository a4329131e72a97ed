/** One line of a transcript, and what it is. */
export type Line =
  { kind: 'command'; at: string; text: string; seconds?: number } | { kind: 'output'; text: string };

export interface Chapter {
  name: string;
  lines: Line[];
}

/** The lines of an output that matter, each once, without what a terminal cannot show. */
export function keptLines(output: string, keep: readonly RegExp[]): string[] {
  const lines = output.split('\n').map((line) => line.trimEnd());
  return [...new Set(lines.filter((line) => line !== '' && keep.some((one) => one.test(line))))];
}

const margin = ' '.repeat(9);

/** A chapter as it is printed: times on the left, and what a command took if that is worth a word. */
function printed({ lines }: Chapter): string {
  return lines
    .map((line) => {
      if (line.kind === 'output') return `${margin}${line.text}`;
      const [first = '', ...more] = line.text.split('\n');
      const took = line.seconds !== undefined && line.seconds >= 5 ? `   (${line.seconds} s)` : '';
      return [`${line.at} $ ${first}${took}`, ...more.map((text) => `${margin}  ${text}`)].join('\n');
    })
    .join('\n');
}

export interface Facts {
  date: string;
  versions: readonly string[];
  cluster: string;
  /** chapters that were left out */
  missing: readonly string[];
  note?: string | undefined;
}

/** The page of a day. */
export function pageOf(
  chapters: readonly Chapter[],
  { date, versions, cluster, missing, note }: Facts,
): string {
  const besides = [
    ...(note === undefined ? [] : [note]),
    ...(missing.length === 0 ? [] : [`Not run that day: ${missing.join('; ')}.`]),
  ];
  return `# An operator's day

A transcript that \`npm run operators-day\` printed on ${date}: the releases ${versions.join(' and ')} on ${cluster}. A line with \`#\` names the page and the heading whose commands were run; their output is shortened to the lines that matter. Requests were sent once, without
retries; clients of brokers connect and send again as their protocol has it.
${besides.length === 0 ? '' : `\n${besides.join(' ')}\n`}
Make it again with Docker, a cluster of one machine, helm, and the programs of [Releases](release.md#make-a-release); \`npm run operators-day -- --help\` has the options:

\`\`\`
KUBECONFIG=admin.kubeconfig npm run operators-day -- --registry localhost:5000 --page docs/operations/operators-day.md
\`\`\`
${chapters.map((chapter) => `\n## ${chapter.name}\n\n\`\`\`\n${printed(chapter)}\n\`\`\`\n`).join('')}`;
}
