import { rightsEventTypes } from '@sluice/contracts';
import type { Sql } from '@sluice/service';
import { CliError, conflict, exitCodes } from '@sluice/terminal/errors';
import { untilDone } from './until-done.ts';

/**
 * What main-api has found to differ after a restore of its database. main-api owns the table and carries out what is decided; here a
 * decision is recorded, once.
 */

export type Decision = 'apply' | 'reject';

/** A difference that is open, as main-api tells of it. */
export interface Difference {
  id: number;
  kind: string;
  tenant_id: number | null;
  about: string;
  person: string | null;
  evidence: string;
  found_at: Date;
  decision: Decision | null;
  failure: string | null;
}

/** What each decision does, by kind. */
const effects: Record<string, Record<Decision, string>> = {
  key_unjudged: { apply: 'the key works as in the copy', reject: 'the key is deleted' },
  key_enlarged: {
    apply: 'the key works, from the newer addresses',
    reject: 'the key works as in the copy',
  },
  key_made: { apply: 'the key is taken over', reject: 'the key is removed' },
  member_added: { apply: 'the person is a member', reject: 'the person stays out' },
  member_enlarged: { apply: 'the member gets that', reject: 'the member stays as in the copy' },
  role_enlarged: { apply: 'the role grants that', reject: 'the role stays as in the copy' },
  role_made: { apply: 'the role is made', reject: 'the role stays away' },
  tenant_deleted: { apply: 'the tenant is deleted', reject: 'its members are active again' },
  events_lost: {
    apply: 'taken note of, or by audit-log compared with the audit log',
    reject: 'taken note of',
  },
};

const columns = 'id, kind, tenant_id, about, person, evidence, found_at, decision, failure';

/** The open differences behind `after`, oldest first; all without a limit. */
export function listDifferences(sql: Sql, after: number, limit: number | null): Promise<Difference[]> {
  return sql.query<Difference>(
    `SELECT ${columns} FROM restore_differences WHERE carried_out_at IS NULL AND id > $1 ORDER BY id LIMIT $2`,
    [after, limit],
  );
}

/** With what each decision would do. */
export const withEffects = (difference: Difference) => ({ ...difference, ...effectsOf(difference) });

export const effectsOf = ({ kind }: Pick<Difference, 'kind'>) =>
  effects[kind] ?? { apply: 'main-api knows', reject: 'main-api knows' };

/** What came of the decision about a difference. */
interface Outcome {
  id: number;
  isDone: boolean;
  text: string;
}

/**
 * Records a decision about these differences, or all that are open, and waits until main-api has carried it out. One that is decided
 * already stays so.
 * @returns a line for each
 * @throws CliError with the lines, when one of them is not carried out
 */
export async function decide(sql: Sql, decision: Decision, ids: readonly number[] | 'all'): Promise<string> {
  const decided = await sql.query<{ id: number }>(
    `WITH decided AS (
       UPDATE restore_differences SET decision = $1, failure = NULL
       WHERE carried_out_at IS NULL AND decision IS NULL AND ($2::bigint[] IS NULL OR id = ANY ($2)) RETURNING id)
     SELECT id, pg_notify('restore_decisions', '') FROM decided ORDER BY id`,
    [decision, ids === 'all' ? null : ids],
  );
  const mine = decided.map(({ id }) => id);
  const outcomes = await outcomesOf(sql, decision, mine);
  if (ids !== 'all')
    for (const id of ids) if (!mine.includes(id)) outcomes.push(await formerOutcome(sql, id));
  if (outcomes.length === 0) return 'There are none.';
  const text = outcomes
    .sort((one, other) => one.id - other.id)
    .map((outcome) => outcome.text)
    .join('\n');
  if (outcomes.some(({ isDone }) => !isDone))
    throw new CliError({
      exitCode: exitCodes.partlyApplied,
      message: text,
      next: 'sluice-admin restore review',
    });
  return text;
}

/** entries of the audit log that are handed over at most */
const mostEntries = 100_000;

interface LostEvents {
  id: number;
  since: string | null;
}

type Reference = { id: number; name: string } | null;

interface Entry {
  event_id: string;
  type: string;
  occurred_at: Date;
  tenant_id: number;
  division: Reference;
  author: Reference;
  user: Reference;
  data: unknown;
  correlation_id: string | null;
}

/**
 * Has main-api compare its tables with the audit log, where NATS has lost events since the copy.
 * @param audit the database of the audit service
 * @returns what came of it
 * @throws CliError when no events are lost, or there are too many
 */
export async function compareAuditLog(sql: Sql, audit: Sql): Promise<string> {
  const [lost] = await sql.query<LostEvents>(
    `SELECT id, detail ->> 'since' AS since FROM restore_differences
     WHERE kind = 'events_lost' AND carried_out_at IS NULL AND decision IS NULL`,
  );
  if (!lost) throw conflict('No events are lost that the audit log could tell of.');
  const entries = await audit.query<Entry>(
    `SELECT event_id, type, occurred_at, tenant_id, ${['division', 'author', 'user'].map(reference).join(', ')},
       data, correlation_id
     FROM log_entries
     WHERE type = ANY ($1) AND as_sent IS NULL AND ($2::timestamptz IS NULL OR occurred_at > $2)
     ORDER BY occurred_at, position, seq LIMIT $3`,
    [rightsEventTypes, lost.since, mostEntries + 1],
  );
  if (entries.length > mostEntries)
    throw conflict(`The audit log has more than ${mostEntries} entries since the copy: compare it by hand.`);
  const events = entries.map(({ event_id: id, occurred_at, ...entry }) => ({
    ...{ id, occurred_at: occurred_at.toISOString(), environment: null, deployment: null, api_key: null },
    ...entry,
  }));
  await sql.query(
    'UPDATE restore_differences SET detail = detail || $2::jsonb WHERE id = $1 AND decision IS NULL',
    [lost.id, JSON.stringify({ events })],
  );
  const outcome = await decide(sql, 'apply', [lost.id]);
  return `${outcome}\nmain-api has compared ${events.length} entries of the audit log.`;
}

const reference = (name: string) =>
  `CASE WHEN ${name}_id IS NOT NULL THEN jsonb_build_object('id', ${name}_id, 'name', ${name}_name) END AS "${name}"`;

interface State {
  id: number;
  decision: Decision | null;
  is_done: boolean;
  failure: string | null;
}

const statesOf = (sql: Sql, ids: readonly number[]) =>
  sql.query<State>(
    `SELECT id, decision, carried_out_at IS NOT NULL AS is_done, failure FROM restore_differences WHERE id = ANY ($1)`,
    [ids],
  );

async function outcomesOf(sql: Sql, decision: Decision, ids: readonly number[]): Promise<Outcome[]> {
  const states = await untilDone(
    async () => new Map((await statesOf(sql, ids)).map((state) => [state.id, state])),
    (found) => ![...found.values()].some((state) => !state.is_done && state.decision !== null),
  );
  return ids.map((id) => outcomeOf(id, decision, states.get(id)));
}

function outcomeOf(id: number, decision: Decision, state: State | undefined): Outcome {
  if (!state) return { id, isDone: true, text: `${id}: there is nothing left to decide, the key is gone.` };
  if (state.is_done) return { id, isDone: true, text: `${id}: ${past[decision]}.` };
  if (state.decision === null)
    return {
      id,
      isDone: false,
      text: `${id}: could not be ${past[decision]}. ${state.failure ?? ''}`.trimEnd(),
    };
  return { id, isDone: false, text: `${id}: main-api has not carried it out yet; it does so when it runs.` };
}

async function formerOutcome(sql: Sql, id: number): Promise<Outcome> {
  const [state] = await statesOf(sql, [id]);
  if (!state?.decision) return { id, isDone: false, text: `${id}: there is no such difference.` };
  const what = state.is_done ? `was ${past[state.decision]}` : `is being ${past[state.decision]}`;
  return { id, isDone: true, text: `${id}: ${what} before; nothing is changed.` };
}

const past: Record<Decision, string> = { apply: 'applied', reject: 'rejected' };
