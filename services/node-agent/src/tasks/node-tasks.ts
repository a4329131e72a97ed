import type { NodeTask, TaskId, TaskResult, TaskRuntime } from '@sluice/contracts';
import { createBackoff, reasonOf } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import { traced } from '@sluice/system/tracing';
import type { WakeSignal } from '../wake-signal.ts';
import type { NodeRuntime } from './node-runtime.ts';
import type { TaskJournal } from './task-journal.ts';

interface NodeTasksOptions {
  runtimes: Partial<Record<TaskRuntime, NodeRuntime>>;
  /** Woken when how a runtime is may have changed. */
  due: WakeSignal;
  journal: TaskJournal;
  /** Tells the supervisor; rejects when it did not take it in. */
  tell: (id: TaskId, result: TaskResult) => Promise<void>;
  /** what the supervisor's clock shows, in milliseconds since 1970 */
  now: () => number;
  log: Log;
}

/** how often a look is worthwhile when nobody has said that something has changed */
const lookEvery = 1_000;
const longestError = 1_000;
const completed: TaskResult = { status: 'completed', error: null };

/**
 * Does what the supervisor tells the node to do. What a task leads to is part of the desired state; here it is seen to that it is so, and
 * told. Only a restart is an act: which process it was to replace is written down before, so that the next agent sees whether it has been
 * done.
 */
export class NodeTasks {
  readonly #options: NodeTasksOptions;
  readonly #told = new Set<NodeTask>();
  readonly #asked = new Set<TaskId>();
  #tasks: readonly NodeTask[] = [];
  #traceparent: string | undefined;

  constructor(options: NodeTasksOptions) {
    this.#options = options;
  }

  /**
   * To be called once the state that these came with has been applied.
   * @param traceparent of that
   */
  follow(tasks: readonly NodeTask[], traceparent?: string): void {
    this.#tasks = tasks;
    this.#traceparent = traceparent;
    this.#told.clear();
    this.#options.due.wake();
  }

  async run(): Promise<never> {
    const whenAway = createBackoff({ first: 100, cap: 5_000 });
    for (;;) {
      const answered = await this.#seeToAll();
      if (answered) whenAway.reset();
      const waits = this.#tasks.some((task) => !this.#told.has(task));
      await this.#options.due.wait(answered ? (waits ? lookEvery : 2 ** 31 - 1) : whenAway.next());
    }
  }

  /** @returns whether the supervisor has heard of all that there is to tell */
  async #seeToAll(): Promise<boolean> {
    const { tell, journal, log } = this.#options;
    let answered = true;
    for (const task of this.#tasks) {
      if (this.#told.has(task)) continue;
      try {
        const result = await this.#seeTo(task);
        if (result === undefined) continue;
        if (!journal.find(task)?.result) {
          await journal.end(task, result);
          log.info('a task has ended', { task: task.id, action: task.action, ...result });
        }
        const attributes = { 'sluice.task': task.id, 'sluice.status': result.status };
        const name = `tell ${task.runtime} ${task.action}`;
        await traced(name, { parent: this.#traceparent, attributes }, () => tell(task.id, result));
        this.#told.add(task);
      } catch (error) {
        log.warn('a task could not be seen to', { task: task.id, reason: reasonOf(error) });
        answered = false;
      }
    }
    return answered;
  }

  /** What has come of it; undefined while nothing has. */
  async #seeTo(task: NodeTask): Promise<TaskResult | undefined> {
    const { runtimes, journal } = this.#options;
    const known = journal.find(task)?.result;
    if (known) return known;
    const runtime = runtimes[task.runtime];
    if (!runtime) return failed(`the agent of the node has no ${task.runtime}`);
    if (task.action === 'restart' && !(await this.#isReplaced(task, runtime))) return undefined;
    if (task.action === 'stop') return runtime.process === null ? completed : undefined;
    if (runtime.awaitsRestart === true) return undefined;
    const { status, reason } = runtime.report();
    if (status === 'failed') return failed(reason ?? `${task.runtime} failed`);
    const isDone = status === 'running' || (task.action === 'reconfigure' && status === 'stopped');
    return isDone ? completed : undefined;
  }

  /** Whether the process that ran when the task was begun runs no longer; sees to it. */
  async #isReplaced(task: NodeTask, runtime: NodeRuntime): Promise<boolean> {
    const { journal, now, log } = this.#options;
    let begun = journal.find(task);
    if (begun === undefined) {
      if (now() >= Date.parse(task.deadline)) return false;
      begun = await journal.begin(task, runtime.process);
    }
    if (!this.#asked.has(task.id) && runtime.process === begun.former) {
      log.info('restarting', { task: task.id, runtime: task.runtime });
      this.#asked.add(task.id);
      runtime.restart();
    }
    return begun.former === null || runtime.process !== begun.former;
  }
}

function failed(error: string): TaskResult {
  return { status: 'failed', error: error.slice(0, longestError) };
}
