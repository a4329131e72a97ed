import { idOf, type NodeId, type TaskId } from '@sluice/contracts';
import { planTasks, type OpenTask } from './plan.ts';

const aTask = (id: number, more: Partial<OpenTask> = {}): OpenTask => ({
  id: idOf<TaskId>(id),
  submission: String(id),
  node_id: idOf<NodeId>(1),
  runtime: 'broker',
  action: 'restart',
  status: 'queued',
  outcome: null,
  error: null,
  ...more,
});
const second = { node_id: idOf<NodeId>(2) };
const together = { submission: 'x', action: 'reconfigure' } as const;
const running = { status: 'running' } as const;

const planned = (open: OpenTask[], mayBegin = true) => {
  const { ends, begins } = planTasks(open, mayBegin);
  return {
    ends: ends.map(({ task, status, error }) => [task.id, status, error]),
    begins: begins.map(({ id }) => id),
  };
};

describe('of the tasks of a deployment', () => {
  test('begins the first of each node and runtime', () => {
    const open = [aTask(1), aTask(2), aTask(3, second), aTask(4, { runtime: 'connectors' })];
    expect(planned(open)).toEqual({ ends: [], begins: [1, 3, 4] });
  });

  test('begins none while the deployment takes none, but ends those that are done', () => {
    const open = [aTask(1, { ...running, outcome: 'completed' }), aTask(2)];
    expect(planned(open, false)).toEqual({ ends: [[1, 'completed', null]], begins: [] });
  });

  test('begins the next when the one before ends, however it does', () => {
    const failed = aTask(1, { ...running, outcome: 'failed', error: 'no' });
    expect(planned([failed, aTask(2)])).toEqual({ ends: [[1, 'failed', 'no']], begins: [2] });
    expect(planned([aTask(1, running), aTask(2)])).toEqual({ ends: [], begins: [] });
  });

  test('begins a configuration when it is its turn on all nodes', () => {
    const both = [aTask(3, together), aTask(4, { ...together, ...second })];
    expect(planned([aTask(1, running), ...both]).begins).toEqual([]);
    expect(planned(both).begins).toEqual([3, 4]);
  });

  test('ends a configuration when all nodes have told, or with the first that rejects it', () => {
    const one = aTask(3, { ...together, ...running, outcome: 'completed' });
    const other = aTask(4, { ...together, ...running, ...second });
    expect(planned([one, other]).ends).toEqual([]);
    expect(planned([one, { ...other, outcome: 'completed' }]).ends).toHaveLength(2);
    expect(planned([one, { ...other, outcome: 'failed', error: 'too large' }]).ends).toEqual([
      [3, 'failed', 'node 2 rejected it: too large'],
      [4, 'failed', 'too large'],
    ]);
  });

  test('those that fail before their turn hold up nothing', () => {
    const late = aTask(1, { outcome: 'failed', error: 'late' });
    expect(planned([late, aTask(2)])).toEqual({ ends: [[1, 'failed', 'late']], begins: [2] });
  });
});
