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

/** What may be done to a table that the migration makes itself, but not to one that the release before writes to. */
const rulesOfTables: [what: string, breaks: RegExp][] = [
  ['refuses rows that the release before may write', /^CREATE UNIQUE INDEX .*?\bON (?:ONLY )?(?<table>\S+)/i],
  [
    'refuses rows that the release before may write',
    /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(?<table>\S+) .*\bADD (?:CONSTRAINT|UNIQUE|CHECK|EXCLUDE|FOREIGN|PRIMARY)\b/i,
  ],
  [
    'keeps everybody from writing while it works',
    /^CREATE INDEX (?!CONCURRENTLY\b).*?\bON (?:ONLY )?(?<table>[^\s(]+)/i,
  ],
  [
    'changes what the release before writes',
    /^CREATE (?:OR REPLACE )?(?:CONSTRAINT )?(?:TRIGGER|RULE) .*?\b(?:ON|TO) (?<table>\S+)/i,
  ],
  ['hides rows from the release before', /^ALTER TABLE (?<table>\S+) .*\bROW LEVEL SECURITY\b/i],
  ['takes rows away from the release before', /^TRUNCATE (?:TABLE )?(?:ONLY )?(?<table>\S+)/i],
  ['takes rights away from the release before', /^REVOKE .*?\bON (?:TABLE |FUNCTION )?(?<table>\S+)/i],
];

/**
 * What a migration does that the release before cannot work beside: a migration adds, and takes away only what that release no
 * longer uses. What `since` (all migrations of the service since that release) has added before, the release before does not know.
 * @returns a sentence for each clause, none where a line begins with `-- the release before does not mind: ` and a reason
 */
export function breaksTheReleaseBefore(text: string, since = text): string[] {
  if (excuse.test(text)) return [];
  const statements = bare(text)
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim());
  const added = addedBy(bare(since));
  return statements.flatMap((statement) => [
    ...clausesOf(statement).flatMap((clause) =>
      rules.filter(([, breaks]) => breaks(clause)).map(([what]) => `${what}: ${clause}`),
    ),
    ...rulesOfTables.flatMap(([what, breaks]) => {
      const table = breaks.exec(statement)?.groups?.['table'];
      if (table === undefined || added.tables.has(nameOf(table)) || added.isOf(statement)) return [];
      return [`${what}: ${statement}`];
    }),
  ]);
}

/** Without comments, and without what stands in quotes. */
const bare = (text: string) => text.replaceAll(/--[^\n]*/g, '').replaceAll(/'(?:[^']|'')*'/g, "''");

/** The tables and functions that migrations make, and whether a statement is about a column that they add: there the release before writes nothing. */
function addedBy(text: string) {
  const names = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => nameOf(name));
  const columns = names(/\bADD\s+COLUMN\s+(?:IF\s+NOT\s+EXISTS\s+)?(\S+)/gi);
  return {
    tables: new Set([
      ...names(/\bCREATE\s+(?:UNLOGGED\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?([^\s(]+)/gi),
      ...names(/\bCREATE\s+FUNCTION\s+([^\s(]+)/gi),
    ]),
    isOf: (statement: string) => columns.some((column) => new RegExp(`\\b${column}\\b`, 'i').test(statement)),
  };
}

const nameOf = (written: string) => written.replaceAll('"', '').toLowerCase();

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
