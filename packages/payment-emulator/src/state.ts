import { readFile, rename, writeFile } from 'node:fs/promises';

/** What a card does when it is charged; `answer_lost`: the charge is made, and its answer is not sent. */
export const cardBehaviours = ['charged', 'declined', 'answer_lost'] as const;
export type CardBehaviour = (typeof cardBehaviours)[number];

export interface Session {
  id: string;
  customer: string;
  status: 'open' | 'complete' | 'expired';
  expires_at: number;
  metadata: Record<string, string>;
  success_url: string;
  payment_method: string | null;
}

export interface Method {
  id: string;
  customer: string | null;
  behaviour: CardBehaviour;
  exp_month: number;
  exp_year: number;
}

export interface Charge {
  id: string;
  customer: string;
  payment_method: string;
  amount: number;
  currency: string;
  created: number;
  status: 'succeeded' | 'requires_payment_method' | 'processing';
  decline_code: string | null;
  metadata: Record<string, string>;
}

/** What the emulator remembers. */
export interface State {
  customers: Record<string, { id: string; email: string }>;
  sessions: Record<string, Session>;
  methods: Record<string, Method>;
  charges: Record<string, Charge>;
  /** answers by idempotency key */
  answers: Record<string, { status: number; body: unknown }>;
}

export const emptyState = (): State => ({
  customers: {},
  sessions: {},
  methods: {},
  charges: {},
  answers: {},
});

export async function readState(file: string | undefined): Promise<State> {
  if (file === undefined) return emptyState();
  try {
    return JSON.parse(await readFile(file, 'utf8')) as State;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return emptyState();
    throw error;
  }
}

/** Writes the whole state, so that a kill leaves the former one or this one. */
export async function writeState(file: string | undefined, state: State): Promise<void> {
  if (file === undefined) return;
  await writeFile(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  await rename(`${file}.new`, file);
}
