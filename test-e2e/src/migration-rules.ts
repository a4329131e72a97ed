/** What a line of a migration begins with that says why it may do what is otherwise refused. */
const excuse = /^-- the release before does not mind: \S/m;

const rules: [what: string, breaks: (clause: string) => boolean][] = [
  ['takes something away', (clause) => /\bDROP\s+(?!INDEX\b)/i.test(clause)],
  ['renames something', (clause) => /\bRENAME\b/i.test(clause)],
  ['refuses what was left out before', (clause) => /\bSET\s+NOT\s+NULL\b/i.test(clause)],
  ['changes a type', (clause) => /\bALTER\s+(COLUMN\s+)?\S+\s+(SET\s+DATA\s+)?TYPE\b/i.test(clause)],
  [
    'adds a column that the release before cannot leave out',
    (clause) =>
      /\bADD\s+(COLUMN\s+)?(?!CONSTRAINT\b)/i.test(clause) &&
      /\bNOT\s+NULL\b|\bPRIMARY\s+KEY\b/i.test(clause) &&
      !/\bDEFAULT\b|\bGENERATED\b/i.test(clause),
  ],
];

/**
 * What a migration does that the release before cannot work beside: a migration adds, and takes away only what that release no
 * longer uses. @returns a sentence for each clause, none where a line begins with `-- the release before does not mind: ` and a reason
 */
export function breaksTheReleaseBefore(text: string): string[] {
  if (excuse.test(text)) return [];
  const bare = text.replaceAll(/--[^\n]*/g, '').replaceAll(/'(?:[^']|'')*'/g, "''");
  return bare
    .split(';')
    .flatMap((statement) => clausesOf(statement))
    .flatMap((clause) => rules.filter(([, breaks]) => breaks(clause)).map(([what]) => `${what}: ${clause}`));
}

/** The parts of a statement between the commas that stand in no parentheses. */
function clausesOf(statement: string): string[] {
  let depth = 0;
  const clauses = [''];
  for (const character of statement) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character === ',' && depth === 0) clauses.push('');
    else clauses.push((clauses.pop() ?? '') + character);
  }
  return clauses.map((clause) => clause.replaceAll(/\s+/g, ' ').trim());
}
