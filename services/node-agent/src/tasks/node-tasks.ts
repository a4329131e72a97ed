import type { NodeTask, TaskId, TaskResult, TaskRuntime } from '@sluice/contracts';
import { reasonOf } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import { traced } from '@sluice/system/tracing';
import type { Due } from '../due.ts';
import type { NodeRuntime } from './node-runtime.ts';
import type { TaskJournal } from './task-journal.ts';

interface NodeTasksOptions {
  runtimes: Partial<Record<TaskRuntime, NodeRuntime>>;
  due: Due;
  journal: TaskJournal;
  /** Sends the result to the supervisor; rejects when it was not taken. */
  report: (id: TaskId, result: TaskResult) => Promise<void>;
  /** by the supervisor's clock, in milliseconds since 1970 */
  now: () => number;
  log: Log;
}

const longestError = 1_000;
const completed: TaskResult = { status: 'completed', error: null };

/**
 * The tasks of the node. What a task leads to is part of the desired state; here its result is awaited and reported. Only a restart is an
 * act: the process that it is to replace is written down before, so that the next agent sees whether it was done.
 */
export class NodeTasks {
  readonly #options: NodeTasksOptions;
  readonly #reported = new Set<NodeTask>();
  readonly #restarted = new Set<TaskId>();
  #tasks: readonly NodeTask[] = [];
  #traceparent: string | undefined;

  constructor(options: NodeTasksOptions) {
    this.#options = options;
  }

  follow(tasks: readonly NodeTask[], traceparent?: string): void {
    this.#tasks = tasks;
    this.#traceparent = traceparent;
    this.#reported.clear();
    this.#options.due.wake();
  }

  /** true while a task has no result that the supervisor knows */
  get isWaiting(): boolean {
    return this.#tasks.some((task) => !this.#reported.has(task));
  }

  /** Looks at each task, and reports those that have ended. @throws Error unless all that have ended could be reported */
  async run(): Promise<void> {
    const { report, journal, log } = this.#options;
    let failures = 0;
    for (const task of this.#tasks) {
      if (this.#reported.has(task)) continue;
      try {
        const result = await this.#resultOf(task);
        if (result === undefined) continue;
        if (!journal.find(task)?.result) {
          await journal.end(task, result);
          log.info('a task has ended', { task: task.id, action: task.action, ...result });
        }
        const attributes = { 'sluice.task': task.id, 'sluice.status': result.status };
        const name = `report ${task.runtime} ${task.action}`;
        await traced(name, { parent: this.#traceparent, attributes }, () => report(task.id, result));
        this.#reported.add(task);
      } catch (error) {
        log.warn('a task could not be seen to', { task: task.id, reason: reasonOf(error) });
        failures++;
      }
    }
    if (failures > 0) throw new Error(`${failures} tasks could not be seen to`);
  }

  /** undefined while there is none */
  async #resultOf(task: NodeTask): Promise<TaskResult | undefined> {
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

  /** Restarts the runtime once. @returns true when the process that ran at the task's begin runs no more */
  async #isReplaced(task: NodeTask, runtime: NodeRuntime): Promise<boolean> {
    const { journal, now, log } = this.#options;
    let begun = journal.find(task);
    if (begun === undefined) {
      if (now() >= Date.parse(task.deadline)) return false;
      begun = await journal.begin(task, runtime.process);
    }
    if (!this.#restarted.has(task.id) && runtime.process === begun.former) {
      log.info('restarting', { task: task.id, runtime: task.runtime });
      this.#restarted.add(task.id);
      runtime.restart();
    }
    return begun.former === null || runtime.process !== begun.former;
  }
}

function failed(error: string): TaskResult {
  return { status: 'failed', error: error.slice(0, longestError) };
}
