import type { KindName } from '../entries.ts';
import type { Run } from '../kinds/kind.ts';

export interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

export type Action = 'create' | 'update' | 'replace' | 'delete';

/** One request, or the few that belong together. */
export interface Step {
  action: Action;
  kind: KindName;
  /** of the entry: steps of one key run in their order */
  key: string;
  place: string;
  parent: string | null;
  changes: FieldChange[];
  operation: string;
  interrupts: string | undefined;
  /** keys whose steps have to be done before */
  after: string[];
  /** what it waits for, before it takes a turn */
  wait?: (run: Run) => Promise<unknown>;
  send(run: Run): Promise<unknown>;
}

/**
 * What keeps the whole plan from being applied: the document asks for what cannot be, the caller may not do it, a limit would be passed, or
 * what there is stands in the way.
 */
export interface Obstacle {
  reason: 'invalid' | 'not_allowed' | 'over_limit' | 'conflict';
  message: string;
  /** what to do, where there is something to say */
  next?: string;
  /** the name of an entry that can be deleted and made anew: of `replace` */
  replaceable?: string;
}

export interface Plan {
  set: string | undefined;
  tenant: string;
  steps: Step[];
  obstacles: Obstacle[];
  /** what is worth knowing and keeps nothing from being done */
  notes: string[];
  /** deployments whose region does not answer, and why: what they have there is left as it is */
  away: { place: string; reason: string }[];
  price: Price | undefined;
}

export interface Price {
  /** US dollars a month of the deployments that change, before and after; null where none is known */
  before: number | null;
  after: number | null;
  /** deployments whose price is not known, and why */
  unknown: { place: string; reason: string }[];
}
