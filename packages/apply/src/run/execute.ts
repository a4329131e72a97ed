import { SluiceError } from '@sluice/client';
import type { Plan, Step } from '../plan/types.ts';
import type { Run } from '../kinds/kind.ts';
import { PersonNeeded } from './person-needed.ts';
import { atOnce, turns } from '../turns.ts';

export interface Result {
  step: Step;
  /** `waiting`: for what a person does */
  result: 'done' | 'failed' | 'skipped' | 'waiting';
  /** why it is not done */
  error?: unknown;
  seconds: number;
}

/** In which order deletions come; everything else is before them. */
const phases = { role: 2, environment: 2, division: 3 } as const;
const phaseOf = ({ action, kind }: Step): number =>
  action === 'delete' ? (kind in phases ? phases[kind as keyof typeof phases] : 1) : 0;

/**
 * Carries a plan out: steps of one entry one after the other, what an entry needs before it, deletions last, eight requests at a time. What
 * depends on a step that failed is skipped, the rest is done. Once something has changed meanwhile nothing else is begun.
 */
export async function execute(
  { steps }: Pick<Plan, 'steps'>,
  run: Run,
  report: (result: Result) => void,
): Promise<Result[]> {
  const turn = turns(atOnce);
  const results: Result[] = [];
  let isStopped = false;
  for (const phase of [0, 1, 2, 3]) {
    const ofPhase = steps.filter((step) => phaseOf(step) === phase);
    // nothing is deleted after a failure: it can be what something else still needs
    if (phase > 0 && results.some(({ result }) => result !== 'done')) isStopped = true;
    await Promise.all(begin(ofPhase));
  }
  return results;

  function begin(ofPhase: readonly Step[]): Promise<Result>[] {
    const byKey = new Map<string, Promise<Result>>();
    // parents come before their children in a plan, but what is named can come later
    const all = ofPhase.map((step) => {
      let settle: (result: Result) => void = () => {};
      const done = new Promise<Result>((resolve) => (settle = resolve));
      const before = byKey.get(step.key);
      byKey.set(step.key, done);
      return { step, settle, done, before };
    });
    return all.map(async ({ step, settle, done, before }) => {
      const needed = step.after.flatMap((key) => (key === step.key ? [] : [byKey.get(key)]));
      const ended = await Promise.all([before, ...needed]);
      const failed = ended.find((one) => one && one.result !== 'done');
      settle(await carryOut(step, failed));
      return done;
    });
  }

  async function carryOut(step: Step, failed: Result | undefined): Promise<Result> {
    const begun = performance.now();
    const ended = (result: Result['result'], error?: unknown): Result => {
      const all = {
        step,
        result,
        seconds: (performance.now() - begun) / 1_000,
        ...(error !== undefined && { error }),
      };
      results.push(all);
      report(all);
      return all;
    };
    if (failed)
      return ended('skipped', new Error(`the ${failed.step.kind} ${failed.step.place} was not done`));
    try {
      // what waits takes no turn from what could be done
      await step.wait?.(run);
      return await turn(async () => {
        run.signal.throwIfAborted();
        if (isStopped) return ended('skipped', new Error('something else was not done'));
        await step.send(run);
        return ended('done');
      });
    } catch (error) {
      if (run.signal.aborted) throw error;
      if (error instanceof SluiceError && error.code === 'changed_meanwhile') isStopped = true;
      return ended(error instanceof PersonNeeded ? 'waiting' : 'failed', error);
    }
  }
}
