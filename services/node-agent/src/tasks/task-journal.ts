import { join } from 'node:path';
import type { NodeTask, TaskResult } from '@sluice/contracts';
import { taskIdSchema } from '@sluice/contracts/ids';
import { readIfPresent, writePrivateFile } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import { z } from 'zod';

const entrySchema = z.object({
  id: taskIdSchema,
  /** with the id it tells a task from one that has its id after the supervisor's database was restored */
  deadline: z.string(),
  /** the process that ran when it was begun */
  former: z.string().nullable(),
  result: z.object({ status: z.enum(['completed', 'failed']), error: z.string().nullable() }).nullable(),
});
type Entry = z.infer<typeof entrySchema>;

/** tasks that are remembered; a node has ten at most */
const mostEntries = 50;

/** The tasks that the node has begun and ended, on its disk: a task that comes twice is done once, also after a crash. */
export class TaskJournal {
  readonly #path: string;
  #entries: readonly Entry[];

  private constructor(path: string, entries: readonly Entry[]) {
    this.#path = path;
    this.#entries = entries;
  }

  static async open(home: string, log: Log): Promise<TaskJournal> {
    const path = join(home, 'tasks.json');
    const text = await readIfPresent(path);
    try {
      return new TaskJournal(path, text === null ? [] : z.array(entrySchema).parse(JSON.parse(text)));
    } catch {
      log.error('the journal of tasks is damaged; a task may be done once more', { path });
      return new TaskJournal(path, []);
    }
  }

  find({ id, deadline }: NodeTask): Entry | undefined {
    return this.#entries.find((entry) => entry.id === id && entry.deadline === deadline);
  }

  /** To be called before anything is done that cannot be done twice. */
  async begin(task: NodeTask, former: string | null): Promise<Entry> {
    return await this.#write({ id: task.id, deadline: task.deadline, former, result: null });
  }

  async end(task: NodeTask, result: TaskResult): Promise<void> {
    const { former = null } = this.find(task) ?? {};
    await this.#write({ id: task.id, deadline: task.deadline, former, result });
  }

  async #write(entry: Entry): Promise<Entry> {
    const others = this.#entries.filter(({ id, deadline }) => id !== entry.id || deadline !== entry.deadline);
    const entries = [...others, entry].slice(-mostEntries);
    await writePrivateFile(this.#path, JSON.stringify(entries));
    this.#entries = entries;
    return entry;
  }
}
