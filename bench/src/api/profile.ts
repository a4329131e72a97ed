import { readFile } from 'node:fs/promises';
import { eventually } from '@sluice/testing';

interface CallFrame {
  functionName: string;
  url: string;
}
interface ProfileNode {
  id: number;
  callFrame: CallFrame;
  children?: number[];
}
interface Profile {
  nodes: ProfileNode[];
  samples: number[];
  timeDeltas: number[];
}

/**
 * Profiles a process that logs to a file while `work` runs, by Node's inspector, which it opens.
 * @returns the share of the busy time of each package and folder, greatest first
 */
export async function profiled(
  pid: number,
  log: string,
  work: () => Promise<void>,
): Promise<[string, number][]> {
  process.kill(pid, 'SIGUSR1');
  const address = await eventually(async () => {
    const [, found] = /Debugger listening on (ws:\S+)/.exec(await readFile(log, 'utf8')) ?? [];
    if (!found) throw new Error('the inspector is not open');
    return found;
  });
  const inspector = await connect(address);
  await inspector.call('Profiler.enable');
  await inspector.call('Profiler.setSamplingInterval', { interval: 200 });
  await inspector.call('Profiler.start');
  await work();
  const { profile } = (await inspector.call('Profiler.stop')) as { profile: Profile };
  inspector.close();
  return sharesOf(profile);
}

async function connect(address: string) {
  const socket = new WebSocket(address);
  const waiting = new Map<number, (result: unknown) => void>();
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown };
    waiting.get(id)?.(result);
  };
  await new Promise((resolve) => (socket.onopen = resolve));
  let id = 0;
  return {
    call: (method: string, params = {}) =>
      new Promise((resolve) => {
        waiting.set(++id, resolve);
        socket.send(JSON.stringify({ id, method, params }));
      }),
    close: () => socket.close(),
  };
}

function sharesOf({ nodes, samples, timeDeltas }: Profile): [string, number][] {
  const owners = new Map<number, string>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const visit = (node: ProfileNode, caller: string) => {
    const owner = ownerOf(node.callFrame) ?? caller;
    owners.set(node.id, owner);
    for (const child of node.children ?? []) visit(byId.get(child) as ProfileNode, owner);
  };
  if (nodes[0]) visit(nodes[0], 'node');
  const times = new Map<string, number>();
  let busy = 0;
  samples.forEach((sample, i) => {
    const owner = owners.get(sample) ?? 'node';
    if (owner === 'idle') return;
    const time = timeDeltas[i] ?? 0;
    busy += time;
    times.set(owner, (times.get(owner) ?? 0) + time);
  });
  const shares = [...times].map(([owner, time]): [string, number] => [owner, time / busy]);
  return shares.sort(([, a], [, b]) => b - a);
}

/** The owner of time in a function; undefined for what Node and the engine do for their caller. */
function ownerOf({ functionName, url }: CallFrame): string | undefined {
  if (functionName === '(idle)') return 'idle';
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (functionName === '(program)') return 'Node outside of JavaScript';
  const [, installed] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (installed) return installed;
  const [, own] = /\/((?:packages|services)\/[^/]+\/src(?:\/[^/]+(?=\/))?)/.exec(url) ?? [];
  return own;
}
