import type { Snapshot } from '@sluice/client';

/** What of `findings.json` is shown. */
export interface Findings {
  node: { id: number; name: string };
  created_at: string;
  failure: string | null;
  checks: Check[];
}

export interface Check {
  title: string;
  status: string;
  finding: string;
  meaning: string;
  /** what to do; null for nothing */
  action: string | null;
  details: { name: string; value: string }[];
}

/** The reports that were made together: one of each node. */
export interface Examination {
  created_at: string;
  snapshots: Snapshot[];
}

/** Reports by the examination that they are of, newest first. */
export function examinationsOf(snapshots: readonly Snapshot[]): Examination[] {
  const groups = new Map<string, Snapshot[]>();
  for (const one of snapshots) groups.set(one.created_at, [...(groups.get(one.created_at) ?? []), one]);
  return [...groups]
    .map(([created_at, members]) => ({ created_at, snapshots: members }))
    .toSorted((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at));
}

export interface Difference {
  title: string;
  before: Pick<Check, 'status' | 'finding'> | undefined;
  after: Pick<Check, 'status' | 'finding'> | undefined;
}

/** The checks that came out differently, in the order of the later report. */
export function differencesOf(before: Findings, after: Findings): Difference[] {
  const titles = [...new Set([...after.checks, ...before.checks].map(({ title }) => title))];
  const find = ({ checks }: Findings, title: string) => checks.find((check) => check.title === title);
  return titles
    .map((title) => ({ title, before: find(before, title), after: find(after, title) }))
    .filter((one) => one.before?.status !== one.after?.status || one.before?.finding !== one.after?.finding);
}
