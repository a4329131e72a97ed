/**
 * How far a reader of changes is: the snapshot of PostgreSQL that showed it the last ones. A transaction that this does not show is not
 * read yet, however late it commits.
 */
export interface Position {
  /** which database it is; another one after a restore */
  database: string;
  /** by the database's clock, in milliseconds since 1970 */
  at: number;
  snapshot: Snapshot;
}

/** As PostgreSQL writes it: the transactions from `upTo` on, and `running` ones before, are not shown. */
export interface Snapshot {
  text: string;
  upTo: bigint;
  running: string[];
}

const snapshotForm = /^\d{1,19}:(\d{1,19}):((?:\d{1,19}(?:,\d{1,19})*)?)$/;

/** @throws Error for what is none */
export function parseSnapshot(text: string): Snapshot {
  const [, upTo, running] = snapshotForm.exec(text) ?? [];
  if (upTo === undefined) throw new Error(`no snapshot: ${text}`);
  return { text, upTo: BigInt(upTo), running: running ? running.split(',') : [] };
}

/** Whether a snapshot shows what a transaction has committed. */
export const shows = ({ upTo, running }: Snapshot, transaction: string): boolean =>
  BigInt(transaction) < upTo && !running.includes(transaction);

/** The position as the id of an event. */
export const idOfPosition = ({ database, at, snapshot }: Position): string =>
  `${database}.${at}.${snapshot.text}`;

/** @returns undefined for what is none */
export function positionOfId(id: string): Position | undefined {
  const [, database, at, text] = /^([0-9a-f]{8})\.(\d{1,14})\.([\d:,]{1,9000})$/.exec(id) ?? [];
  if (database === undefined || text === undefined || !snapshotForm.test(text)) return undefined;
  return { database, at: Number(at), snapshot: parseSnapshot(text) };
}
